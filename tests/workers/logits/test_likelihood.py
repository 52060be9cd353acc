"""Log-likelihood and divergence against the plain formulas in double precision."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.logits.likelihood import divergence, negative_log_likelihood

VOCABULARY = 500


def rows(seed: int, count: int = 40, spread: float = 4.0) -> npt.NDArray[np.float32]:
    made = np.random.default_rng(seed).normal(0.0, spread, (count, VOCABULARY))
    return made.astype(np.float32)


def targets(seed: int, count: int = 40) -> npt.NDArray[np.int32]:
    return np.random.default_rng(seed).integers(0, VOCABULARY, count).astype(np.int32)


def log_softmax(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    exact = logits.astype(np.float64)
    exact -= exact.max(axis=1, keepdims=True)
    result: npt.NDArray[np.float64] = exact - np.log(np.exp(exact).sum(axis=1, keepdims=True))
    return result


seeds = st.integers(0, 2**31)


@given(seeds, st.sampled_from([0.0, 0.1, 4.0, 30.0]))
def test_the_likelihood_is_the_formula_s(seed: int, spread: float) -> None:
    logits, wanted = rows(seed, spread=spread), targets(seed)
    exact = -log_softmax(logits)[np.arange(40), wanted]
    assert negative_log_likelihood(logits, wanted) == pytest.approx(exact, rel=1e-6, abs=1e-6)


@given(seeds, st.sampled_from([1e-3, 0.1, 1.0]))
def test_the_divergence_is_the_formula_s(seed: int, apart: float) -> None:
    base = rows(seed)
    test = base + rows(seed + 1, spread=apart)
    b, t = log_softmax(base), log_softmax(test)
    exact = (np.exp(b) * (b - t)).sum(axis=1)
    found = divergence(base, test, targets(seed))
    assert found.kld == pytest.approx(exact, rel=1e-4, abs=2e-7)


@given(seeds)
def test_equal_logits_do_not_diverge(seed: int) -> None:
    found = divergence(rows(seed), rows(seed), targets(seed))
    assert not found.kld.any()
    assert found.same_top.all()
    assert np.array_equal(found.nll, found.nll_base)


@given(seeds, st.floats(-50.0, 50.0))
def test_a_constant_added_to_all_logits_changes_nothing(seed: int, constant: float) -> None:
    base = rows(seed)
    found = divergence(base, base + np.float32(constant), targets(seed))
    assert found.kld == pytest.approx(0.0, abs=1e-5)


def test_the_same_top_token_is_counted_by_position() -> None:
    base = np.zeros((2, 3), np.float32)
    base[:, 1] = 1.0
    test = base.copy()
    test[1, 2] = 2.0
    assert divergence(base, test, np.zeros(2, np.int32)).same_top.tolist() == [True, False]


def test_a_token_that_the_reference_rules_out_adds_nothing() -> None:
    base = np.array([[0.0, 0.0, -np.inf]], np.float32)
    test = np.array([[0.0, 0.0, -np.inf]], np.float32)
    assert divergence(base, test, np.zeros(1, np.int32)).kld.tolist() == [0.0]


def test_a_logit_that_is_no_number_stays_none() -> None:
    logits = rows(1)
    logits[3, 7] = np.nan
    assert np.isnan(negative_log_likelihood(logits, targets(1))[3])
    assert np.isnan(divergence(rows(1), logits, targets(1)).kld[3])
