"""engines: what can be launched here."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from search_spaces.space import EngineRef
from workers.contract.reports import EngineReport
from workers.doctor.finding import Confidence, Finding, Severity
from workers.doctor.host.base import Host
from workers.engines.registry import make_engine


class Engines:
    """Catches a build that does not start (a missing library, another architecture)."""

    name = "engines"
    looks_at = "the engines that are named, llama-server on PATH, and the embedded engine"

    def check(self, host: Host) -> Iterator[Finding]:
        """An engine that was named and cannot be used is an error; the others may be missing."""
        for path in host.engines:
            report = make_engine(Path(path).name or path, EngineRef(path=path)).probe()
            yield self._told(path, report, Severity.ERROR)
        on_path = shutil.which("llama-server", path=host.environment.get("PATH", ""))
        if on_path:
            report = make_engine("llama-server", EngineRef(path=on_path)).probe()
            yield self._told(on_path, report, Severity.WARNING)
        embedded = make_engine("embedded", EngineRef(kind="embedded")).probe()
        yield self._told("the embedded engine", embedded, Severity.WARNING)

    def _told(self, what: str, report: EngineReport, broken: Severity) -> Finding:
        if report.problem is not None:
            advice = "See what it needs with: orchestrate engines PATH."
            evidence = f"{what} cannot be used: {report.problem}"
            return Finding(self.name, broken, Confidence.HIGH, evidence, advice)
        builds = ", ".join(dict.fromkeys(build.label for build in report.builds))
        known = report.capabilities
        spelt = f", dialect {known.dialect}" if known is not None else ""
        return Finding(self.name, Severity.OK, Confidence.HIGH, f"{what}: {builds}{spelt}.")


CHECK = Engines()
