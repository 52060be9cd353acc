"""`orchestrate recommend`: what to use for each goal, under the user's limits, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from db.database import open_database
from db.repositories.whole_writing import IMPORTED
from orchestrator.analysis.advice import RigAdvice, advise
from orchestrator.analysis.collect import collect
from orchestrator.analysis.derive import derive
from orchestrator.analysis.goals.plain import answer
from orchestrator.analysis.goals.words import told
from orchestrator.analysis.limits import Limit, max_ppl_delta, min_ctx, vram_headroom
from orchestrator.analysis.words import Namer
from orchestrator.cli.found import found
from orchestrator.cli.tables import console
from search_spaces.names import did_you_mean
from workers.contract.errors import OrchestrateError
from workers.statistics.flags import describe


class NothingWithinLimitsError(OrchestrateError):
    """No measured candidate is within the limits, on any rig."""

    exit_code = 3


def run(
    storage: str,
    sweep: str | None,
    rigs: list[str],
    headroom: str | None,
    ctx: str | None,
    ppl_delta: str | None,
    as_json: bool,
) -> None:
    """Prints each rig's recommendations; raises NothingWithinLimitsError where there are none."""
    limits = list(_limits(headroom, ctx, ppl_delta))
    with open_database(storage, read_only=True) as database:
        row = found(database, sweep)
        records = derive(collect(database, row), row.space)
    advice = _of_rigs(advise(records, row.space, limits), rigs)
    namer = Namer.of(record.candidate for record in records)
    if as_json:
        print(json.dumps(_as_json(row.key, row.name, advice), indent=2, ensure_ascii=False))
    else:
        if any(record.simulated for record in records):
            print("Simulated: these numbers were replayed from a table, not measured.\n")
        if row.imported is not None:
            print(f"{describe(IMPORTED).capitalize()}.\n")
        out = console()
        for one in advice:
            for line in _lines(one, namer):
                out.print(line, soft_wrap=True)
    if not any(one.able for one in advice):
        raise NothingWithinLimitsError(_nothing(advice), "Loosen it, or measure more candidates.")


def _limits(headroom: str | None, ctx: str | None, ppl_delta: str | None) -> Iterator[Limit]:
    if headroom is not None:
        yield vram_headroom(headroom)
    if ctx is not None:
        yield min_ctx(ctx)
    if ppl_delta is not None:
        yield max_ppl_delta(ppl_delta)


def _of_rigs(advice: Sequence[RigAdvice], names: Sequence[str]) -> tuple[RigAdvice, ...]:
    known = [one.rig for one in advice]
    for name in names:
        if name not in known:
            raise OrchestrateError(f"The sweep has no rig {name!r}.", did_you_mean(name, known))
    return tuple(one for one in advice if not names or one.rig in names)


def _lines(one: RigAdvice, namer: Namer) -> Iterator[str]:
    yield f"{one.rig}: {one.able} of {one.measured} measured candidates within the limits."
    for limit in one.exclusions:
        if limit.excluded:
            yield f"  {limit.option} excludes {limit.excluded} ({limit.alone} by itself alone)."
    for made in one.answers:
        title, *rest = told(made, namer)
        yield f"\n{title}"
        yield from (f"  {line}" for line in rest)
    yield ""


def _nothing(advice: Sequence[RigAdvice]) -> str:
    """Which limit excludes most, over all rigs."""
    measured = sum(one.measured for one in advice)
    if not measured:
        return "No candidate was measured to the end."
    totals: dict[str, int] = {}
    for limit in (limit for one in advice for limit in one.exclusions):
        totals[limit.option] = totals.get(limit.option, 0) + limit.excluded
    most = max(totals, key=lambda option: totals[option])
    return (
        f"None of {measured} measured candidates is within the limits: "
        f"{most} excludes most, {totals[most]} of them."
    )


def _as_json(key: str, name: str, advice: Sequence[RigAdvice]) -> dict[str, object]:
    return {
        "sweep": key,
        "name": name,
        "rigs": [
            {
                "rig": one.rig,
                "measured": one.measured,
                "within_limits": one.able,
                "limits": [
                    {"limit": e.option, "excluded": e.excluded, "alone": e.alone}
                    for e in one.exclusions
                ],
                "goals": [answer(made) for made in one.answers],
            }
            for one in advice
        ],
    }
