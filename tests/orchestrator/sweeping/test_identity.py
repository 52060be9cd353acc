"""What makes two sweeps one."""

from __future__ import annotations

from pathlib import Path

from orchestrator.sweeping.session import sweep_key
from search_spaces.space import Space
from tests.orchestrator.sweeping.laboratory import Bench
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_rig


def test_the_key_of_a_sweep_names_its_space_and_rigs_but_not_its_budget() -> None:
    def key(space: Space, *rigs: str) -> str:
        made = [make_rig(name) for name in rigs or ("a",)]
        return sweep_key(Bench.make(Path("unused.db"), space, made).plan)

    assert key(make_space(trials=3)) == key(make_space(trials=30))
    assert key(make_space()) != key(make_space(constraints="['ctx <= 1']"))
    assert key(make_space(), "a") != key(make_space(), "a", "b")
    assert key(make_space(), "a", "b") == key(make_space(), "b", "a")
