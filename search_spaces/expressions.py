"""Conditions and constraints: small expressions, parsed once into functions, without `eval`.

The language: names, numbers, texts, None and lists; comparisons and `in`; `and`, `or`, `not`;
`+ - * / // %` on numbers. Nothing else parses: no calls, attributes, indexes, powers or formats.
Conditions see parameters; constraints see metrics, parameters and facts of the rig
(`rig.vram_mib`).

What has no value - an absent parameter, a metric that a trial lacks, a division by zero - is
None. Arithmetic with None gives None, and a comparison with it is False: `n_max > 4` is no fault
where nothing is drafted, and a limit on a metric that is missing does not hold. Only a written
`== None` or `!= None` asks for it.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from search_spaces.errors import SpaceError
from search_spaces.grammar import Names, Part, compile_part

MAX_LENGTH = 1000
_FAULTS = (TypeError, ValueError, ArithmeticError)


@dataclass(frozen=True)
class Expression:
    """A parsed expression. `names` are the names it reads."""

    text: str
    names: frozenset[str]
    _root: ast.expr = field(repr=False, compare=False)
    _value: Part = field(repr=False, compare=False)

    @classmethod
    def parse(cls, text: str) -> Expression:
        """Raises SpaceError with the reason when `text` is no expression."""
        if len(text) > MAX_LENGTH:
            raise SpaceError(f"the expression is longer than {MAX_LENGTH:,} characters.")
        try:
            root = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise SpaceError(
                f"{text!r} is not an expression ({getattr(error, 'msg', error)}).",
                hint="Write for example: spec != 'none' and n_max <= 4.",
            ) from None
        value = compile_part(root, text, 0)
        read = frozenset(node.id for node in ast.walk(root) if isinstance(node, ast.Name))
        return cls(text.strip(), read, root, value)

    def __reduce__(self) -> tuple[Callable[[str], Expression], tuple[str]]:
        return Expression.parse, (self.text,)

    def value(self, names: Names) -> Any:
        """The value with these names; raises SpaceError when a text meets a number."""
        return self._run(self._value, names)

    def true(self, names: Names) -> bool:
        """Whether it holds with these names."""
        return bool(self.value(names))

    def probe(self, names: Names) -> None:
        """Evaluates every part, also those that `and` and `or` would skip; raises SpaceError."""
        for node in ast.walk(self._root):
            if isinstance(node, (ast.Compare, ast.BinOp, ast.UnaryOp)):
                self._run(compile_part(node, self.text, 0), names)

    def violation(self, names: Names) -> float:
        """How far a constraint is from holding: <= 0 holds, > 0 does not; always finite.

        For `a <= b` this is a - b, which tells a sampler how near it is; anything but a single
        comparison of finite numbers gives 0 or 1.
        """
        root = self._root
        if isinstance(root, ast.Compare) and len(root.ops) == 1:
            left = self._run(compile_part(root.left, self.text, 0), names)
            right = self._run(compile_part(root.comparators[0], self.text, 0), names)
            gap = _gap(root.ops[0], left, right)
            if gap is not None:
                return gap
        return 0.0 if self.true(names) else 1.0

    def _run(self, part: Part, names: Names) -> Any:
        try:
            return part(names)
        except _FAULTS as error:
            raise SpaceError(f"{self.text!r} cannot be evaluated: {error}.") from None


def _gap(op: ast.cmpop, left: Any, right: Any) -> float | None:
    """Signed distance to the boundary of `left op right`; a strict bound is open at zero."""
    if not (isinstance(left, (int, float)) and isinstance(right, (int, float))):
        return None
    try:
        below = float(left) - float(right)
    except OverflowError:
        return None
    if not math.isfinite(below):
        return None
    tiny = 1e-12
    match op:
        case ast.LtE():
            return below
        case ast.Lt():
            return below if left < right else max(below, tiny)
        case ast.GtE():
            return -below
        case ast.Gt():
            return -below if left > right else max(-below, tiny)
    return None
