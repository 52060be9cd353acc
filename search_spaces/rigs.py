"""Rigs as a person names them: cards by what is known of them, pairs, the CPU, cards to leave out.

```yaml
rigs:
  fast: RTX 5090                      # a part of the model's name
  second: GPU-8f6e                    # a UUID or its beginning
  third: 2                            # its number, as nvidia-smi lists it
  far: lab2/RTX 4090                  # a card of one host of several
  pair: {cards: [RTX 4090, RTX 3090], split_mode: layer, tensor_split: [24, 24]}
  cores: cpu                          # of several hosts: lab2/cpu
exclude_cards: [RTX 4080, in use]
```
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from search_spaces.recipe import Strict, Text

CPU, IN_USE = "cpu", "in use"
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]


class RigRef(Strict):
    """One rig: `cards` in the order in which an engine sees them; none of them is the CPU.

    `host` is where a CPU rig is, when there are several; cards say it themselves (HOST/CARD).
    `split_mode` and `tensor_split` (a share for each card) hold for candidates that do not set
    their own.
    """

    cards: tuple[Text, ...] = ()
    cpu: bool = False
    host: Text | None = None
    split_mode: Literal["layer", "row", "tensor", "none"] | None = None
    tensor_split: Text | None = None

    @model_validator(mode="before")
    @classmethod
    def _short_forms(cls, data: Any) -> Any:
        """`RTX 5090`, `2`, `cpu`, `lab2/cpu`, or a list of cards."""
        host, _, last = data.rpartition("/") if isinstance(data, str) else ("", "", "")
        if last.strip().lower() == CPU:
            return {"cpu": True, "host": host or None}
        if isinstance(data, (str, int)) and not isinstance(data, bool):
            return {"cards": [str(data)]}
        return {"cards": data} if isinstance(data, list) else data

    @field_validator("cards", mode="before")
    @classmethod
    def _numbers(cls, data: Any) -> Any:
        if isinstance(data, (str, int)) and not isinstance(data, bool):
            data = [data]
        return [str(card) if type(card) is int else card for card in data]

    @field_validator("tensor_split", mode="before")
    @classmethod
    def _shares(cls, data: Any) -> Any:
        if isinstance(data, list) and all(type(part) in (int, float) for part in data):
            return ",".join(f"{part:g}" for part in data)
        return data

    @model_validator(mode="after")
    def _makes_sense(self) -> RigRef:
        if self.cpu == bool(self.cards):
            raise ValueError("a rig is cards, or the CPU (`cpu`)")
        if self.host and not self.cpu:
            raise ValueError("cards say their host themselves: HOST/CARD")
        if len(set(self.cards)) != len(self.cards) and not self._may_repeat():
            raise ValueError("a card stands twice in one rig")
        if self.tensor_split and len(self.tensor_split.split(",")) != len(self.cards):
            raise ValueError("tensor_split needs one share for each card")
        return self

    def _may_repeat(self) -> bool:
        """Two cards of one model are named twice by it; a number or UUID is one card."""
        numbers = [c for c in self.cards if c.isdigit() or c.upper().startswith("GPU-")]
        return len(set(numbers)) == len(numbers)


class RigFile(Strict):
    """What `--rigs` reads, and what a space says under the same two keys."""

    rigs: dict[Name, RigRef] = {}
    exclude_cards: tuple[Text, ...] = ()
