"""`orchestrate rigs`: this machine's cards, or its CPU."""

from __future__ import annotations

import json
from dataclasses import asdict

from orchestrator.cli.tables import console, show, table
from workers.gpu.discover import discover_rigs


def run(as_json: bool) -> None:
    """One line per rig."""
    found = discover_rigs()
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
