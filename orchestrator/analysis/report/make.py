"""The report itself: every section that has something to say, private things taken out."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.analysis.redact import Redactor
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.candidates import Row, rows_of
from orchestrator.analysis.report.document import Omitted, Section
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.opening import opening
from orchestrator.analysis.report.registry import section_makers
from orchestrator.analysis.report.strings import with_strings


@dataclass(frozen=True, slots=True)
class Report:
    """What every format writes. No string in it names a person's paths, host or card."""

    title: str
    opening: tuple[str, ...]
    sweep: str
    name: str
    version: str
    simulated: bool
    sections: tuple[Section, ...]
    omitted: tuple[Omitted, ...]
    candidates: tuple[Row, ...]


def make_report(facts: Facts, redactor: Redactor) -> Report:
    """Builds all sections and takes private strings out of all of them, in one place."""
    sections: list[Section] = []
    omitted: list[Omitted] = []
    for maker in section_makers():
        try:
            sections.append(Section(maker.name, maker.title, maker.build(facts)))
        except NothingToShow as why:
            omitted.append(Omitted(maker.name, maker.title, str(why)))
    summary = facts.summary
    made = Report(
        title=summary.title,
        opening=opening(facts),
        sweep=facts.sweep.key,
        name=facts.sweep.name,
        version=facts.sweep.fingerprint.get("orchestrate", ""),
        simulated=summary.simulated,
        sections=tuple(sections),
        omitted=tuple(omitted),
        candidates=rows_of(summary),
    )
    return with_strings(made, redactor.text)
