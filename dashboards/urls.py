"""What a page shows, as a URL and back: whoever opens it sees the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

VIEWS = ("overview", "front", "axes", "failures", "compare", "candidate")
_LONGEST = 200  # characters of one value: names are shorter, and pages repeat what they are given
_MOST = 64  # values of one filter


@dataclass(frozen=True, slots=True)
class State:
    """One page. Empty means "the usual": the latest sweep, every rig, the space's objectives.

    `sweep` holds keys of sweeps; `rig` to `ctx` are filters; `x`, `y`, `z` metrics on the axes;
    `log` those of the axes that are logarithmic; `show` what else is drawn (failed, over); `tint`
    and `mark` the settings that colours and symbols tell apart; `trial` a candidate's trial id,
    `form` its export; `group` the front that the axes are of;
    `a`, `b` and `metric` the two sides of a comparison and what is compared.
    """

    view: str = "overview"
    sweep: tuple[str, ...] = ()
    rig: tuple[str, ...] = ()
    engine: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    ctx: tuple[str, ...] = ()
    x: str = ""
    y: str = ""
    z: str = ""
    log: tuple[str, ...] = ()
    show: tuple[str, ...] = ()
    tint: str = ""
    mark: str = ""
    trial: str = ""
    form: str = ""
    group: str = ""
    a: str = ""
    b: str = ""
    metric: str = ""

    @property
    def path(self) -> str:
        """The path of the view."""
        return "/" if self.view == "overview" else f"/{self.view}"

    @property
    def search(self) -> str:
        """The query string with its question mark; empty when everything is as usual."""
        pairs = [(name, value) for name in _TEXTS for value in _values(getattr(self, name))]
        return f"?{urlencode(pairs, quote_via=quote)}" if pairs else ""

    @property
    def url(self) -> str:
        """Path and query string."""
        return self.path + self.search

    def to(self, view: str, **changes: Any) -> State:
        """Another view of the same sweeps: filters stay, what belongs to a view is dropped."""
        kept = {name: getattr(self, name) for name in ("sweep", *FILTERS)}
        return replace(State(view), **{**kept, **changes})

    def having(self, name: str, value: object) -> State:
        """The same page with one control set; None and an empty choice mean the usual."""
        chosen = [value] if isinstance(value, str) else _listed(value)
        return replace(self, **{name: _typed(name, chosen)})


FILTERS = ("rig", "engine", "model", "prompts", "ctx")
_TEXTS = tuple(field.name for field in fields(State) if field.name != "view")
_LISTS = frozenset(name for name in _TEXTS if isinstance(getattr(State(), name), tuple))


def read(path: str | None, search: str | None) -> State:
    """The page of a URL. Whatever is unknown or too long is left out, never an error."""
    view = (path or "/").strip("/") or "overview"
    found: dict[str, list[str]] = {}
    try:
        pairs = parse_qsl((search or "").removeprefix("?"), max_num_fields=1000)
    except ValueError:
        pairs = []
    for name, value in pairs:
        if name in _TEXTS and 0 < len(value) <= _LONGEST:
            found.setdefault(name, []).append(value)
    made: dict[str, Any] = {name: _typed(name, values) for name, values in found.items()}
    return State(view if view in VIEWS else "overview", **made)


def _typed(name: str, values: list[str]) -> Any:
    """Many values or one, as the state has them."""
    unique = tuple(dict.fromkeys(values))[:_MOST]
    return unique if name in _LISTS else (unique[0] if unique else "")


def _values(value: str | tuple[str, ...]) -> Iterable[str]:
    return value if isinstance(value, tuple) else ([value] if value else [])


def _listed(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list | tuple) else []
