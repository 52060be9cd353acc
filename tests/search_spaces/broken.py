"""Strategies for broken spaces: texts, mutations of the demo space, data and expressions."""

from __future__ import annotations

import copy
import io
import json
from typing import Any

from hypothesis import strategies as st
from ruamel.yaml import YAML

from search_spaces.grammar import RIG_FACTS
from search_spaces.load import find
from search_spaces.metrics import METRICS
from search_spaces.parameters import PARAMETERS
from search_spaces.source import parse
from search_spaces.space import Space

DEMO = find("kv_dflash").read_text(encoding="utf-8")
DEMO_DATA = parse(DEMO, "").data

_KEYS = [*(f.alias or n for n, f in Space.model_fields.items()), *PARAMETERS, *METRICS]
_KEYS += [
    "values",
    "min",
    "max",
    "step",
    "when",
    "fix",
    "per",
    "kind",
    "path",
    "trials",
    "int",
    "<<",
]
_TOKENS = [
    *("null", "~", "true", "off", "[]", "{}", "''", ".nan", "-.inf", "1e400", "0", "-1", "1.5"),
    *("0x" + "f" * 30, "9" * 5000, "2024-99-99", "!!binary x", "!!set {a}", "!!int x", "&a", "*a"),
    *("<<: *a", "- ", "? ", "|", ">", "%", "@", "`", "\t", "\0", "\ufeff", "\u2028", '"\\ud800"'),
    *(
        "---",
        "...",
        "#",
        ": ",
        ", ",
        "\n",
        "\n  ",
        "f16//f16",
        "a/b/c",
        "none",
        "²",
        "٣",
        "x" * 300,
    ),
    *("{min: 1, max: 999999}", "{min: 0, max: 1, step: 1e-9}", "{values: [1], min: 1}", "'"),
    *("spec != 'none'", "n_max > 4", "kv_k", "model.__class__", "2 ** 9", "1 / 0", "not"),
]

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([0, 1, 2, 64, 4096, 10**15, 10**400, -(10**20), 1_000_001]),
    st.floats(),
    st.sampled_from(_KEYS),
    st.sampled_from(["none", "draft-dflash", "ngram-mod", "f16/f16", "q8_0/q5_1", "embedded"]),
    st.sampled_from(_TOKENS),
    st.text(max_size=8),
)
keys = st.one_of(st.sampled_from(_KEYS), st.text(max_size=5))
data = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def _names() -> st.SearchStrategy[str]:
    rig = [f"rig.{fact}" for fact in RIG_FACTS]
    return st.sampled_from([*PARAMETERS, *METRICS, *rig, "rig", "nowhere", "None", "True"])


def _joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    words = ["==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or", "+", "-", "*", "/"]
    words += ["//", "%", "**", "is", "if", ",", ".", "[", "(", "|", "<<", ":=", "@", ";", "="]
    return st.one_of(
        st.tuples(inner, st.sampled_from(words), inner).map(" ".join),
        st.sampled_from(["not ", "-", "+", "~", "lambda: ", "await "]).flatmap(
            lambda sign: inner.map(lambda text: sign + text)
        ),
        inner.map(lambda text: f"({text})"),
        st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]"),
        inner.map(lambda text: f"f'{{{text}}}'"),
        inner.map(lambda text: f"{text}.__class__"),
    )


_atoms = st.one_of(
    _names(),
    st.integers().map(str),
    st.floats().map(str),
    st.sampled_from(["''", "'f16'", "'none'", "b'x'", "1j", "...", "()", "0", "0.0", "1e999", "4"]),
)
expressions = st.one_of(st.recursive(_atoms, _joined, max_leaves=8), st.text(max_size=20))


@st.composite
def mutated_texts(draw: st.DrawFn) -> str:
    """The demo space after one to four edits of lines, characters or words."""
    text = DEMO
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        lines = text.splitlines(keepends=True)
        line = draw(st.integers(0, max(len(lines) - 1, 0)))
        match draw(st.sampled_from(["token", "cut", "char", "drop", "twice", "move", "indent"])):
            case "token":
                text = text[:at] + draw(st.sampled_from(_TOKENS)) + text[at:]
            case "cut":
                text = text[:at] + text[at + draw(st.integers(1, 12)) :]
            case "char":
                text = text[:at] + draw(st.characters()) + text[at + 1 :]
            case "drop":
                text = "".join(lines[:line] + lines[line + 1 :])
            case "twice":
                text = "".join(lines[: line + 1] + lines[line:])
            case "move":
                text = "".join(lines[line:] + lines[:line])
            case _:
                indent = " " * draw(st.integers(0, 4))
                text = "".join(lines[:line]) + indent + "".join(lines[line:])
    return text


_ENDS = [0, 1, 2, 64, 100, 999_999, 10**14, -1, 0.1, 1.0, 1e-9, 1e-300, 1e14, True, "1"]
_RIGHT: dict[type, list[object]] = {int: [64, 128, 512], float: [0, 0.5, 1.0], str: ["f16", "4"]}
_WRONG: list[object] = [0, -1, 0.25, 9.0, "", "\x01", "f16", True, None]
_VALUES: dict[str, list[object]] = {
    "spec": ["none", "ngram-mod", "draft-dflash", "none,draft-simple"],
    "engine": ["embedded", "fast"],
    "kv": ["f16/f16", "q8_0/q5_1", "f16//f16", "a/b/"],
    "draft_kv": ["f16/f16", "q8_0/q5_1", "f16/f16/"],
}
rules = st.one_of(
    st.tuples(
        _names(), st.sampled_from([">", "<=", "!=", "=="]), st.sampled_from(["2", "'f16'", "None"])
    ).map(" ".join),
    st.sampled_from(["", "not n_max", "spec != 'none'", "kv_k == kv_v", "1 / (ctx - 64) > 0"]),
    expressions,
)


def _values(name: str) -> st.SearchStrategy[object]:
    """Mostly of the right type."""
    right = _VALUES.get(name, _RIGHT[PARAMETERS[name].kind])
    return st.integers(0, 30).flatmap(lambda n: st.sampled_from(right if n else _WRONG))


def _axes(name: str) -> st.SearchStrategy[object]:
    """A list, a list with a condition, a range with odd ends, or one with right ones."""
    listed = st.lists(_values(name), min_size=1, max_size=3, unique_by=repr)
    conditional = st.fixed_dictionaries({"values": listed}, optional={"when": rules})
    if PARAMETERS[name].kind is str:
        return listed | conditional
    ends = st.sampled_from(_ENDS)
    return st.one_of(
        listed,
        conditional,
        st.fixed_dictionaries({"min": ends, "max": ends}, optional={"step": ends}),
        st.fixed_dictionaries(
            {"min": st.just(64), "max": st.integers(64, 10**6)}, optional={"when": rules}
        ),
    )


@st.composite
def plausible_data(draw: st.DrawFn) -> str:
    """Spaces whose parts mostly have the right form: what is wrong with them lies deeper."""

    def some(most: int) -> list[str]:
        return draw(st.lists(st.sampled_from(list(PARAMETERS)), max_size=most, unique=True))

    fixed, axes = ["drafter", *some(2)], some(4)
    if "model" not in axes:
        fixed.append("model")
    space = {
        "name": "x",
        "objectives": draw(
            st.sampled_from([["tok_s"], ["tok_s", "ppl", "ctx"], {"ppl": "minimize"}])
        ),
        "engines": {"embedded": {"kind": "embedded"}, "fast": {"path": "p"}},
        "fixed": {name: draw(_values(name)) for name in fixed if name not in axes},
        "parameters": {name: draw(_axes(name)) for name in axes},
        "forbid": draw(st.lists(rules, max_size=2)),
        "constraints": draw(st.lists(rules, max_size=2)),
        "baseline": {"fix": {name: draw(_values(name)) for name in some(2)}, "per": some(2)},
    }
    return as_json({name: value for name, value in space.items() if value})


@st.composite
def mutated_data(draw: st.DrawFn) -> str:
    """The demo space with one to three of its parts replaced, as a YAML text."""
    root: Any = {"space": copy.deepcopy(DEMO_DATA)}
    for _ in range(draw(st.integers(1, 3))):
        part, key = root, "space"
        while draw(st.integers(0, 9)) and isinstance(part[key], (dict, list)) and part[key]:
            part = part[key]
            places = sorted(part) if isinstance(part, dict) else list(range(len(part)))
            key = draw(st.sampled_from(places))
        if isinstance(part[key], dict) and draw(st.booleans()):
            part[key][draw(keys)] = draw(data)
        else:
            part[key] = draw(data)
    style = draw(st.sampled_from(["flow", "block"]))
    return as_json(root["space"]) if style == "flow" else as_yaml(root["space"])


def as_json(value: Any) -> str:
    """Flow style; with NaN and Infinity as Python writes them."""
    return json.dumps(value, ensure_ascii=False)


def as_yaml(value: Any) -> str:
    """Block style, as ruamel writes it."""
    stream = io.StringIO()
    YAML(typ="safe", pure=True).dump(value, stream)
    return stream.getvalue()
