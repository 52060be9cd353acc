"""`orchestrate rigs`: this machine's cards, or its CPU; or those of every host of a cluster."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from orchestrator.cli.doors import PoolKind
from orchestrator.cli.pools import make_pool
from orchestrator.cli.tables import console, show, table
from orchestrator.sweeping.fleet import with_rigs
from search_spaces.load import load_rigs
from workers.contract.reports import HostReport
from workers.gpu.discover import discover_rigs
from workers.gpu.holders import cards_in_use
from workers.survey import SurveyRequest


def run(rig_file: Path | None, address: str | None, as_json: bool) -> None:
    """One line per rig: those of the file, or one for each card."""
    hosts = _hosts(address)
    if rig_file is not None:
        given = load_rigs(rig_file)
        hosts = with_rigs(hosts, given.rigs, given.exclude_cards)
    for warning in (warning for host in hosts for warning in host.warnings):
        console(stderr=True).print(f"Warning: {warning}", soft_wrap=True)
    found = [rig for host in hosts for rig in host.rigs]
    if as_json:
        print(json.dumps([asdict(rig) for rig in found], indent=2))
        return
    rows = [
        [
            rig.name,
            str(rig.kind),
            " + ".join(card.name for card in rig.cards) or rig.cpu_model,
            f"{rig.vram_mib:,}",
            f"{rig.threads}",
            rig.driver or "–",
        ]
        for rig in found
    ]
    heads = ["rig", "kind", "hardware", ">memory MiB", ">threads", "driver"]
    show(console(), table("", heads, rows))


def _hosts(address: str | None) -> Sequence[HostReport]:
    if address is None:
        found = discover_rigs()
        return (HostReport(found[0].host, found, cards_in_use=cards_in_use()),)
    pool = make_pool(PoolKind.RAY, address)
    try:
        return pool.survey(SurveyRequest(engines={}, models=()))
    finally:
        pool.stop()
