"""A child that does what SCRIPT says, in place of the one that holds libllama."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from workers.models.child import Message, serve

Say = Callable[[Message], None]


def chunk(say: Say, number: int) -> None:
    say({"type": "chunk", "number": number, "values": {"nll": 100.0 + number, "tokens": 50.0}})


def completes(say: Say) -> None:
    say({"type": "plan", "chunks": 2})
    print("a library prints on stdout")
    chunk(say, 0)
    chunk(say, 1)
    say({"type": "run", "values": {"kld_p999": 0.5}})


def aborts(say: Say) -> None:
    say({"type": "plan", "chunks": 2})
    chunk(say, 0)
    print("ggml.c:123: GGML_ASSERT(x == y) failed", file=sys.stderr, flush=True)
    os.abort()


def stops_early(say: Say) -> None:
    say({"type": "plan", "chunks": 2})
    chunk(say, 0)


def faults(say: Say) -> None:
    say({"type": "fault", "kind": "context_overflow", "evidence": "too long", "advice": "Less."})


def is_silent(say: Say) -> None:
    print("ready", file=sys.stderr, flush=True)
    os.read(_never(), 1)


def raises(say: Say) -> None:
    raise ValueError("a mistake of ours")


def cannot_load(say: Say) -> None:
    print("llama_model_load: error loading model: unknown model architecture: 'x'", file=sys.stderr)
    sys.exit("failed to load model 'x.gguf'")


def tells_its_environment(say: Say) -> None:
    say({"type": "environment", "values": dict(os.environ)})


def _never() -> int:
    """A descriptor from which nothing will ever come."""
    reading, _ = os.pipe()
    return reading


SCRIPTS: dict[str, Callable[[Say], None]] = {
    script.__name__: script
    for script in (
        completes,
        aborts,
        stops_early,
        faults,
        is_silent,
        raises,
        cannot_load,
        tells_its_environment,
    )
}


def answer(message: Message, say: Say) -> None:
    """Plays the script."""
    SCRIPTS[os.environ["SCRIPT"]](say)


if __name__ == "__main__":
    serve(answer)
