"""Perplexity and KL divergence of a model with a K/V pair, measured in a child process."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping
from pathlib import Path

from search_spaces.candidate import digest
from search_spaces.recipe import DivergenceRecipe, PerplexityRecipe
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.outcome import Sample
from workers.engines.base import EngineError
from workers.logits.diagnose import engine_error
from workers.logits.request import CHUNK, FAULT, PLAN, RUN, LogitsRequest
from workers.models.cache import cache_dir
from workers.models.child import Message, run_child
from workers.models.hashing import content_hash, file_hash

_MIB = 2**20
LIMIT_VARIABLE = "ORCHESTRATE_REFERENCE_MIB"
_LIMIT_MIB = 4096
CHILD = "workers.logits.child"

OnProgress = Callable[[int, int], None]


def perplexity(
    model: Path,
    kv_k: str,
    kv_v: str,
    recipe: PerplexityRecipe,
    corpus: Path,
    threads: int,
    log: Path,
    *,
    environment: Mapping[str, str] | None = None,
    on_progress: OnProgress | None = None,
) -> list[Sample]:
    """One sample a chunk: `nll` (sum, nats) over `tokens` scored tokens.

    The method and the numbers are llama-perplexity's (within rounding). `log` receives what
    libllama says; `environment` is laid over the child's, `on_progress` hears chunks done and
    chunks in all. Raises EngineError.
    """
    request = _request(model, (kv_k, kv_v), recipe, corpus, threads)
    return _run(request, Phase.PERPLEXITY, log, environment, on_progress)


def divergence(
    model: Path,
    kv_k: str,
    kv_v: str,
    recipe: DivergenceRecipe,
    corpus: Path,
    threads: int,
    log: Path,
    *,
    environment: Mapping[str, str] | None = None,
    on_progress: OnProgress | None = None,
) -> list[Sample]:
    """One sample a chunk, KL(reference || this pair) over `tokens` scored tokens.

    `kld`, `nll` and `nll_base` are sums in nats, `kld_max` the largest of one token,
    `same_top` the share of tokens with the same most likely next one. `kld_p999` is the 99.9th
    percentile over all tokens of the run, the same in every sample: a chunk has too few for
    one of its own. Raises EngineError.
    """
    reference = tuple(recipe.reference.split("/"))
    if len(reference) != 2:
        raise EngineError(
            Diagnosis(
                FailureKind.INVALID_CONFIG,
                f"the reference {recipe.reference!r} is no K/V pair",
                "Write it as K/V, for example f16/f16.",
                deterministic=True,
            ),
            Phase.DIVERGENCE,
        )
    store = _store(model, recipe, corpus, environment or {})
    request = _request(model, (kv_k, kv_v), recipe, corpus, threads, reference, store)
    return _run(request, Phase.DIVERGENCE, log, environment, on_progress)


def _request(
    model: Path,
    kv: tuple[str, str],
    recipe: PerplexityRecipe,
    corpus: Path,
    threads: int,
    reference: tuple[str, str] | None = None,
    store: Path | None = None,
) -> LogitsRequest:
    return LogitsRequest(
        model=str(model),
        corpus=str(corpus),
        kv=kv,
        n_ctx=recipe.n_ctx,
        chunks=recipe.chunks,
        batch=recipe.batch,
        ubatch=recipe.ubatch,
        threads=threads,
        reference=reference,
        store=str(store or ""),
        store_limit=int(os.environ.get(LIMIT_VARIABLE) or _LIMIT_MIB) * _MIB,
    )


def _store(
    model: Path, recipe: DivergenceRecipe, corpus: Path, environment: Mapping[str, str]
) -> Path:
    """The file of the reference's logits, named by all that they depend on."""
    seen = {**os.environ, **environment}
    key = digest(
        [
            [platform.node(), seen.get("CUDA_VISIBLE_DEVICES"), _libraries(environment)],
            [content_hash(model), file_hash(corpus), recipe.reference],
            [recipe.n_ctx, recipe.chunks, recipe.batch, recipe.ubatch],
        ],
        length=32,
    )
    return cache_dir() / "reference-logits" / f"{key}.logits"


def _libraries(environment: Mapping[str, str]) -> list[str]:
    """Hashes of the libraries that make the numbers, found without loading them."""
    import importlib.util

    spec = importlib.util.find_spec("llama_cpp")
    if spec is None or spec.origin is None:
        return []
    own = Path(spec.origin).parent / "lib"
    # The binding takes another libllama from here, where its caller asks for one.
    folder = Path(environment.get("LLAMA_CPP_LIB_PATH") or own)
    return sorted({file_hash(path) for path in folder.glob("lib*") if path.is_file()})


def _run(
    request: LogitsRequest,
    phase: Phase,
    log: Path,
    environment: Mapping[str, str] | None,
    on_progress: OnProgress | None,
) -> list[Sample]:
    total = 0
    chunks: dict[int, dict[str, float]] = {}
    of_run: dict[str, float] = {}
    faults: list[Message] = []

    def hear(message: Message) -> None:
        nonlocal total
        match message:
            case {"type": str(kind), "chunks": int(count)} if kind == PLAN:
                total = count
            case {"type": str(kind), "number": int(number), "values": values} if kind == CHUNK:
                chunks[number] = values
            case {"type": str(kind), "values": values} if kind == RUN:
                of_run.update(values)
            case {"type": str(kind)} if kind == FAULT:
                faults.append(message)
        if on_progress is not None and total:
            on_progress(len(chunks), total)

    end = run_child(CHILD, request.as_message(), log, hear, environment=environment)
    if faults or end.returncode != 0 or not total or len(chunks) != total:
        raise engine_error(end, phase, faults[0] if faults else None)
    return [
        Sample(label=str(number), values={**chunks[number], **of_run}) for number in sorted(chunks)
    ]
