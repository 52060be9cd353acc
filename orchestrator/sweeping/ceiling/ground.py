"""The ground of a search: the rig, and what earlier launches on such hardware told of memory."""

from __future__ import annotations

from db.database import Database
from orchestrator.sweeping.rules.base import Ground
from orchestrator.sweeping.rules.memory import learn_from_launch
from search_spaces.space import Space
from workers.contract.reports import HostReport, RigReport


def ground_of(space: Space, rig: RigReport, host: HostReport, database: Database) -> Ground:
    """With compute buffers calibrated by every sweep and search in this database."""
    ground = Ground(space, rig, host)
    for launch in database.jobs.told(rig.hardware_key):
        learn_from_launch(ground, launch.resolved, launch.telemetry)
    return ground
