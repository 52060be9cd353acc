"""What the small expressions of a space may say, and what each part of one means."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from search_spaces.errors import SpaceError

Names = Mapping[str, Any]
Part = Callable[[Names], Any]

MAX_DEPTH = 50
# What a constraint may ask of the rig, with a sample of each.
RIG_FACTS: dict[str, str | int] = {
    "name": "laptop",
    "kind": "cuda",
    "vram_mib": 8_192,
    "memory_mib": 32_768,
}
_LANGUAGE = (
    "Expressions have names, numbers, texts, lists, comparisons, in, and, or, not, + - * / %."
)

_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARISON: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, among: item in among,
    ast.NotIn: lambda item, among: item not in among,
}
_SIGN: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}


def compile_part(node: ast.expr, text: str, depth: int) -> Part:
    """The function that a node means. What it has no case for is not part of the language."""
    if depth > MAX_DEPTH:
        raise SpaceError(f"{text[:40]!r}... is nested more than {MAX_DEPTH} levels deep.")

    def inner(child: ast.expr) -> Part:
        return compile_part(child, text, depth + 1)

    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None as constant):
            return lambda names: constant
        case ast.Attribute(value=ast.Name(id="rig"), attr=fact) if fact in RIG_FACTS:
            return lambda names: getattr(names.get("rig"), fact, None)
        case ast.Name(id=name) if name != "rig":
            return lambda names: names.get(name)
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            parts = [inner(item) for item in items]
            return lambda names: tuple(part(names) for part in parts)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            part = inner(operand)
            return lambda names: not part(names)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _SIGN:
            part, sign = inner(operand), _SIGN[type(op)]
            return lambda names: _arithmetic(lambda number, _: sign(number), part(names), 0)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            first, second, apply = inner(left), inner(right), _ARITHMETIC[type(op)]
            return lambda names: _arithmetic(apply, first(names), second(names))
        case ast.BoolOp(op=op, values=values):
            parts, stop = [inner(value) for value in values], isinstance(op, ast.Or)
            return lambda names: _first(parts, stop, names)
        case ast.Compare(left=left, ops=ops, comparators=rights) if all(
            type(op) in _COMPARISON for op in ops
        ):
            terms = [left, *rights]
            parts = [inner(term) for term in terms]
            written_none = [isinstance(t, ast.Constant) and t.value is None for t in terms]
            tests = [_COMPARISON[type(op)] for op in ops]
            return lambda names: _compare(parts, tests, written_none, names)
    what = ast.get_source_segment(text.strip(), node) or type(node).__name__
    if what.split(".")[0] == "rig":
        facts = ", ".join(f"rig.{fact}" for fact in RIG_FACTS)
        raise SpaceError(f"{what!r} in {text!r} is no fact of a rig.", hint=f"There are: {facts}.")
    raise SpaceError(f"{what!r} in {text!r} is not part of the language.", hint=_LANGUAGE)


def _first(parts: list[Part], stop: bool, names: Names) -> Any:
    """Python's `or` (stop at the first that is true) and `and` (at the first that is not)."""
    value: Any = not stop
    for part in parts:
        value = part(names)
        if bool(value) is stop:
            break
    return value


def _arithmetic(apply: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    if left is None or right is None:
        return None
    if not (isinstance(left, (int, float)) and isinstance(right, (int, float))):
        raise TypeError("arithmetic needs numbers")
    try:
        return apply(left, right)
    except ZeroDivisionError:
        return None


def _compare(
    parts: list[Part],
    tests: list[Callable[[Any, Any], Any]],
    written_none: list[bool],
    names: Names,
) -> bool:
    """A chain of comparisons, evaluated from the left until one does not hold."""
    left = parts[0](names)
    for index, test in enumerate(tests):
        right = parts[index + 1](names)
        if (left is None or right is None) and not any(written_none[index : index + 2]):
            return False
        for text, number in ((left, right), (right, left)):
            if isinstance(text, str) and isinstance(number, (int, float)):
                raise TypeError(f"it compares the text {text!r} with the number {number!r}")
        if not test(left, right):
            return False
        left = right
    return True
