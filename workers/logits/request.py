"""What the parent asks of the child that holds libllama, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from workers.logits.chunking import Chunking


@dataclass(frozen=True, slots=True)
class LogitsRequest:
    """One evaluation. `kv` and `reference` are (K, V) type names; `chunks` 0: all there are.

    With a `reference` the divergence to it is measured, without one the perplexity alone.
    `store` is the file that keeps the reference's logits ("" for none), `store_limit` the
    bytes that all such files together may take.
    """

    model: str
    corpus: str
    kv: tuple[str, str]
    n_ctx: int
    chunks: int
    batch: int
    ubatch: int
    threads: int
    reference: tuple[str, str] | None = None
    store: str = ""
    store_limit: int = 0

    @property
    def chunking(self) -> Chunking:
        """How the text is cut."""
        return Chunking(self.n_ctx, self.batch, self.ubatch)

    def as_message(self) -> dict[str, Any]:
        """For the child's stdin."""
        return asdict(self)

    @classmethod
    def from_message(cls, message: Mapping[str, Any]) -> LogitsRequest:
        """The inverse of `as_message`, after a passage through JSON."""
        values = dict(message)
        values["kv"] = tuple(values["kv"])
        if values["reference"] is not None:
            values["reference"] = tuple(values["reference"])
        return cls(**values)


# Kinds of message on the child's stdout: how many chunks there are, one chunk's values, one
# figure of the whole run, and a fault that the child itself found (FailureKind, evidence, advice).
PLAN, CHUNK, RUN, FAULT = "plan", "chunk", "run", "fault"
