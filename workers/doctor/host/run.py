"""Looks at this machine: every check is asked, also after one has broken down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import psutil

import workers.doctor.host.checks as checks
from workers.contract.errors import OrchestrateError
from workers.doctor.finding import Confidence, Finding, Severity
from workers.doctor.host.base import Check, Host
from workers.doctor.registry import offered


@cache
def all_checks() -> tuple[Check, ...]:
    """All checks of a machine, by name."""
    return offered(checks, "CHECK")


def examine(host: Host, known: Sequence[Check] | None = None) -> Iterator[Finding]:
    """The findings of every check, as they come.

    What a check could not look at (no permission, a full disk) is a finding, too.
    """
    for check in all_checks() if known is None else known:
        try:
            yield from check.check(host)
        except (OSError, LookupError, psutil.Error, OrchestrateError) as error:
            yield Finding(
                check.name,
                Severity.WARNING,
                Confidence.HIGH,
                f"{check.looks_at} could not be looked at: {error}",
                "See whether this user may read it.",
            )
