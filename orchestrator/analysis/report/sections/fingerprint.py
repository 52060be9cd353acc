"""What the numbers were made with: builds, files, card, protocol, and the command to paste."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.analysis.report.document import Block, Column, Command, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.protocol import protocol
from orchestrator.analysis.report.selection import picked
from workers.contract.reports import RigReport

_COLUMNS = (Column("what", ""), Column("value", ""))


class Fingerprint:
    """Two reports of one fingerprint should agree within their intervals."""

    name = "fingerprint"
    title = "Fingerprint"
    order = 120

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """A table of facts, then the command of each pick."""
        rows = (*_sweep(facts), *_rigs(facts), *_engines(facts), *_models(facts), *protocol(facts))
        commands = [
            Command(f"{pick.title} ({pick.rig})", facts.commands[pick.record.trial_id])
            for pick in picked(facts)
            if pick.record.trial_id in facts.commands
        ]
        blocks: list[Block] = [Table("fingerprint", _COLUMNS, tuple(dict.fromkeys(rows)))]
        if not commands:
            return (*blocks, Text("There is no command: nothing that can be started was measured."))
        return (*blocks, *commands)


def _sweep(facts: Facts) -> Iterator[tuple[str, str]]:
    sweep = facts.sweep
    yield "orchestrate", sweep.fingerprint.get("orchestrate", "not recorded")
    yield "sweep", f"{sweep.key} of {sweep.name}, {sweep.started:%Y-%m-%d}"
    yield "goals", ", ".join(f"{name}: {way}" for name, way in sweep.space.objectives.items())
    if sweep.space.constraints:
        yield "constraints", ", ".join(sweep.space.constraints)


def _rigs(facts: Facts) -> Iterator[tuple[str, str]]:
    for _, rig in facts.rigs:
        yield f"rig {rig.name}", _hardware(rig)


def _hardware(rig: RigReport) -> str:
    parts = [
        f"{card.name}, {card.memory_mib:,} MiB, power limit "
        + (f"{card.power_limit_w:.0f} W" if card.power_limit_w else "not told")
        for card in rig.cards
    ]
    if rig.cards:
        parts.append(f"driver {rig.driver or 'not told'}")
    parts.append(f"{rig.cpu_model}, {rig.threads} threads, {rig.memory_mib:,} MiB, {rig.os}")
    if rig.simulated:
        parts.append("SIMULATED: this rig is not there")
    return "; ".join(parts)


def _engines(facts: Facts) -> Iterator[tuple[str, str]]:
    used = {record.candidate.engine for record in facts.summary.records}
    for host in {host.host: host for host, _ in facts.rigs}.values():
        for engine in host.engines:
            if engine.name in used:
                for build in engine.builds:
                    yield f"engine {engine.name}, {build.role}", f"{build.label}; {build.sha256}"


def _models(facts: Facts) -> Iterator[tuple[str, str]]:
    candidates = [record.candidate for record in facts.summary.records]
    used = {c.model for c in candidates} | {c.drafter for c in candidates if c.needs_drafter}
    for host in {host.host: host for host, _ in facts.rigs}.values():
        for model in host.models:
            if model.reference in used:
                quant = model.header.get("quant", "quant not told")
                size = f"{model.size / 2**20:,.0f} MiB" if model.size else "size not told"
                yield (
                    f"model {model.reference}",
                    f"{quant}, {size}; {model.sha256 or model.problem}",
                )


SECTION = Fingerprint()
