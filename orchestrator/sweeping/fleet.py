"""Several hosts in one sweep: which rigs are whose, and what differs from host to host."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from orchestrator.sweeping.rigs import rigs_of
from search_spaces.errors import SpaceError
from search_spaces.names import did_you_mean
from search_spaces.rigs import RigRef
from workers.contract.reports import HostReport, RigReport


def with_rigs(
    hosts: Sequence[HostReport], named: Mapping[str, RigRef], exclude: Sequence[str]
) -> tuple[HostReport, ...]:
    """The hosts with the rigs that are named, or one for each card where none is.

    Hosts that have none of them stay, without rigs. Raises SpaceError as `rigs_of` does, and for
    a rig that several hosts could be meant by.
    """
    able = [host for host in hosts if host.rigs]
    if len(able) == 1:
        found = {able[0].host: list(rigs_of(able[0], named, exclude))}
    elif named:
        found = defaultdict(list)
        for name, ref in named.items():
            rig = _on_one_host(able, name, ref, exclude)
            found[rig.host].append(rig)
    else:
        found = {host.host: list(_left(host, exclude)) for host in able}
    if able and not any(found.values()):
        raise SpaceError("every card here is excluded.", hint="See them with: orchestrate rigs.")
    return tuple(replace(host, rigs=tuple(found.get(host.host, ()))) for host in hosts)


def chosen(hosts: Sequence[HostReport], names: Sequence[str]) -> tuple[HostReport, ...]:
    """The hosts with the rigs of these names, with all of them when none is named."""
    known = {rig.name for host in hosts for rig in host.rigs}
    for name in names:
        if name not in known:
            raise SpaceError(f"there is no rig {name!r} here.", hint=did_you_mean(name, known))
    if not names:
        return tuple(hosts)
    return tuple(
        replace(host, rigs=tuple(rig for rig in host.rigs if rig.name in names)) for host in hosts
    )


def _left(host: HostReport, exclude: Sequence[str]) -> Sequence[RigReport]:
    try:
        return rigs_of(host, {}, exclude)
    except SpaceError:  # all of its cards are excluded; another host's may not be
        return ()


def _on_one_host(
    hosts: Sequence[HostReport], name: str, ref: RigRef, exclude: Sequence[str]
) -> RigReport:
    """The rig on the one host that has it."""
    texts = (ref.host + "/",) if ref.host else ref.cards
    wanted = {before for before, slash, _ in (text.partition("/") for text in texts) if slash}
    known = [host.host for host in hosts]
    for absent in sorted(wanted - set(known)):
        raise SpaceError(
            f"rig {name}: there is no host {absent!r} in this fleet.",
            hint=did_you_mean(absent, known),
        )
    if len(wanted) > 1:
        raise SpaceError(f"rig {name}: its cards are on several hosts.")
    found: dict[str, RigReport] = {}
    problems: list[SpaceError] = []
    for host in hosts:
        if wanted and host.host not in wanted:
            continue
        try:
            found[host.host] = rigs_of(host, {name: ref}, exclude)[0]
        except SpaceError as problem:
            problems.append(problem)
    if len(found) == 1:
        return found.popitem()[1]
    if len(found) > 1:
        what = "cpu" if ref.cpu else ref.cards[0]
        raise SpaceError(
            f"rig {name}: {' and '.join(found)} could be meant.",
            hint=f"Name the host: {next(iter(found))}/{what}.",
        )
    if len(problems) == 1:
        raise problems[0]
    raise SpaceError(
        f"rig {name}: no host has {' + '.join(ref.cards)}.",
        hint="See what there is with: orchestrate rigs --address ADDRESS.",
    )


def differing(hosts: Sequence[HostReport]) -> list[str]:
    """What goes by one name and is not the same everywhere: a sentence for each."""
    contents = _by_content((m.reference, m.sha256, host) for host in hosts for m in host.models)
    builds = _by_content(
        (engine.name, build.sha256, host)
        for host in hosts
        for engine in host.engines
        for build in engine.builds
        if build.role == "server"
    )
    return [
        *_sentences(
            contents, "The model {} is not the same file on {}: each is measured for itself."
        ),
        *_sentences(
            builds, "The engine {} is not the same build on {}: each is measured for itself."
        ),
    ]


def _by_content(
    found: Iterable[tuple[str, str, HostReport]],
) -> dict[str, dict[str, str]]:
    """By name: each content, and the first host that has it."""
    by_name: dict[str, dict[str, str]] = defaultdict(dict)
    for name, sha256, host in found:
        if sha256:
            by_name[name].setdefault(sha256, host.host)
    return by_name


def _sentences(by_name: Mapping[str, Mapping[str, str]], sentence: str) -> Iterator[str]:
    for name, contents in by_name.items():
        if len(contents) > 1:
            yield sentence.format(name, " and ".join(contents.values()))
