"""From a measured record to what the export formats take."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from orchestrator.analysis.exports.base import ExportError, ExportRequest
from orchestrator.analysis.exports.names import stable_name
from orchestrator.analysis.records import Measured
from orchestrator.analysis.words import Namer
from orchestrator.version import VERSION
from search_spaces.candidate import Candidate
from workers.contract.reports import HostReport
from workers.dialects.arguments import command_line
from workers.dialects.choose import recorded
from workers.dialects.dialect import Dialect
from workers.engines.base import EngineError

AGAIN = "Run the sweep again: what is measured is kept."


@dataclass(frozen=True)
class Exporter:
    """Knows what each host held: its engines, and so how their flags are spelt, its models."""

    hosts: tuple[HostReport, ...]
    namer: Namer
    binary: str = "llama-server"
    sweep: str = ""

    def request(self, record: Measured) -> ExportRequest:
        """The record with the command line that serves it, spelt for the engine measured.

        Raises ExportError where that engine has no spelling for a setting.
        """
        title = self.namer.name(record.candidate)
        host = self._host(record)
        rig = next(rig for rig in host.rigs if rig.name == record.rig)
        candidate = rig.placed(record.candidate)
        model = _file(host, candidate.model)
        drafter = _file(host, candidate.drafter) if candidate.drafter else None
        try:
            dialect = _dialect(host, candidate)
            argv = command_line(candidate, model, drafter, dialect, self.binary)
        except EngineError as error:
            raise ExportError(
                f"{title} has no command line: {error.diagnosis.evidence}.",
                "Measure it again with an engine that has it.",
            ) from None
        return ExportRequest(
            record,
            tuple(argv),
            title,
            stable_name(record.candidate),
            files=tuple(path for path in (str(model), str(drafter or "")) if path in argv),
            cards=tuple(card.index for card in rig.cards),
            fingerprint=self._fingerprint(host, record.candidate),
        )

    def _fingerprint(self, host: HostReport, candidate: Candidate) -> str:
        """Hashes of what was measured, each cut to what tells two apart."""
        engine = host.engine(candidate.engine)
        build = engine.build("server") if engine else None
        reports = {"model": host.model(candidate.model), "drafter": host.model(candidate.drafter)}
        hashes = {"engine": build.sha256 if build else ""}
        hashes |= {name: report.sha256 for name, report in reports.items() if report}
        parts = [f"candidate {candidate.asked_key}"]
        parts += [f"{name} sha256 {sha[:16]}" for name, sha in hashes.items() if sha]
        parts += [f"sweep {self.sweep}"] if self.sweep else []
        return ", ".join([*parts, f"orchestrate {VERSION}"])

    def _host(self, record: Measured) -> HostReport:
        for host in self.hosts:
            if any(rig.name == record.rig for rig in host.rigs):
                return host
        raise ExportError(f"What the host of {record.rig} holds was not recorded.", AGAIN)


def _dialect(host: HostReport, candidate: Candidate) -> Dialect:
    engine = host.engine(candidate.engine)
    if engine is None or engine.capabilities is None:
        raise ExportError(f"What engine {candidate.engine!r} can do was not recorded.", AGAIN)
    return recorded(engine.capabilities)


def _file(host: HostReport, reference: str) -> Path:
    """Where the model was when it was measured. Nothing is looked for, let alone downloaded."""
    report = host.model(reference)
    return Path(report.path if report is not None and report.path else reference)
