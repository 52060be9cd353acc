"""What an engine sees of this machine: enough to run, nothing that could change a number.

A llama.cpp server reads settings from LLAMA_*, GGML_* and OMP_* variables and from
config.ini files before its command line, so a shell's leftovers would measure another launch.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from workers.contract.reports import RigReport

SYSTEM_CONFIG = Path("/etc/llama.cpp/config.ini")

# An allow list: a variable that nobody thought of is dropped, not passed on.
_KEPT = (
    "PATH",
    "HOME",
    "USER",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "TEMP",
    "TMP",
    "SYSTEMROOT",  # Windows cannot open a socket without it
    "CUDA_CACHE_PATH",  # where kernels compiled at first use are kept
)


def scrubbed(
    rig: RigReport | None, config_home: Path, base: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The environment of an engine on a rig; `config_home` must be an empty directory.

    The engine sees exactly the rig's cards, in PCI order: none on a CPU rig. Without a rig (a
    probe) it sees all there are.
    """
    base = os.environ if base is None else base
    environment = {name: base[name] for name in _KEPT if name in base}
    environment["XDG_CONFIG_HOME"] = str(config_home)
    environment["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    if rig is not None:
        environment["CUDA_VISIBLE_DEVICES"] = ",".join(card.uuid for card in rig.cards)
    return environment


def config_warnings(config: Path = SYSTEM_CONFIG) -> tuple[str, ...]:
    """A sentence for a person where a system-wide file changes every launch."""
    if not config.exists():
        return ()
    return (
        f"{config} exists: llama.cpp applies it to every launch, measured ones too. "
        "Move it away for the time of a sweep.",
    )
