"""Records from bare numbers, exact or with intervals."""

from __future__ import annotations

from orchestrator.analysis.records import Measured
from search_spaces.candidate import Candidate
from search_spaces.metrics import METRICS, Direction
from workers.contract.outcome import Estimate

TWO = {"tok_s": Direction.MAXIMIZE, "ppl": Direction.MINIMIZE}
THREE = {**TWO, "mem_peak_mib": Direction.MINIMIZE}


def exact(trial_id: int, candidate: Candidate | None = None, **values: float) -> Measured:
    """Replayed numbers: known exactly."""
    made = {metric: Estimate(metric, value) for metric, value in values.items()}
    return Measured(
        trial_id, "rig", candidate or Candidate(model="m"), estimates=made, simulated=True
    )


def blurred(
    trial_id: int, share: float, candidate: Candidate | None = None, **values: float
) -> Measured:
    """Measured numbers whose 95 % interval is +- `share` of each (memory is exact)."""
    made = {}
    for metric, value in values.items():
        low, high = value * (1 - share), value * (1 + share)
        known = METRICS[metric].facet != "memory"
        made[metric] = Estimate(metric, value, *((low, high) if known else (None, None)))
    return Measured(trial_id, "rig", candidate or Candidate(model="m"), estimates=made)
