"""How often `verify` loses a claim that is true, and confirms a winner that was noise.

python -m benchmarks.verify_rates [--runs 300] [--out benchmarks/results/verify_rates.md]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.random import Generator

from benchmarks.simulated_rigs import Protocol, measure, prompt_times
from db.states import ClaimVerdict
from db.verification_rows import ClaimRow
from orchestrator.analysis.derive import derive
from orchestrator.analysis.records import Measured, Role
from orchestrator.analysis.summary import summarise
from orchestrator.analysis.verification.judge import judge
from search_spaces.candidate import Candidate
from search_spaces.load import loads
from workers.statistics.rate import estimates

SPACE = loads(
    "name: rates\nfixed: {model: m}\nparameters: {batch: {min: 64, max: 160}}\n"
    "objectives: {tok_s: maximize}\nbaseline: {fix: {batch: 64}}\n"
)
SWEEP = 16  # candidates, the baseline among them
FINALISTS = 4


def measured(rng: Generator, gains: Sequence[float], how: Protocol) -> list[Measured]:
    """One record for each gain in speed over the baseline, which is the first."""
    times = prompt_times(np.random.default_rng(7), how.prompts)
    records = []
    for number, gain in enumerate(gains):
        samples = measure(rng, [time / (1 + gain) for time in times], how)
        made = {one.metric: one for one in estimates(samples)}
        candidate = Candidate(model="m", batch=64 + number)
        role = Role.SEARCH if number else Role.BASELINE
        records.append(
            Measured(number + 1, "rig", candidate, role=role, estimates=made, throughput=samples)
        )
    return records


def verified(
    rng: Generator, gains: Sequence[float], how: Protocol, launches: int
) -> tuple[list[Measured], tuple[ClaimRow, ...]]:
    """A sweep, and the claims of its fastest candidates, beside the baseline, judged afresh."""
    first = list(derive(measured(rng, gains, how), SPACE))
    ranked = sorted(first[1:], key=lambda r: -(r.value("tok_s") or 0.0))[:FINALISTS]
    chosen = [first[0], *ranked]
    again = measured(rng, gains, replace(how, launches=launches))
    fresh = [again[record.trial_id - 1] for record in chosen]
    members = {r.trial_id for g in summarise(first, SPACE).groups for r in g.front.members}
    return first, judge(first, fresh, members, SPACE)


def is_true(claim: ClaimRow, gains: Sequence[float]) -> bool:
    """Whether the claim holds in truth; every rate does, since nothing drifts here."""
    gain = gains[claim.trial_id - 1]
    if claim.kind == "faster":
        return 1 + gain >= (claim.claimed or 0.0)
    return claim.kind == "rate" or gain == max(gains)


def true_claims(rng: Generator, gain: float, how: Protocol, launches: int, runs: int) -> str:
    """A row: what became of true claims where four candidates are faster by `gain`."""
    gains = [0.0] * (SWEEP - FINALISTS) + [gain] * FINALISTS
    speed, lost_runs, claims_lost, claims = Counter[ClaimVerdict](), 0, 0, 0
    for _ in range(runs):
        _, found = verified(rng, gains, how, launches)
        held = [claim for claim in found if is_true(claim, gains)]
        lost = [claim for claim in held if claim.verdict is ClaimVerdict.REFUTED]
        claims, claims_lost, lost_runs = (
            claims + len(held),
            claims_lost + len(lost),
            lost_runs + bool(lost),
        )
        speed.update(claim.verdict for claim in held if claim.kind == "faster")
    whole = max(1, speed.total())
    shares = [speed[verdict] / whole for verdict in ClaimVerdict]
    return (
        f"| {gain:.0%} | {launches} | {lost_runs / runs:.1%} | {claims_lost / claims:.2%} | "
        + " | ".join(f"{share:.1%}" for share in shares)
        + " |"
    )


def noise_winners(rng: Generator, how: Protocol, launches: int, sweeps: int) -> str:
    """A row: what became of "faster" where every candidate equals the baseline."""
    gains = [0.0] * SWEEP
    found: Counter[ClaimVerdict] = Counter()
    for _ in range(sweeps):
        _, claims = verified(rng, gains, how, launches)
        found.update(claim.verdict for claim in claims if claim.kind == "faster")
    whole = max(1, found.total())
    shares = " | ".join(f"{found[verdict] / whole:.1%}" for verdict in ClaimVerdict)
    return f"| {launches} | {sweeps} | {found.total()} | {shares} |"


def main() -> None:
    """Runs both and writes the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rng, how = np.random.default_rng(options.seed), Protocol()
    lines = [
        "# What verification loses and confirms",
        "",
        f"`python -m benchmarks.verify_rates --runs {options.runs} --seed {options.seed}`",
        "",
        f"Simulated, nothing measured: {how.prompts} prompts, launches differ by "
        f"{how.launch_sd:.0%}, passes by {how.pass_sd:.0%}. A sweep of {SWEEP} candidates on "
        f"{how.launches} launches each; the {FINALISTS} that came out fastest and the baseline are "
        "verified.",
        "",
        "## True claims",
        f"{options.runs} runs a row; {FINALISTS} candidates are truly faster by `gain`. `runs`: "
        "share of runs that refute any true claim of any kind (wanted: at most 5 %); `claims`: "
        'share of true ones refuted; the rest: what became of true "faster by at least ...".',
        "",
        "| gain | launches | runs | claims | survived | refuted | undecided |",
        "|" + "---:|" * 7,
    ]
    for launches in (4, 8):
        lines += [true_claims(rng, gain, how, launches, options.runs) for gain in (0.03, 0.1, 0.3)]
    lines += [
        "",
        "## Winners that are noise",
        'Every candidate equals the baseline; `claims` of "faster" were made by luck. None is '
        "true, so `survived` are false confirmations.",
        "",
        "| launches | sweeps | claims | survived | refuted | undecided |",
        "|" + "---:|" * 6,
    ]
    lines += [noise_winners(rng, how, launches, 4 * options.runs) for launches in (4, 8)]
    text = "\n".join(lines) + "\n"
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
