"""Profiles of rigs that are not here: enough of a machine to plan for it, never to measure on it.

```yaml
name: rtx5090
title: One RTX 5090
cpu: {model: Ryzen 9 9950X, cores: 16, threads: 16}
memory_mib: 98304                    # of the host
disk_free_gib: 500                   # where models lie; left out: not looked at
cards:
  - {name: NVIDIA GeForce RTX 5090, memory_mib: 32607}
```
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator

from search_spaces.recipe import Strict, Text
from search_spaces.rigs import Name

MiB = Annotated[int, Field(strict=True, ge=1, le=2**32)]
Cores = Annotated[int, Field(strict=True, ge=1, le=4096)]


class CardProfile(Strict):
    """One card. `memory_mib` is the whole of it, as nvidia-smi prints it."""

    name: Text
    memory_mib: MiB
    power_limit_w: Annotated[float, Field(gt=0)] | None = None
    display: bool = False

    @model_validator(mode="before")
    @classmethod
    def _has_memory(cls, data: Any) -> Any:
        if isinstance(data, dict) and "memory_mib" not in data:
            name = data.get("name", "a card")
            raise ValueError(
                f"{name} has no memory size: without memory_mib nothing can be said of what fits "
                "(nvidia-smi prints it)"
            )
        return data


class CpuProfile(Strict):
    """The processor; `threads` is what an engine may use, the cores when unset."""

    model: Text = "unknown CPU"
    cores: Cores = 8
    threads: Cores | None = None


class Profile(Strict):
    """One machine. Without cards it is a CPU rig. Memory is the host's, in MiB."""

    name: Name
    title: str = ""
    os: Text = "Linux"
    driver: str = ""
    cpu: CpuProfile = CpuProfile()
    memory_mib: MiB
    disk_free_gib: Annotated[float, Field(gt=0)] | None = None
    cards: tuple[CardProfile, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _has_memory(cls, data: Any) -> Any:
        if isinstance(data, dict) and "memory_mib" not in data:
            raise ValueError(
                "the host has no memory size: add memory_mib, the MiB of its RAM "
                "(free -m prints it)"
            )
        return data
