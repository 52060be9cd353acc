"""The child: evaluates chunks with libllama and says what it found, one line for each.

python -m workers.logits.child < request.json
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from search_spaces.names import did_you_mean
from workers.contract.failure import FailureKind
from workers.logits import likelihood
from workers.logits.kv_types import KV_TYPES
from workers.logits.libllama import Context, Model, Tokens
from workers.logits.reference_store import ReferenceStore
from workers.logits.request import CHUNK, FAULT, PLAN, RUN, LogitsRequest
from workers.models.child import Message, serve

Say = Callable[[Message], None]
Logits = npt.NDArray[np.float32]


class _FaultError(Exception):
    """A fault that needs no log to be diagnosed."""

    def __init__(self, kind: FailureKind, evidence: str, advice: str) -> None:
        super().__init__(evidence)
        self.message = {"type": FAULT, "kind": kind, "evidence": evidence, "advice": advice}


def answer(message: Message, say: Say) -> None:
    """Evaluates one LogitsRequest."""
    request = LogitsRequest.from_message(message)
    try:
        model = Model(request.model)
        _check(request, model)
        chunks = _chunks(request, model)
        say({"type": PLAN, "chunks": len(chunks)})
        run = _perplexity if request.reference is None else _divergence
        run(request, model, chunks, say)
    except _FaultError as fault:
        say(fault.message)


def _check(request: LogitsRequest, model: Model) -> None:
    for name in (*request.kv, *(request.reference or ())):
        if name not in model.type_ids:
            version = f"llama-cpp-python {model.api.__version__}"
            raise _FaultError(
                FailureKind.CAPABILITY_MISSING,
                f"{version} has no K/V cache type {name!r}",
                f"{did_you_mean(name, KV_TYPES)} Types of forks need that fork's binary.",
            )
    if 0 < model.n_ctx_train < request.n_ctx:
        raise _FaultError(
            FailureKind.CONTEXT_OVERFLOW,
            f"n_ctx {request.n_ctx} is above the {model.n_ctx_train} tokens that "
            f"{Path(request.model).name} was trained for",
            f"Set the recipe's n_ctx to {model.n_ctx_train} or less.",
        )


def _chunks(request: LogitsRequest, model: Model) -> Tokens:
    """The text as (chunks, n_ctx) tokens. Two chunks are the least, as in llama-perplexity."""
    tokens = model.tokenize(Path(request.corpus).read_bytes())
    available = request.chunking.available(len(tokens))
    if available < 2:
        raise _FaultError(
            FailureKind.INVALID_CONFIG,
            f"{Path(request.corpus).name} is {len(tokens)} tokens long, and two chunks of "
            f"{request.n_ctx} tokens are the least",
            "Use a longer corpus or a smaller n_ctx.",
        )
    count = min(request.chunks or available, available)
    return tokens[: count * request.n_ctx].reshape(count, request.n_ctx)


def _targets(request: LogitsRequest, chunk: Tokens) -> Tokens:
    """What the scored positions should predict: the next tokens."""
    return chunk[request.chunking.first + 1 :]


def _groups(request: LogitsRequest, chunks: Tokens) -> Iterator[tuple[range, Tokens]]:
    for numbers in request.chunking.groups(len(chunks)):
        yield numbers, chunks[numbers.start : numbers.stop]


def _perplexity(request: LogitsRequest, model: Model, chunks: Tokens, say: Say) -> None:
    context = Context(model, request.kv, request.chunking, request.threads)
    for numbers, group in _groups(request, chunks):
        logits = context.evaluate(group)
        for number, chunk, rows in zip(numbers, group, logits, strict=True):
            nll = likelihood.negative_log_likelihood(rows, _targets(request, chunk))
            _finite(request, number, nll)
            values = {"nll": float(nll.sum()), "tokens": float(len(nll))}
            say({"type": CHUNK, "number": number, "values": values})


def _divergence(request: LogitsRequest, model: Model, chunks: Tokens, say: Say) -> None:
    assert request.reference is not None
    context = Context(model, request.kv, request.chunking, request.threads)
    shape = (len(chunks), request.chunking.scored, model.n_vocab)
    store = ReferenceStore(Path(request.store), shape, request.store_limit)
    evaluate = _reference(request, model, store)
    every = []
    try:
        for numbers, group in _groups(request, chunks):
            base = evaluate(numbers, group)
            test = context.evaluate(group)
            for at, number in enumerate(numbers):
                targets = _targets(request, group[at])
                found = likelihood.divergence(base[at], test[at], targets)
                _finite(request, number, found.nll + found.nll_base + found.kld)
                every.append(found.kld)
                say({"type": CHUNK, "number": number, "values": _summary(found)})
    finally:
        store.close()
    p999 = float(np.quantile(np.concatenate(every), 0.999))
    say({"type": RUN, "values": {"kld_p999": p999}})


def _reference(
    request: LogitsRequest, model: Model, store: ReferenceStore
) -> Callable[[range, Tokens], Logits]:
    """The reference's logits of a group: from the store, or evaluated and kept."""
    if store.stored is not None:
        stored = store.stored
        return lambda numbers, group: stored[numbers.start : numbers.stop]
    assert request.reference is not None
    context = Context(model, request.reference, request.chunking, request.threads)

    def evaluate(numbers: range, group: Tokens) -> Logits:
        logits = context.evaluate(group)
        store.keep(logits)
        return logits

    return evaluate


def _summary(found: likelihood.Divergence) -> dict[str, float]:
    return {
        "kld": float(found.kld.sum()),
        "kld_max": float(found.kld.max()),
        "same_top": float(found.same_top.mean()),
        "nll": float(found.nll.sum()),
        "nll_base": float(found.nll_base.sum()),
        "tokens": float(len(found.kld)),
    }


def _finite(request: LogitsRequest, number: int, values: npt.NDArray[np.float64]) -> None:
    broken = int(np.count_nonzero(~np.isfinite(values)))
    if broken:
        raise _FaultError(
            FailureKind.QUALITY_BROKEN,
            f"{broken} of {len(values)} likelihoods of chunk {number} are not numbers with "
            f"K/V {'/'.join(request.kv)}",
            "Use another K/V pair or quant: this output is noise at any speed.",
        )


if __name__ == "__main__":
    serve(answer)
