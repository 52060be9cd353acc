"""How llama-perplexity cuts a text: which tokens are scored, and in which batches they run.

Method: llama.cpp tools/perplexity/perplexity.cpp, function `perplexity`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chunking:
    """Chunks of `n_ctx` tokens; `batch` and `ubatch` in tokens, as -b and -ub.

    A batch of several chunks evaluates them as parallel sequences, each with a cache of its
    own; a batch smaller than a chunk evaluates it in several passes.
    """

    n_ctx: int
    batch: int
    ubatch: int

    def __post_init__(self) -> None:
        if self.batch >= self.n_ctx and self.batch % self.n_ctx:
            raise ValueError("batch must be below n_ctx or a multiple of it")

    @property
    def first(self) -> int:
        """The first position whose prediction counts; before it the context is too short."""
        return self.n_ctx // 2

    @property
    def scored(self) -> int:
        """Predictions that count in one chunk: from `first` on, each of the next token.

        The last position has no next token inside its chunk.
        """
        return self.n_ctx - 1 - self.first

    @property
    def sequences(self) -> int:
        """Chunks evaluated at once."""
        return max(1, self.batch // self.n_ctx)

    @property
    def context(self) -> int:
        """Tokens of cache over all sequences."""
        return self.sequences * self.n_ctx

    @property
    def batch_tokens(self) -> int:
        """Tokens of the largest batch."""
        return min(self.batch, self.context)

    def passes(self) -> Iterator[tuple[int, int]]:
        """Positions [start, stop) of each pass over a chunk."""
        for start in range(0, self.n_ctx, self.batch):
            yield start, min(start + self.batch, self.n_ctx)

    def available(self, tokens: int) -> int:
        """Whole chunks in a text of so many tokens."""
        return tokens // self.n_ctx

    def groups(self, chunks: int) -> Iterator[range]:
        """Chunk numbers that are evaluated together."""
        for start in range(0, chunks, self.sequences):
            yield range(start, min(start + self.sequences, chunks))
