"""One axis: the values a parameter may take, and when it takes any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import model_validator

from search_spaces.candidate import Value
from search_spaces.recipe import Strict


class Axis(Strict):
    """`values: [...]`, or `min`/`max`/`step`; `when` is a condition on earlier parameters.

    A bare list is read as `values`. The first value is the default one: it is what a baseline
    takes for a parameter that it neither fixes nor varies.
    """

    values: tuple[bool | int | float | str, ...] | None = None
    min: int | float | None = None
    max: int | float | None = None
    step: int | float | None = None
    when: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _bare_list(cls, data: Any) -> Any:
        return {"values": data} if isinstance(data, list) else data

    @model_validator(mode="after")
    def _one_form(self) -> Axis:
        if (self.values is None) == (self.min is None and self.max is None):
            raise ValueError("give either values, or min and max")
        if self.values is not None:
            if not self.values:
                raise ValueError("the axis is empty: list at least one value")
            if self.step is not None:
                raise ValueError("step goes with min and max, not with values")
            if len({(type(value), value) for value in self.values}) != len(self.values):
                raise ValueError("a value is listed twice")
            return self
        if self.min is None or self.max is None:
            raise ValueError("give both min and max")
        if not (abs(self.min) < 1e15 and abs(self.max) < 1e15):
            raise ValueError("min and max must be finite and below 1e15")
        if self.step is not None and not self.step > 0:
            raise ValueError("step must be above zero")
        if self.max < self.min:
            raise ValueError("the axis is empty: max is below min")
        if self.step is None and not (isinstance(self.min, int) and isinstance(self.max, int)):
            raise ValueError("a range of fractions needs a step")
        if len(self) > 1_000_000:
            raise ValueError("the axis has more than a million values: use a larger step")
        return self

    def __len__(self) -> int:
        if self.values is not None:
            return len(self.values)
        assert self.min is not None and self.max is not None
        return int((self.max - self.min) / (self.step or 1) + 1e-9) + 1

    def __getitem__(self, index: int) -> Value:
        if self.values is not None:
            return self.values[index]
        assert self.min is not None
        value = self.min + index * (self.step or 1)
        return value if isinstance(value, int) else round(value, 9)

    def __iter__(self) -> Iterator[Value]:  # type: ignore[override]
        return (self[index] for index in range(len(self)))

    def domain(self) -> Sequence[Value]:
        """All values, in order."""
        return tuple(self)
