"""How one build spells a launch: a fork's table, bound to what the build's help lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from workers.dialects.help_text import Help
from workers.dialects.spellings import FIXED, VALUED, our_kind

IMPLIED = ""  # a kind of speculation that starts by naming a drafter, without a name of its own


@dataclass(frozen=True)
class Table:
    """What is true of every build of a fork's generation.

    `kinds_in` reads the build's own names of its kinds of speculation; `joined` says that a
    kind and its lengths are one text (`dflash:n_max=4`); `kv_types` is used where the help
    does not list them; `redirects` are KV types that the build takes and silently replaces.
    `draft_ctx` is how many tokens a DFlash drafter keeps where it does not follow the target's.
    """

    name: str
    recognises: Callable[[Help], bool]
    kinds_in: Callable[[Help], tuple[str, ...]]
    combines: bool = False
    joined: bool = False
    implies_simple: bool = False
    per_request_n_max: bool = False
    kv_types: tuple[str, ...] = ()
    redirects: tuple[str, ...] = ()
    draft_ctx: int | None = None


@dataclass(frozen=True)
class Dialect:
    """A table and one build's spellings: setting -> flag, or flag and value.

    `kinds` maps our names of kinds of speculation to the build's. Empty KV types: not told.
    """

    table: Table
    flags: Mapping[str, str]
    kinds: Mapping[str, str]
    kv_types: tuple[str, ...] = ()
    draft_kv_types: tuple[str, ...] = ()
    known: frozenset[str] = field(default_factory=frozenset)  # every flag the help lists

    @property
    def name(self) -> str:
        """The table's name."""
        return self.table.name

    @property
    def spec_types(self) -> tuple[str, ...]:
        """Kinds of speculation by our names, and by the build's where those differ."""
        own = (name for name in self.kinds.values() if name != IMPLIED)
        return tuple(dict.fromkeys([*self.kinds, *own]))


def bind(table: Table, help_: Help) -> Dialect:
    """The dialect of a build whose help was recognised by a table."""
    flags = {
        setting: known
        for setting, names in VALUED.items()
        if (known := next((name for name in names if name in help_), None))
    }
    flags |= {
        setting: known
        for setting, spellings in FIXED.items()
        if (known := next((text for text in spellings if help_.supports(text)), None))
    }
    if not _has_trace_level(help_):
        flags.pop("verbosity", None)
    kinds = {our_kind(name): name for name in table.kinds_in(help_)}
    if table.implies_simple and "drafter" in flags:
        kinds.setdefault("draft-simple", IMPLIED)
    return Dialect(
        table=table,
        flags=flags,
        kinds={"none": kinds.pop("none", IMPLIED), **kinds},
        kv_types=_choices(help_, "-ctk", "--cache-type-k") or table.kv_types,
        draft_kv_types=_choices(help_, "-ctkd", "--cache-type-k-draft") or table.kv_types,
        known=frozenset(help_.options),
    )


def _has_trace_level(help_: Help) -> bool:
    """Whether levels are today's; before, 4 meant debugging, with lines for every token."""
    option = help_.option("-lv")
    return option is not None and "4: trace" in option.text


def _choices(help_: Help, *names: str) -> tuple[str, ...]:
    option = help_.option(*names)
    return option.choices if option else ()
