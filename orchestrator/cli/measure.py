"""`orchestrate measure`: one candidate, by its key or by its parameters."""

from __future__ import annotations

from pathlib import Path

from orchestrator.analysis.exports.exporter import Exporter
from orchestrator.analysis.records import State
from orchestrator.analysis.summary import Summary
from orchestrator.cli.as_json import print_json
from orchestrator.cli.doors import PoolKind
from orchestrator.cli.faults import stoppable
from orchestrator.cli.outputs import make_directory
from orchestrator.cli.planning import plan_here, require_feasible
from orchestrator.cli.pools import make_pool
from orchestrator.cli.programs import program_lines
from orchestrator.cli.progress import Progress
from orchestrator.cli.result import EveryTrialFailedError, require_measured, show_result
from orchestrator.cli.tables import console
from search_spaces.axis import Axis
from search_spaces.candidate import NO_SPEC, Value
from search_spaces.checks import check
from search_spaces.errors import SpaceError
from search_spaces.load import load
from search_spaces.metrics import Facet
from search_spaces.names import did_you_mean, shown
from search_spaces.parameters import PARAMETERS, candidate_of, without_effect
from search_spaces.space import Budget, Space
from search_spaces.variants import named
from search_spaces.walk import assignments


def run(
    space: str,
    key: str | None,
    settings: list[str],
    storage: str,
    pool_kind: PoolKind,
    log_dir: Path,
    quality: bool,
    as_json: bool,
) -> None:
    """Measures the candidate and its baseline, reusing whatever is already measured."""
    from db.database import open_database
    from orchestrator.analysis.collect import collect
    from orchestrator.analysis.programs import programs_of
    from orchestrator.analysis.summary import summarise
    from orchestrator.sweeping.session import Session

    one = narrowed(load(space), key, settings)
    one = with_quality(one) if quality else one
    log_root = make_directory(log_dir)
    spoken_to = console(stderr=as_json)
    with open_database(storage) as database:
        pool = make_pool(pool_kind)
        plan = plan_here(one, pool, [], spoken_to)
        require_feasible(plan)
        with stoppable(), Progress(spoken_to, one) as progress:
            row = Session(plan, database, pool, progress, log_root).run()
        summary = summarise(collect(database, row), row.space)
        exporter = Exporter(database.hosts.of(row.id), summary.namer)
        programs = programs_of(database, row.id)
    if as_json:
        print_json(row, summary)
    else:
        out = console()
        out.print()
        show_result(out, row, summary, exporter)
        for line in program_lines(programs):
            out.print(line, soft_wrap=True, markup=False, highlight=False)
    require_measured(summary)
    _require_the_candidate(summary)


def _require_the_candidate(summary: Summary) -> None:
    """A baseline alone is not what was asked for."""
    asked = [record for record in summary.records if not record.is_baseline]
    if asked and all(record.state is State.FAILED for record in asked):
        raise EveryTrialFailedError(
            "The candidate failed; only its baseline was measured.",
            "See why with: orchestrate status.",
        )


def with_quality(space: Space) -> Space:
    """The space that asks for programs as well."""
    return _with(space, measure=space.measure.also(Facet.QUALITY))


def narrowed(space: Space, key: str | None, settings: list[str]) -> Space:
    """The space with one candidate left; its baseline is measured beside it.

    What is not named takes its first value, as a baseline would. Raises SpaceError.
    """
    asked: dict[str, Value] = dict(_setting(text) for text in settings)
    if "flags" in asked:
        asked["flags"] = str(named(asked["flags"], space.variants))
    wanted = asked if key is None else {**_by_key(space, key), **asked}
    axes = {
        name: Axis(values=(wanted[name],), when=axis.when) if name in wanted else axis
        for name, axis in space.parameters.items()
    }
    others = {name: value for name, value in wanted.items() if name not in axes}
    first = next(assignments(_with(space, fixed={**space.fixed, **others}, parameters=axes)))
    for name in asked:
        if name not in first or name in without_effect(str(first.get("spec", NO_SPEC))):
            when = axes[name].when if name in axes else None
            raise SpaceError(
                f"{name} has no effect on this candidate.",
                hint=f"It has one where {when}." if when else "Set spec as well, or leave it away.",
            )
    one = _with(
        space,
        name=f"{space.name}-measure"[:64],
        fixed=first,
        parameters={},
        budget=Budget(trials=4),
        forbid=(),
    )
    check(one)
    return one


def _with(space: Space, **changes: object) -> Space:
    """A space with other fields. Not model_copy, which keeps what was parsed of the old ones."""
    fields = {**dict(space), **changes}
    return Space.model_construct(_fields_set=set(space.model_fields_set), **fields)


def _setting(text: str) -> tuple[str, Value]:
    name, equals, value = text.partition("=")
    if not equals:
        raise SpaceError(f"{shown(text)} is not NAME=VALUE.", hint="Write: --set kv=q8_0/q8_0.")
    parameter = PARAMETERS.get(name)
    if parameter is None:
        raise SpaceError(f"unknown parameter {shown(name)}.", hint=did_you_mean(name, PARAMETERS))
    try:
        typed = parameter.kind(value)
    except ValueError:
        raise SpaceError(f"{shown(value)} is no value of {name} ({parameter.meaning}).") from None
    return name, parameter.coerce(typed)


def _by_key(space: Space, key: str) -> dict[str, Value]:
    found = [
        assignment
        for assignment in assignments(space)
        if candidate_of(assignment).asked_key.startswith(key)
    ]
    distinct = {candidate_of(assignment) for assignment in found}
    if len(distinct) > 1:
        raise SpaceError(f"{key!r} begins {len(distinct)} keys.", hint="Give more of it.")
    if not found:
        raise SpaceError(
            f"no candidate of {space.name} has a key that begins {key!r}.",
            hint="Keys are in the first column of: orchestrate pareto.",
        )
    return found[0]
