"""One axis: the values a parameter may take, and when it takes any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from pydantic import Field, model_validator

from search_spaces.candidate import Value
from search_spaces.recipe import Strict

MOST_VALUES = 1_000_000
_DECIMALS = 9  # fractions are rounded, so that 3 * 0.1 is 0.3
Number = Annotated[int, Field(strict=True)] | Annotated[float, Field(strict=True)]


class Axis(Strict):
    """`values: [...]`, or `min`/`max`/`step`; `when` is a condition on earlier parameters.

    A bare list is read as `values`. The first value is the default one: it is what a baseline
    takes for a parameter that it neither fixes nor varies.
    """

    values: tuple[bool | int | float | str, ...] | None = None
    min: Number | None = None
    max: Number | None = None
    step: Number | None = None
    when: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _bare_list(cls, data: Any) -> Any:
        if isinstance(data, (list, tuple)):
            return {"values": data}
        if not isinstance(data, (dict, Axis)):
            raise ValueError(
                "an axis is a list of values, or min, max and step; one value goes under fixed"
            )
        return data

    @model_validator(mode="after")
    def _one_form(self) -> Axis:
        bounds = (self.min, self.max, self.step)
        if (self.values is None) == (bounds == (None, None, None)):
            raise ValueError("give either values, or min, max and step")
        if self.values is not None:
            if not self.values:
                raise ValueError("the axis is empty: list at least one value")
            if len({(isinstance(v, bool), v) for v in self.values}) != len(self.values):
                raise ValueError("a value is listed twice")
            return self
        if self.min is None or self.max is None:
            raise ValueError("give both min and max")
        if not (abs(self.min) < 1e15 and abs(self.max) < 1e15):
            raise ValueError("min and max must be finite and below 1e15")
        if self.step is not None and not 10**-_DECIMALS <= self.step < 1e15:
            raise ValueError("step must be above zero, at least 1e-9, and below 1e15")
        if self.max < self.min:
            raise ValueError("the axis is empty: max is below min")
        if self.step is None and not (isinstance(self.min, int) and isinstance(self.max, int)):
            raise ValueError("a range of fractions needs a step")
        if self._count() > MOST_VALUES:
            raise ValueError(f"the axis has more than {MOST_VALUES:,} values: use a larger step")
        return self

    def _count(self) -> int:
        """The length before it is known to be small enough for `len`."""
        if self.values is not None:
            return len(self.values)
        assert self.min is not None and self.max is not None
        return int((self.max - self.min) / (self.step or 1) + 1e-9) + 1

    def __len__(self) -> int:
        return self._count()

    def __getitem__(self, index: int) -> Value:
        if self.values is not None:
            return self.values[index]
        assert self.min is not None
        value = self.min + range(len(self))[index] * (self.step or 1)
        return value if isinstance(value, int) else round(value, _DECIMALS)

    def __iter__(self) -> Iterator[Value]:  # type: ignore[override]
        return (self[index] for index in range(len(self)))

    def domain(self) -> Sequence[Value]:
        """All values, in order."""
        return tuple(self)
