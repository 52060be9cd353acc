"""What a sweep's database knows that is nobody else's business."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from db.rows import SweepRow, TrialResult
from orchestrator.analysis.report.private import Redactor
from workers.contract.reports import HostReport


def redactor(
    sweep: SweepRow,
    hosts: Iterable[HostReport],
    results: Iterable[TrialResult],
    users: Iterable[str] = (),
) -> Redactor:
    """A redactor that knows the sweep's files, hosts and cards, and who runs this program."""
    hosts = tuple(hosts)
    return Redactor(
        paths=frozenset(filter(None, _paths(sweep, hosts, tuple(results)))),
        users=frozenset(users),
        hosts=frozenset({sweep.driver.host, *(host.host for host in hosts), *_rig_hosts(hosts)}),
        cards=frozenset(
            identity
            for host in hosts
            for rig in host.rigs
            for card in rig.cards
            for identity in (card.uuid, card.pci_bus_id)
        ),
    )


def _rig_hosts(hosts: Iterable[HostReport]) -> Iterator[str]:
    return (rig.host for host in hosts for rig in host.rigs)


def _paths(
    sweep: SweepRow, hosts: Iterable[HostReport], results: Iterable[TrialResult]
) -> Iterator[str]:
    space = sweep.space
    for host in hosts:
        for engine in host.engines:
            yield from (build.path for build in engine.builds)
        for model in host.models:
            yield model.path
            yield from _own(model.reference)
    for ref in space.engines.values():
        yield ref.path or ""
    recipe = space.measure
    for text in (recipe.throughput.suite, recipe.perplexity.corpus, recipe.divergence.corpus):
        yield from _own(text)
    for result in results:
        yield result.log_path


def _own(reference: str) -> Iterator[str]:
    """A reference that is a path; public ones (builtin:NAME, hf:REPO/FILE) are no secret."""
    if not reference.startswith(("builtin:", "hf:")):
        yield reference
