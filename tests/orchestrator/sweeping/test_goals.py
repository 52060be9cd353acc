"""From estimates to what is told."""

from __future__ import annotations

import math

import pytest

from orchestrator.sweeping.goals import group_of, loss_metric, point_of, verdict
from search_spaces.candidate import Candidate
from search_spaces.space import Space
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_rig
from workers.contract.outcome import Estimate

RIG = make_rig(memory_mib=8_192)
CANDIDATE = Candidate(model="small", kv_k="q8_0", kv_v="q8_0", ctx=2048)


def estimates(**values: float) -> dict[str, Estimate]:
    """One estimate for each metric, 2 % wide."""
    return {n: Estimate(n, v, 0.99 * v, 1.01 * v) for n, v in values.items()}


def told(space: Space, **values: float):  # type: ignore[no-untyped-def]
    """The verdict on the candidate."""
    return verdict(space, RIG, CANDIDATE, estimates(**values))


def test_values_come_in_the_order_of_the_objectives() -> None:
    space = make_space(objectives="{ppl: minimize, ctx: maximize, tok_s: maximize}")
    assert told(space, tok_s=60.0, ppl=9.0).values == (9.0, 2048.0, 60.0)


@pytest.mark.parametrize(
    ("limit", "violation"),
    [
        ("ppl <= 10", -1.0),
        ("ppl <= 8", 1.0),
        ("tok_s >= 100", 40.0),
        ("mem_peak_mib <= rig.vram_mib - 192", 1_000.0),
        ("kv_k == 'q8_0'", 0.0),
        ("kv == 'f16/f16'", 1.0),
        ("rig.kind == 'cpu'", 1.0),
        ("rig.name == 'rtx'", 0.0),
        ("kld_mean <= 1", 1.0),
        ("not kld_mean > 1", 1.0),
    ],
)
def test_a_limit_says_how_far_it_is_from_holding(limit: str, violation: float) -> None:
    space = make_space(constraints=f'["{limit}"]')
    made = told(space, tok_s=60.0, ppl=9.0, mem_peak_mib=9_000.0)
    assert made.violations[limit] == pytest.approx(violation)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_no_number_that_a_study_would_choke_on_is_told(value: float) -> None:
    space = make_space(constraints="['ppl <= 8']")
    made = told(space, tok_s=60.0, ppl=value)
    assert made.values == (60.0, 1e6)
    assert made.violations == {"ppl is measured": 1.0, "ppl <= 8": 1.0}
    assert made.why == "ppl: not measured for this candidate"


@pytest.mark.parametrize(
    ("objectives", "loss"),
    [
        ("{tok_s: maximize, ppl: minimize}", "ppl"),
        ("{ppl: minimize, tok_s: maximize}", "ppl"),
        ("{speedup: maximize, ppl_delta_pct: minimize}", "ppl"),
        ("{tok_s: maximize, kld_mean: minimize}", "kld_mean"),
        ("{tok_s: maximize}", None),
        ("{ppl: minimize}", None),
        ("{tok_s: minimize, ppl: minimize}", None),
        ("{tok_s: maximize, ppl: maximize}", None),
        ("{tok_s: maximize, mem_peak_mib: minimize}", None),
        ("{tok_s: maximize, ctx: maximize}", None),
        ("{tok_s: maximize, ppl: minimize, mem_peak_mib: minimize}", None),
        ("{tok_s: maximize, speedup: maximize, ppl: minimize}", None),
    ],
)
def test_only_speed_and_one_loss_make_points_to_beat(objectives: str, loss: str | None) -> None:
    space = make_space(objectives=objectives)
    assert loss_metric(space) == loss
    measured = estimates(tok_s=60.0, ppl=9.0, kld_mean=0.1, mem_peak_mib=1.0, speedup=1.0)
    assert (point_of(space, measured) is None) is (loss is None)


def test_a_point_is_the_low_end_of_a_speed() -> None:
    point = point_of(make_space(), estimates(tok_s=60.0, ppl=9.0))
    assert point is not None
    assert (point.tok_s, point.loss) == (pytest.approx(59.4), 9.0)
    bare = point_of(make_space(), {"tok_s": Estimate("tok_s", 60.0), "ppl": Estimate("ppl", 9.0)})
    assert bare is not None
    assert bare.tok_s == 60.0


def test_a_limit_lets_nothing_stop_early() -> None:
    assert loss_metric(make_space(constraints="['ctx <= 9']")) is None


def test_candidates_compete_within_a_context_and_where_it_matters_a_baseline() -> None:
    absolute = make_space("model: [small, big]", fixed="spec: none")
    relative = make_space(
        "model: [small, big]",
        fixed="spec: none",
        objectives="{speedup: maximize, ppl_delta_pct: minimize}",
    )
    small, big = Candidate(model="small"), Candidate(model="big")
    longer = Candidate(model="small", ctx=8192)
    assert group_of(absolute, small) == group_of(absolute, big) != group_of(absolute, longer)
    assert group_of(relative, small) != group_of(relative, big)
