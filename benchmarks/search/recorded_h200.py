"""The demo pair on an H200, as recorded in `benchmarks/results/h200_demo.csv`.

Speeds, perplexities, memory and the time that each trial took are that table's; the noise of a
trial is what its interval says. Nothing failed there, so a smaller card is supposed: what needed
more memory than it has is a failure.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from benchmarks.search.surface import Surface, Truth
from search_spaces.candidate import Candidate
from search_spaces.load import loads

TABLE = Path(__file__).parents[1] / "results" / "h200_demo.csv"
CARD_MIB = 1_040.0  # supposed
_FAIL_S, _START_S, _NORMAL_95 = 2.0, 3.0, 1.96
SPACE = loads("""
name: recorded_h200
fixed: {model: m, drafter: draft}
parameters:
  ctx: [2048, 8192]
  kv: [f16/f16, q8_0/q8_0, q8_0/q5_1, q4_0/q4_0]
  spec: [none, draft-dflash, ngram-mod]
  n_max: {values: [2, 3, 4, 5, 7], when: spec == 'draft-dflash'}
objectives: {tok_s: maximize, ppl: minimize, ctx: maximize}
""")


@cache
def _rows() -> dict[tuple[str, ...], dict[str, str]]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return {tuple(row[n] for n in ("ctx", "kv_k", "kv_v", "spec", "n_max")): row for row in rows}


def _row(candidate: Candidate) -> dict[str, str]:
    drafted = str(candidate.n_max) if candidate.needs_drafter else ""
    return _rows()[str(candidate.ctx), candidate.kv_k, candidate.kv_v, candidate.spec, drafted]


def truth(candidate: Candidate) -> Truth:
    """What was measured, taken for the truth."""
    row = _row(candidate)
    if float(row["mem_peak_mib"]) > CARD_MIB:
        return Truth(None, _FAIL_S)
    took_s = float(row["energy_j"]) / float(row["power_w"])
    point = (float(row["tok_s"]), float(row["ppl"]), float(candidate.ctx))
    return Truth(point, _START_S + took_s)


def noise(candidate: Candidate) -> float:
    """From the 95 % interval of the recorded speed."""
    row = _row(candidate)
    width = float(row["tok_s_high"]) - float(row["tok_s_low"])
    return width / 2 / _NORMAL_95 / float(row["tok_s"])


RECORDED_H200 = Surface(
    name="The demo pair on an H200, recorded",
    told=(
        "`benchmarks/results/h200_demo.csv`, with the noise of its intervals; a card of "
        f"{CARD_MIB:.0f} MiB is supposed, which makes some fail."
    ),
    space=SPACE,
    reference=(0.0, 24.0, 0.0),
    truth=truth,
    noise=noise,
    at_trials=(10, 20, 40),
    at_minutes=(1, 2, 4),
)
