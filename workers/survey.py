"""What a host reports before a sweep is planned. Runs on that host."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from search_spaces.recipe import QualityRecipe
from search_spaces.space import EngineRef
from workers.contract.errors import OrchestrateError
from workers.contract.memo import task_name
from workers.contract.reports import EngineReport, HostReport, ModelReport, PairReport
from workers.engines.registry import make_engine
from workers.gpu.discover import discover_rigs
from workers.gpu.holders import cards_in_use
from workers.models.hub import HUB
from workers.models.resolve import report as report_model


@dataclass(frozen=True, slots=True)
class SurveyRequest:
    """What to look for: engines by name, model references, target-drafter pairs, texts, tasks."""

    engines: Mapping[str, EngineRef]
    models: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...] = ()
    suites: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    quality: QualityRecipe | None = None


def survey(request: SurveyRequest) -> HostReport:
    """Everything found here; what is missing is reported, never raised."""
    engines = tuple(make_engine(name, ref).probe() for name, ref in request.engines.items())
    able = any(engine.problem is None for engine in engines)
    models = tuple(_model(reference, able) for reference in request.models)
    by_reference = {model.reference: model for model in models}
    return HostReport(
        host=platform.node() or "localhost",
        rigs=discover_rigs(),
        engines=engines,
        models=models,
        bad_pairs=tuple(bad_pairs(request, by_reference)),
        contents=contents(request),
        warnings=tuple(_warnings(request, engines)),
        cards_in_use=cards_in_use(),
    )


def _model(reference: str, able: bool) -> ModelReport:
    """The report of a model; 20 GB are not fetched for a host whose engines cannot load them."""
    if able or not reference.startswith(HUB):
        return report_model(reference)
    return ModelReport(reference, problem=f"{reference} is not fetched: no engine here can use it.")


def bad_pairs(request: SurveyRequest, models: Mapping[str, ModelReport]) -> list[PairReport]:
    """The pairs that cannot work together, of models whose headers could be read."""
    from workers.gguf_files.check import check_pair

    found = []
    for target, drafter in request.pairs:
        headers = models[target].gguf, models[drafter].gguf
        if headers[0] is None or headers[1] is None:
            continue
        problem = check_pair(headers[0], headers[1])
        if problem:
            found.append(PairReport(target, drafter, problem))
    return found


def _warnings(request: SurveyRequest, engines: Iterable[EngineReport]) -> Iterator[str]:
    """What a person should know before anything is measured."""
    from workers.models.corpus import corpus_warning

    for engine in engines:
        yield from engine.warnings
    for corpus in request.corpora:
        if said := corpus_warning(corpus):
            yield said


def contents(request: SurveyRequest) -> dict[str, str]:
    """Content hashes of the texts; a missing text is the user's error and is raised."""
    from workers.models.corpus import corpus_hash
    from workers.suites.load import load_suite

    hashes = {suite: load_suite(suite).hash for suite in request.suites}
    for corpus in request.corpora:
        try:
            hashes[corpus] = corpus_hash(corpus)
        except OSError as error:
            raise OrchestrateError(
                f"corpus {corpus!r} cannot be read: {error.strerror}.",
                "Name a text file, or use builtin:wikitext2-64k.",
            ) from None
    if request.quality is not None:
        hashes.update(_tasks(request.quality))
    return hashes


def _tasks(recipe: QualityRecipe) -> dict[str, str]:
    """Content hashes of tasks, where this host can score them; otherwise it is said, not tried."""
    from workers.quality.able import able
    from workers.quality.task import tasks_hash

    able(recipe)
    return {task_name(reference): tasks_hash(reference) for reference in recipe.tasks}
