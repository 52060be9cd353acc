"""What each setting explains."""

from __future__ import annotations

from orchestrator.analysis.influence import influences
from search_spaces.candidate import Candidate
from tests.orchestrator.analysis.points import exact

RECORDS = [
    exact(
        i,
        Candidate("m", kv_k=kv, kv_v=kv, spec="none" if n is None else "draft-dflash", n_max=n),
        tok_s=100.0 * (2 if n else 1) + i * 0.001,
        ppl=10.0 + (kv == "q4_0"),
    )
    for i, (kv, n) in enumerate((kv, n) for kv in ("f16", "q4_0") for n in (None, 1, 2, 3))
]


def shares(metric: str) -> dict[str, float]:
    return {one.setting: one.share for one in influences(RECORDS, metric)}


def test_what_decides_explains_everything() -> None:
    assert shares("ppl")["kv"] == 1.0
    assert shares("tok_s")["spec"] > 0.999


def test_what_does_nothing_explains_nothing() -> None:
    assert shares("tok_s")["kv"] < 0.05


def test_types_that_vary_as_a_pair_are_one_setting() -> None:
    assert "kv" in shares("ppl")
    assert not {"kv_k", "kv_v"} & shares("ppl").keys()


def test_few_records_explain_nothing() -> None:
    assert influences(RECORDS[:7], "ppl") == ()
