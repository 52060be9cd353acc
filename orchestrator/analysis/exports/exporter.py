"""From a measured record to what the export formats take."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from orchestrator.analysis.exports.base import ExportError, ExportRequest
from orchestrator.analysis.records import Measured
from orchestrator.analysis.words import Namer, short_name
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

    def request(self, record: Measured) -> ExportRequest:
        """The record with the command line that serves it, spelt for the engine measured.

        Raises ExportError where that engine has no spelling for a setting.
        """
        candidate, title = record.candidate, self.namer.name(record.candidate)
        host = self._host(record)
        try:
            argv = command_line(
                candidate,
                _file(host, candidate.model),
                _file(host, candidate.drafter) if candidate.drafter else None,
                _dialect(host, candidate),
                self.binary,
            )
        except EngineError as error:
            raise ExportError(
                f"{title} has no command line: {error.diagnosis.evidence}.",
                "Measure it again with an engine that has it.",
            ) from None
        return ExportRequest(record, tuple(argv), title, stable_name(record))

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


def stable_name(record: Measured) -> str:
    """A name that says what it is: MODEL-kv_K_V-SPEC-CTXk."""
    c = record.candidate
    spec = c.spec.removeprefix("draft-").replace(",", "+")
    length = f"-n{c.n_max}" if c.n_max is not None else ""
    size = f"{c.ctx // 1024}k" if c.ctx % 1024 == 0 else f"{c.ctx}"
    return f"{short_name(c.model)}-kv_{c.kv_k}_{c.kv_v}-{spec}{length}-{size}"
