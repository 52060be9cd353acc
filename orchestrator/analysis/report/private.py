"""What a report must not tell: where a sweep's files are, and what its hosts are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from db.rows import SweepRow, TrialResult
from orchestrator.analysis.redact import Redactor
from workers.contract.reports import HostReport

_PUBLIC = re.compile(r"(builtin|hf):")


def redactor_for(
    sweep: SweepRow, hosts: Iterable[HostReport], results: Iterable[TrialResult]
) -> Redactor:
    """A redactor that knows every path and host of a sweep."""
    hosts = tuple(hosts)
    names = {sweep.driver.host, *(host.host for host in hosts)}
    names |= {rig.host for host in hosts for rig in host.rigs}
    paths = (*_files(hosts), *_named(sweep), *(result.log_path for result in results))
    deep = (path for path in paths if re.search(r"[/\\]", path) and not _PUBLIC.match(path))
    return Redactor.of(sorted(names), deep)


def _files(hosts: Iterable[HostReport]) -> Iterator[str]:
    for host in hosts:
        for engine in host.engines:
            yield from (build.path for build in engine.builds)
        for model in host.models:
            yield model.path
            if not model.reference.startswith(("/", "~")):  # its form tells that one
                yield model.reference


def _named(sweep: SweepRow) -> Iterator[str]:
    """What the space itself names."""
    recipe = sweep.space.measure
    yield from (engine.path or "" for engine in sweep.space.engines.values())
    yield from (recipe.throughput.suite, recipe.perplexity.corpus, recipe.divergence.corpus)
