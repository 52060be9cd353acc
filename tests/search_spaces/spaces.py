"""Spaces for tests: a minimal valid one, and what the loader says about a broken one."""

from __future__ import annotations

import pytest

from search_spaces.candidate import Candidate
from search_spaces.errors import SpaceError
from search_spaces.load import loads
from search_spaces.space import Space
from search_spaces.walk import candidates

HEAD = "name: tiny\nobjectives: [tok_s]\n"


def space(body: str = "", *, fixed: str = "model: m") -> Space:
    """A valid space: one model and one objective, and `body`."""
    return loads(f"{HEAD}fixed: {{{fixed}}}\n{body}")


def axes(parameters: str, *, fixed: str = "model: m") -> Space:
    """A space with these `parameters:` in YAML's flow style."""
    return space(f"parameters: {{{parameters}}}", fixed=fixed)


def walked(given: Space) -> list[Candidate]:
    """The candidates that no rule forbids, in order."""
    return [candidate for candidate, rule in candidates(given) if rule is None]


def problem(text: str) -> SpaceError:
    """The error of a whole file's text."""
    with pytest.raises(SpaceError) as caught:
        loads(text, file="my.yaml")
    return caught.value


def problem_in(body: str, *, fixed: str = "model: m") -> SpaceError:
    """The error of an otherwise valid space."""
    return problem(f"{HEAD}fixed: {{{fixed}}}\n{body}")


def problem_of(parameters: str, *, fixed: str = "model: m") -> SpaceError:
    """The error of an otherwise valid space with these `parameters:`."""
    return problem_in(f"parameters: {{{parameters}}}", fixed=fixed)
