"""Column types and the naming of constraints, the same on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any

from sqlalchemy import JSON, DateTime, Dialect, Double, Enum, MetaData, Text, TypeDecorator
from sqlalchemy.orm import DeclarativeBase, mapped_column

Json = Annotated[Any, mapped_column(JSON(none_as_null=True))]
Key = Annotated[int, mapped_column(primary_key=True)]


class UtcDateTime(TypeDecorator[datetime]):
    """An aware time in UTC. SQLite has no time zones: there it is stored without."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


class CleanText(TypeDecorator[str]):
    """Text that any database takes: an engine's log may hold NULs and broken UTF-8."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return value if value is None else clean(value)


def clean(text: str) -> str:
    """NUL and lone surrogates become U+FFFD, which is what they mean to a reader."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        text = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
    return text


def choice(kind: type[StrEnum]) -> Enum:
    """A column of an enumeration's values, as plain text."""
    return Enum(
        kind,
        native_enum=False,
        create_constraint=False,
        length=32,
        values_callable=lambda members: [member.value for member in members],
    )


class Base(DeclarativeBase):
    """All of our tables."""

    metadata = MetaData(
        naming_convention={
            "pk": "pk_%(table_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
        }
    )
    type_annotation_map = {str: CleanText, datetime: UtcDateTime, float: Double}
