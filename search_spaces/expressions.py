"""Conditions and constraints: small expressions, parsed once, evaluated without `eval`.

The language is simpleeval's: names, numbers, texts, comparisons, `and` / `or` / `not`, `in`,
arithmetic. Conditions see parameters; constraints see metrics, parameters and `rig`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simpleeval import EvalWithCompoundTypes, InvalidExpression

from search_spaces.errors import SpaceError

_FAULTS = (InvalidExpression, TypeError, ValueError, ArithmeticError, KeyError, AttributeError)


@dataclass(frozen=True)
class Expression:
    """A parsed expression. `names` are the top-level names it reads."""

    text: str
    names: frozenset[str]
    _tree: ast.expr = field(repr=False, compare=False)

    @classmethod
    def parse(cls, text: str) -> Expression:
        """Raises SpaceError with the reason when `text` is no expression."""
        if len(text) > 1000:
            raise SpaceError("the expression is longer than 1,000 characters.")
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise SpaceError(
                f"{text!r} is not an expression ({getattr(error, 'msg', error)}).",
                hint="Write for example: spec != 'none' and n_max <= 4.",
            ) from None
        names = frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
        if any(isinstance(node, ast.Call) for node in ast.walk(tree)):
            raise SpaceError(f"{text!r} calls a function; expressions have none.")
        return cls(text.strip(), names - {"True", "False", "None"}, tree)

    def value(self, names: Mapping[str, Any]) -> Any:
        """The value with these names; raises SpaceError when it cannot be computed."""
        return _evaluate(self._tree, self.text, names)

    def true(self, names: Mapping[str, Any]) -> bool:
        """Whether it holds with these names."""
        return bool(self.value(names))

    def violation(self, names: Mapping[str, Any]) -> float:
        """How far a constraint is from holding: <= 0 holds, > 0 does not.

        For `a <= b` this is a - b, which tells a sampler how near it is; anything but a single
        comparison of numbers gives 0 or 1.
        """
        tree = self._tree
        if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
            left = _evaluate(tree.left, self.text, names)
            right = _evaluate(tree.comparators[0], self.text, names)
            if isinstance(left, (int, float)) and isinstance(right, (int, float)):
                gap = _gap(tree.ops[0], float(left), float(right))
                if gap is not None:
                    return gap
        return 0.0 if self.true(names) else 1.0


def _gap(op: ast.cmpop, left: float, right: float) -> float | None:
    """Signed distance to the boundary of `left op right`; a strict bound is open at zero."""
    tiny = 1e-12
    match op:
        case ast.LtE():
            return left - right
        case ast.Lt():
            return left - right if left < right else max(left - right, tiny)
        case ast.GtE():
            return right - left
        case ast.Gt():
            return right - left if left > right else max(right - left, tiny)
    return None


def _evaluate(tree: ast.expr, text: str, names: Mapping[str, Any]) -> Any:
    # simpleeval caches nothing between calls; one evaluator per call keeps names apart.
    evaluator = EvalWithCompoundTypes(names=dict(names), functions={})
    try:
        return evaluator.eval(text, previously_parsed=tree)
    except _FAULTS as error:
        raise SpaceError(f"{text!r} cannot be evaluated: {error}.") from None
    except RecursionError:
        raise SpaceError(f"{text!r} is nested too deeply.") from None
