"""From an address to a report on the server behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from workers.doctor.finding import Confidence, Finding, Severity, Unchecked
from workers.doctor.server.address import Address
from workers.doctor.server.base import Rule, Scene
from workers.doctor.server.client import LiveServer
from workers.doctor.server.command import command_of
from workers.doctor.server.identify import identify
from workers.doctor.server.run import all_rules, judge
from workers.doctor.server.vocabulary import Reading, ServerKind
from workers.doctor.server.watch import watch
from workers.doctor.server.window import NotToldError


@dataclass(frozen=True)
class ServerReport:
    """What was found. `notes` say how far the look reached (no traffic, no metrics)."""

    scene: Scene
    findings: tuple[Finding, ...]
    unchecked: tuple[Unchecked, ...]
    notes: tuple[str, ...]


def look_at(
    address: Address,
    seconds: float,
    api_key: str | None = None,
    more_rules: Sequence[Rule] = (),
    tick: Callable[[float], None] = lambda _: None,
) -> ServerReport:
    """Watches the server for `seconds` and judges it.

    Raises ServerError where it cannot be looked at in the first place; what goes wrong later is
    a finding, and what was seen until then is judged.
    """
    with LiveServer(address.base, api_key) as live:
        introduction = identify(live)
        command = command_of(address.host, address.port)
        watched = watch(live, introduction, seconds, tick)
    window = watched.window.since_reset
    scene = Scene(
        watched.server,
        window,
        watched.looks,
        command,
        restarted=len(window.scrapes) < len(watched.window.scrapes),
    )
    findings, unchecked = judge(scene, (*all_rules(), *more_rules))
    extra = []
    if watched.ended_early:
        extra.append(_broken("server_gone", Severity.ERROR, *_gone(watched.ended_early)))
    if introduction.no_metrics:
        extra.append(_broken("no_metrics", Severity.WARNING, *_silent(introduction.no_metrics)))
    notes = tuple(_notes(scene))
    return ServerReport(scene, (*extra, *findings), unchecked, notes)


def _broken(rule: str, severity: Severity, evidence: str, advice: str) -> Finding:
    return Finding(rule, severity, Confidence.HIGH, evidence, advice)


def _gone(when: str) -> tuple[str, str]:
    return f"it stopped answering {when}", "See its log; what was seen until then is judged."


def _silent(why: str) -> tuple[str, str]:
    return f"{why}.", "Start llama-server with --metrics; slots were looked at instead."


def _notes(scene: Scene) -> list[str]:
    try:
        quiet = all(scene.window.delta(r) == 0 for r in (Reading.GENERATED, Reading.PROMPT))
    except NotToldError:
        return []
    if quiet and not any(slot.busy for slot in scene.all_slots):
        return ["No request came meanwhile: what needs traffic could not go wrong."]
    if quiet and scene.server.kind is ServerKind.LLAMA_CPP:
        return ["No request ended meanwhile, and llama-server counts it then: try --window 60s."]
    return []
