"""Which dialect a build speaks: asked of its help text, never of its name."""

from __future__ import annotations

from workers.contract.reports import Capabilities
from workers.dialects.bee_04 import BEE_04
from workers.dialects.bee_early import BEE_EARLY
from workers.dialects.dialect import IMPLIED, Dialect, Table, bind
from workers.dialects.help_text import parse_help
from workers.dialects.ik_llama import IK_LLAMA
from workers.dialects.legacy import LEGACY
from workers.dialects.mainline import MAINLINE
from workers.dialects.spellings import FIXED, VALUED, our_kind

# The first that recognises a help text has it; the least particular one stands last.
TABLES: tuple[Table, ...] = (IK_LLAMA, BEE_04, MAINLINE, BEE_EARLY, LEGACY)


def choose(help_text: str) -> Dialect | None:
    """The dialect of a build, bound to its help; None where it is no llama-server we know."""
    help_ = parse_help(help_text)
    table = next((table for table in TABLES if table.recognises(help_)), None)
    return bind(table, help_) if table else None


def recorded(capabilities: Capabilities) -> Dialect:
    """The dialect that probing found, from what was stored of it.

    An engine without a command line (embedded, replay) is written in mainline's present
    spelling, for commands that people will run with a llama-server.
    """
    table = next((table for table in TABLES if table.name == capabilities.dialect), None)
    flags = dict(capabilities.flags) if table else _present_mainline()
    table = table or MAINLINE
    # Ours come first, so that a build's own name of the same kind is the one kept.
    kinds = {our_kind(name): name for name in capabilities.spec_types}
    if "spec" not in flags:
        kinds["none"] = IMPLIED
    if table.implies_simple and "draft" not in capabilities.spec_types:
        kinds["draft-simple"] = IMPLIED
    return Dialect(
        table=table,
        flags=flags,
        kinds=kinds,
        kv_types=capabilities.kv_types,
        draft_kv_types=capabilities.draft_kv_types,
    )


def _present_mainline() -> dict[str, str]:
    spellings = {**VALUED, **FIXED}
    return {
        setting: names[0]
        for setting, names in spellings.items()
        if not setting.startswith("controller_")  # forks only
    }
