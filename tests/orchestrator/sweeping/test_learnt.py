"""A rig begins with what was best on others, within a bound, and measures it itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from db.database import open_database
from db.states import TrialRole
from orchestrator.sweeping.learnt import SHARE, fronts_of, most_frequent
from search_spaces.candidate import Candidate
from tests.orchestrator.sweeping.invariants import assert_finished
from tests.orchestrator.sweeping.laboratory import Bench
from tests.orchestrator.sweeping.spaces import large_space
from tests.support.hosts import make_host, make_rig
from tests.support.scripted_pool import ScriptedPool
from tests.support.surfaces import failing

OLD, NEW = make_rig("old", card="RTX 3090"), make_rig("new", card="RTX 5090")
TRIALS = 16


def swept(database: Path) -> tuple[Bench, set[Candidate]]:
    """A sweep on the old rig, and its front."""
    bench = Bench.make(database, large_space(trials=TRIALS), [OLD])
    bench.run(ScriptedPool(bench.host))
    with open_database(str(database), read_only=True) as opened:
        (found,) = fronts_of(opened, bench.space).values()
    return bench, set(found)


def on_new(bench: Bench) -> Bench:
    """The same space on another rig."""
    return replace(bench, host=make_host(bench.space, [NEW]))


def searched(bench: Bench) -> list[Candidate]:
    """What was asked for after the baselines, in order."""
    return [t.candidate for t in bench.left().trials if t.role is TrialRole.SEARCH]


def test_a_new_rig_begins_with_the_front_of_another(database: Path) -> None:
    old, front = swept(database)
    bench = on_new(old)
    heard = bench.run(ScriptedPool(bench.host))
    assert_finished(bench)
    few = min(TRIALS // SHARE, len([c for c in front if c.drafts]))
    assert few > 0
    assert set(searched(bench)[:few]) <= front
    assert any(note.startswith("new: begins with ") and "old" in note for note in heard.notes)


def test_at_most_a_quarter_of_the_budget_is_theirs(database: Path) -> None:
    old, _ = swept(database)
    bench = on_new(replace(old, space=large_space(trials=4)))
    heard = bench.run(ScriptedPool(bench.host))
    assert [note for note in heard.notes if "begins with" in note] == [
        "new: begins with 1 candidate that was best on old."
    ]


def test_what_does_not_fit_is_left_out(database: Path) -> None:
    old, front = swept(database)
    assert any(candidate.model == "small" for candidate in front)
    bench = replace(old, host=make_host(old.space, [NEW], missing=["small"]))
    bench.run(ScriptedPool(bench.host))
    assert not [c for c in searched(bench) if c.model == "small"]


def test_another_space_teaches_nothing(database: Path) -> None:
    old, _ = swept(database)
    bench = on_new(replace(old, space=large_space(trials=TRIALS, name="other")))
    heard = bench.run(ScriptedPool(bench.host))
    assert not [note for note in heard.notes if "begins with" in note]


def test_a_sweep_that_is_well_under_way_asks_nobody(database: Path) -> None:
    swept(database)
    bench = on_new(Bench.make(database, large_space(trials=TRIALS), [OLD]))
    bench.run(ScriptedPool(bench.host))
    heard = bench.run(ScriptedPool(bench.host))
    assert not [note for note in heard.notes if "begins with" in note]


def test_where_everything_failed_there_is_nothing_to_learn(database: Path) -> None:
    bench = Bench.make(database, large_space(trials=4), [OLD])
    bench.run(ScriptedPool(bench.host, failing(lambda candidate, rig: True)))
    with open_database(str(database), read_only=True) as opened:
        assert fronts_of(opened, bench.space) == {}


def test_what_is_on_most_fronts_comes_first() -> None:
    one, two, three = (
        Candidate(engine="e", model=name, kv_k="f16", kv_v="f16", ctx=1024) for name in "abc"
    )
    fronts = {(1, "a"): [one, two], (1, "b"): [two], (2, "a"): [three, two, one]}
    assert most_frequent(fronts)[:2] == [two, one]
