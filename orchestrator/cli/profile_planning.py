"""A plan for a rig that is not here: cards from a profile, engines assumed, headers for models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from orchestrator.sweeping.fleet import chosen, with_rigs
from orchestrator.sweeping.plan import Plan, make_fleet_plan, survey_request
from search_spaces.load import load_profile, load_rigs
from search_spaces.space import Space
from workers.assumed.host import profiled
from workers.contract.errors import OrchestrateError


def plan_on_profile(
    space: Space,
    profile: str,
    rigs: Sequence[str],
    rig_file: Path | None,
    headers: Path | None,
) -> Plan:
    """Plans as on a machine that was looked at; every rig of it is marked simulated.

    Raises SpaceError for a bad profile, rig or header, OrchestrateError for a missing folder.
    """
    if headers is not None and not headers.is_dir():
        raise OrchestrateError(
            f"There is no folder {headers}.", "Name one that holds header files (YAML)."
        )
    given = space if rig_file is None else load_rigs(rig_file)
    folders = () if headers is None else (headers,)
    host = profiled(load_profile(profile), survey_request(space), folders)
    hosts = with_rigs([host], given.rigs, given.exclude_cards)
    return make_fleet_plan(space, chosen(hosts, rigs))


def refuse_profile(profile: str | None) -> None:
    """A sweep measures; raises OrchestrateError where it is asked to on a profile."""
    if profile is not None:
        raise OrchestrateError(
            f"Nothing can be measured on the profile {profile!r}: it is no machine.",
            f"Plan with it (orchestrate plan --rig-profile {profile}), and sweep where the cards "
            "are.",
        )
