"""`orchestrate rigs`: this machine's cards, or its CPU."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from orchestrator.cli.tables import console, show, table
from orchestrator.sweeping.rigs import rigs_of
from search_spaces.load import load_rigs
from workers.contract.reports import HostReport
from workers.gpu.discover import discover_rigs
from workers.gpu.holders import cards_in_use


def run(rig_file: Path | None, as_json: bool) -> None:
    """One line per rig: those of the file, or one for each card."""
    found = discover_rigs()
    if rig_file is not None:
        given = load_rigs(rig_file)
        host = HostReport(found[0].host, found, cards_in_use=cards_in_use())
        found = rigs_of(host, given.rigs, given.exclude_cards)
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
