"""Every table of ours, registered on one metadata."""

from __future__ import annotations

import fnmatch

from db.columns import Base
from db.tables import hosts, jobs, measurements, quarantines, sweeps, verifications

METADATA = Base.metadata
ROOMS = (hosts, jobs, measurements, quarantines, sweeps, verifications)

# Optuna's tables live in the same database and are none of our business.
OPTUNA = ("studies", "trials", "trial_*", "study_*", "alembic_version", "version_info")


def is_optunas(table: str) -> bool:
    """Whether a table belongs to Optuna's storage."""
    return any(fnmatch.fnmatchcase(table, pattern) for pattern in OPTUNA)
