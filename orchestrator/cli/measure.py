"""`orchestrate measure`: one candidate, by its key or by its parameters."""

from __future__ import annotations

from pathlib import Path

from orchestrator.cli.doors import PoolKind
from orchestrator.cli.exporting import Exporter
from orchestrator.cli.faults import stoppable
from orchestrator.cli.planning import plan_here, require_feasible
from orchestrator.cli.pools import make_pool
from orchestrator.cli.progress import Progress
from orchestrator.cli.report import print_json, show_result
from orchestrator.cli.tables import console
from search_spaces.candidate import Value
from search_spaces.errors import SpaceError
from search_spaces.load import load
from search_spaces.names import did_you_mean
from search_spaces.parameters import PARAMETERS, candidate_of
from search_spaces.space import Budget, Space
from search_spaces.walk import assignments


def run(
    space: str,
    key: str | None,
    settings: list[str],
    storage: str,
    pool_kind: PoolKind,
    log_dir: Path,
    as_json: bool,
) -> None:
    """Measures the candidate and its baseline, reusing whatever is already measured."""
    from db.database import open_database
    from orchestrator.analysis.collect import collect
    from orchestrator.analysis.summary import summarise
    from orchestrator.sweeping.session import Session

    one = narrowed(load(space), key, settings)
    with open_database(storage) as database:
        pool = make_pool(pool_kind)
        plan = plan_here(one, pool, [])
        require_feasible(plan)
        with Progress(console(stderr=as_json), one) as progress, stoppable():
            row = Session(plan, database, pool, progress, log_dir.absolute()).run()
        summary = summarise(collect(database, row), row.space)
        exporter = Exporter(database.hosts.of(row.id), summary.namer)
    if as_json:
        print_json(row, summary)
    else:
        show_result(console(), row, summary, exporter)


def narrowed(space: Space, key: str | None, settings: list[str]) -> Space:
    """The space with one candidate left; its baseline is measured beside it."""
    wanted: dict[str, Value] = dict(_setting(text) for text in settings)
    if key is not None:
        wanted = {**_by_key(space, key), **wanted}
    for name, axis in space.parameters.items():
        if name not in wanted and axis.when is None:
            wanted[name] = axis[0]
    fixed = {**space.fixed, **wanted}
    return space.model_copy(
        update={
            "name": f"{space.name}-measure"[:64],
            "fixed": fixed,
            "parameters": {},
            "budget": Budget(trials=4),
            "forbid": (),
        }
    )


def _setting(text: str) -> tuple[str, Value]:
    name, equals, value = text.partition("=")
    if not equals:
        raise SpaceError(f"{text!r} is not NAME=VALUE.", hint="For example: --set kv=q8_0/q8_0.")
    parameter = PARAMETERS.get(name)
    if parameter is None:
        raise SpaceError(f"unknown parameter {name!r}.", hint=did_you_mean(name, PARAMETERS))
    try:
        typed = parameter.kind(value)
    except ValueError:
        raise SpaceError(f"{value!r} is no value for {name}: {parameter.meaning}.") from None
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
