"""`orchestrate db upgrade`: says from which schema to which, and where the copy is."""

from __future__ import annotations

from db.upgrade import upgrade


def run(storage: str) -> None:
    """Migrates the database and prints one line."""
    done = upgrade(storage)
    if done.before is None:
        print(f"{done.shown} is at schema {done.after}. Nothing was copied.")
    elif done.copy is None:
        print(f"{done.shown} is at schema {done.after} already.")
    else:
        print(
            f"{done.shown}: schema {done.before} became {done.after}. The old one is {done.copy}."
        )
