"""The benchmark of plans: every builtin space is in it, and its figures hold."""

from __future__ import annotations

from benchmarks.plan_figures import figures
from benchmarks.plan_spaces import HARD, SPACES, USUAL
from search_spaces.builtin import builtin_names, profile_names
from search_spaces.load import loads
from search_spaces.walk import assignments


def test_every_builtin_space_but_the_demo_is_planned() -> None:
    assert set(SPACES) == set(builtin_names()) - {"kv_dflash"}
    assert set(SPACES.values()) == set(profile_names())


def test_the_timed_spaces_have_a_hundred_thousand_combinations() -> None:
    for text in (USUAL, HARD):
        assert sum(1 for _ in assignments(loads(text))) > 100_000


def test_a_public_log_of_a_whole_launch_is_predicted_from_shapes_alone() -> None:
    """A 27B in Q8_0 with its next-token layer, 256k of context, a draft of 6."""
    case = {
        "id": "qwythos-q8-262k",
        "n_ctx": 262_144,
        "n_seq": 1,
        "type_k": "f16",
        "spec": "draft-mtp",
        "n_max": 6,
        "model_mib": 26_402.7,
        "cpu_mapped_mib": 1_288.28,
        "kv_mib": 16_384.0,
        "rs_mib": 1_047.38,
        "draft_kv_mib": 1_024.0,
    }
    rows = list(figures([case]))[2:]
    assert len(rows) == 5
    assert all(row.endswith("| exact | yes |") for row in rows)
