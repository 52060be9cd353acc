"""Databases as sweeps leave them, made without any engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from db.database import open_database
from orchestrator.sweeping.events import Silent
from orchestrator.sweeping.plan import make_plan
from orchestrator.sweeping.session import Session
from search_spaces.candidate import Candidate
from search_spaces.space import Space
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import CAPABILITIES, make_host, make_rig
from tests.support.scripted_pool import ScriptedPool
from tests.support.surfaces import Surface, failing, plain
from workers.contract.reports import HostReport, RigReport

# An engine whose flags are written as mainline spells them.
SPELT = replace(CAPABILITIES, dialect="embedded", spec_types=("none", *CAPABILITIES.spec_types))


@dataclass(frozen=True)
class Scene:
    """A sweep that ended: where its database is, and its space."""

    storage: Path
    space: Space


def host_of(space: Space, rigs: Sequence[RigReport] = ()) -> HostReport:
    """A host that holds everything, with an engine whose commands can be written."""
    return make_host(space, rigs, capabilities=SPELT)


def sweep(
    storage: Path,
    space: Space | None = None,
    surface: Surface = plain,
    rigs: Sequence[RigReport] = (),
) -> Scene:
    """Runs a sweep to its end into a database file."""
    space = space or make_space()
    host = host_of(space, rigs)
    with open_database(str(storage)) as database:
        plan = make_plan(space, host, host.rigs)
        Session(plan, database, ScriptedPool(host, surface), Silent(), storage.parent / "l").run()
    return Scene(storage, space)


def short_of_memory(candidate: Candidate, rig: RigReport) -> bool:
    """One of the six candidates of the usual space."""
    return candidate.n_max == 4 and candidate.kv == "q8_0/q8_0"


def usual(storage: Path) -> Scene:
    """Six candidates: five measured, one out of memory."""
    return sweep(storage, surface=failing(short_of_memory))


def simulated(storage: Path) -> Scene:
    """The same on a rig that is not there."""
    return sweep(storage, rigs=[replace(make_rig(), simulated=True)])
