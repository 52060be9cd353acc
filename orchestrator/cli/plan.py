"""`orchestrate plan`: what would run, what is out and why, about how long. Runs nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from orchestrator.cli.doors import PoolKind
from orchestrator.cli.planning import counted, plan_here, require_feasible, trials_of
from orchestrator.cli.pools import make_pool
from orchestrator.cli.profile_planning import plan_on_profile
from orchestrator.cli.tables import console, show, table
from orchestrator.sweeping.classes import RigClass, classes_of, listed
from orchestrator.sweeping.estimate import estimate_s, spoken
from orchestrator.sweeping.plan import Plan, RigPlan
from orchestrator.sweeping.rules.memory import fits_memory
from search_spaces.load import load

MOST_SHORTAGES = 3  # memory sentences in the table


def run(
    space: str,
    address: str | None,
    rigs: list[str],
    rig_file: Path | None,
    profile: str | None,
    headers: Path | None,
    as_json: bool,
) -> None:
    """Prints the plan; exit code 3 when nothing is feasible."""
    loaded = load(space)
    if profile is not None:
        plan = plan_on_profile(loaded, profile, rigs, rig_file, headers)
    else:
        pool = make_pool(PoolKind.RAY if address else PoolKind.INLINE, address)
        try:
            plan = plan_here(loaded, pool, rigs, console(stderr=True), rig_file)
        finally:
            pool.stop()
    if as_json:
        print(json.dumps(_as_json(plan), indent=2))
    else:
        _show(plan)
    require_feasible(plan)


def _show(plan: Plan) -> None:
    out = console()
    space = plan.space
    goals = ", ".join(f"{name} ({way.value})" for name, way in space.objectives.items())
    title = f"{space.name}: {space.title}" if space.title else space.name
    out.print(title, style="bold", soft_wrap=True)
    out.print(f"Goals: {goals}. Measured: {', '.join(sorted(space.facets))}.", soft_wrap=True)
    for warning in plan.warnings:
        out.print(f"Warning: {warning}", soft_wrap=True)
    for one in classes_of(plan):
        rig, trials = one.plan, trials_of(plan, one.plan)
        seconds = estimate_s(plan, rig) / len(one.rigs)
        way = "all of them" if len(rig.feasible) <= trials else "chosen by TPE"
        out.print(
            f"\n{_named(one)} ({_what(rig)}): {len(rig.feasible):,} of "
            f"{counted(rig.total, 'candidate')} can run; "
            f"{counted(trials, 'trial')}, {way}; about {spoken(seconds)}.",
            soft_wrap=True,
        )
        if rig.truncated:
            out.print(f"Only the first {rig.total:,} candidates were looked at.")
        if rig.out:
            show(out, table("", [">out", "because"], list(_rows(rig))))
        for warning, count in Counter(rig.warnings).most_common():
            out.print(f"Warning, {count} of these candidates: {warning}", soft_wrap=True)


def _rows(rig: RigPlan) -> Iterator[list[str]]:
    """Reasons by frequency; of those of the memory model (each has its own MiB) the first few."""
    shortages = 0
    rest = 0
    for why, count in Counter(rig.out).most_common():
        shortages += why.rule == fits_memory.__name__
        if why.rule == fits_memory.__name__ and shortages > MOST_SHORTAGES:
            rest += count
        else:
            yield [f"{count}", why.reason]
    if rest:
        yield [f"{rest}", "the like, with other sizes (--json lists them)"]


def _named(one: RigClass) -> str:
    if len(one.rigs) == 1:
        return f"Rig {one.name}"
    return f"Rigs {listed(one.names)}, which are equal and share one search"


def _what(rig: RigPlan) -> str:
    cards = " + ".join(card.name for card in rig.rig.cards)
    what = cards or f"{rig.rig.cpu_model}, {rig.rig.threads} threads"
    return f"{what}; simulated" if rig.rig.simulated else what


def _as_json(plan: Plan) -> dict[str, object]:
    classes = classes_of(plan)
    first = {name: one.name for one in classes for name in one.names}
    size = {one.name: len(one.rigs) for one in classes}
    return {
        "space": plan.space.name,
        "key": plan.space.key,
        "facets": sorted(plan.space.facets),
        "warnings": list(plan.warnings),
        "rigs": [
            {
                "rig": rig.rig.name,
                "shares_search_of": first[rig.rig.name],
                "kind": rig.rig.kind,
                "simulated": rig.rig.simulated,
                "candidates": rig.total,
                "feasible": len(rig.feasible),
                "trials": trials_of(plan, rig),
                "estimated_s": round(estimate_s(plan, rig) / size[first[rig.rig.name]]),
                "out": [
                    {"rule": why.rule, "reason": why.reason, "candidates": count}
                    for why, count in rig.out.items()
                ],
                "warnings": [
                    {"warning": warning, "candidates": count}
                    for warning, count in rig.warnings.items()
                ],
            }
            for rig in plan.rigs
        ],
    }
