"""From rows of logits to log-likelihoods and KL divergence, in nats.

Rows are float32, one per scored position, `vocabulary` wide; sums over the vocabulary are
taken in float64, since tens of thousands of small terms would lose digits otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.float32]
Values = npt.NDArray[np.float64]
_BLOCK = 16  # rows worked on at once: what is needed of them stays in the CPU's cache


@dataclass(frozen=True, slots=True)
class Divergence:
    """Per scored position: KL(base || test), both log-likelihoods, same most likely token."""

    kld: Values
    nll: Values
    nll_base: Values
    same_top: npt.NDArray[np.bool_]


def negative_log_likelihood(rows: Rows, targets: npt.NDArray[np.int32]) -> Values:
    """-ln p(target) of each row: ln(sum(exp(row))) - row[target]."""
    result = np.empty(len(rows), np.float64)
    for block in _blocks(len(rows)):
        result[block] = _log_sum_exp(rows[block])[0] - _at(rows[block], targets[block])
    return result


def divergence(base: Rows, test: Rows, targets: npt.NDArray[np.int32]) -> Divergence:
    """Compares two evaluations of the same positions.

    KL(base || test) = sum(p (b - t)) + lse(t) - lse(b), with p = softmax(b) and lse the
    logarithm of the sum of exponentials: logits are subtracted before they are normalised,
    which keeps divergences of 1e-6 apart from rounding. What rounding leaves below zero is
    zero; a token that the base rules out adds nothing.
    """
    count = len(base)
    kld, nll, nll_base = (np.empty(count, np.float64) for _ in range(3))
    same = np.empty(count, np.bool_)
    for block in _blocks(count):
        b, t, target = base[block], test[block], targets[block]
        lse_b, p = _log_sum_exp(b)
        lse_t, _ = _log_sum_exp(t)
        apart = np.subtract(b, t, out=np.zeros_like(b), where=p > 0)
        mean = np.sum(p * apart, axis=1, dtype=np.float64)
        kld[block] = np.maximum(mean + lse_t - lse_b, 0.0)
        nll[block] = lse_t - _at(t, target)
        nll_base[block] = lse_b - _at(b, target)
        same[block] = np.argmax(b, axis=1) == np.argmax(t, axis=1)
    return Divergence(kld, nll, nll_base, same)


def _log_sum_exp(rows: Rows) -> tuple[Values, Rows]:
    """ln(sum(exp(row))) of each row, and the rows' softmax."""
    highest = np.max(rows, axis=1, keepdims=True)
    weights = np.exp(rows - highest)
    total: Values = np.add.reduce(weights, axis=1, keepdims=True, dtype=np.float64)
    weights /= total.astype(np.float32)
    logarithm: Values = highest[:, 0].astype(np.float64) + np.log(total[:, 0])
    return logarithm, weights


def _at(rows: Rows, targets: npt.NDArray[np.int32]) -> Values:
    picked: Any = rows[np.arange(len(rows)), targets]
    values: Values = picked.astype(np.float64)
    return values


def _blocks(count: int) -> Iterator[slice]:
    for start in range(0, count, _BLOCK):
        yield slice(start, min(start + _BLOCK, count))
