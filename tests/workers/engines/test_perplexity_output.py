"""What llama-perplexity prints, read back as chunks."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.engines.perplexity_output import (
    divergence_samples,
    perplexity_samples,
    scored_tokens,
)

SAID = Path(__file__).with_name("said")  # printed by b11434
MEANS = (SAID / "perplexity_means.txt").read_text(encoding="utf-8")  # 3 chunks of 512 tokens
RUNNING = (SAID / "perplexity_running.txt").read_text(encoding="utf-8")  # the same, default form
KLD = (SAID / "divergence.txt").read_text(encoding="utf-8")  # 3 chunks of 256 tokens


def test_half_of_a_chunk_is_scored_but_for_its_last_token() -> None:
    assert scored_tokens(512) == 255
    assert scored_tokens(9) == 4


@pytest.mark.parametrize("text", [MEANS, RUNNING])
def test_chunks_add_up_to_the_final_estimate(text: str) -> None:
    samples = perplexity_samples(text, 512)
    assert samples is not None
    assert [sample.label for sample in samples] == ["0", "1", "2"]
    tokens = sum(sample.values["tokens"] for sample in samples)
    assert tokens == 3 * 255
    assert math.exp(sum(s.values["nll"] for s in samples) / tokens) == pytest.approx(22.3719, 1e-5)


def test_a_chunk_is_the_difference_of_two_totals() -> None:
    samples = perplexity_samples(MEANS, 512)
    assert samples is not None
    assert samples[1].values["nll"] == pytest.approx(255 * (2 * 3.066254 - 2.539167))


@pytest.mark.parametrize(
    "text", ["", "Unexpected negative standard deviation of log(prob)\n", MEANS.split("Final")[0]]
)
def test_without_a_final_estimate_there_is_no_result(text: str) -> None:
    assert perplexity_samples(text, 512) is None


def test_a_chunk_that_is_no_number_is_no_result() -> None:
    assert perplexity_samples(MEANS.replace("21.4614  3.066254", "nan  nan"), 512) is None


def test_divergence() -> None:
    samples = divergence_samples(KLD, 256)
    assert samples is not None
    first, second, _ = (sample.values for sample in samples)
    assert first["tokens"] == second["tokens"] == 127
    assert first["kld"] == pytest.approx(0.00506 * 127, rel=0.01)
    assert first["same_top"] == 119 / 127
    assert second["same_top"] == 124 / 127
    assert first["kld_p999"] == second["kld_p999"] == 0.035065


def test_divergence_adds_up_to_the_final_mean() -> None:
    samples = divergence_samples(KLD, 256)
    assert samples is not None
    total = sum(sample.values["kld"] for sample in samples)
    assert total / (3 * 127) == pytest.approx(0.004777, rel=1e-9)


def test_divergence_of_a_run_from_itself_is_a_result() -> None:
    """It prints "± -nan": the ratio of two equal perplexities has no spread."""
    samples = divergence_samples((SAID / "divergence_from_itself.txt").read_text("utf-8"), 128)
    assert samples is not None
    assert sum(sample.values["kld"] for sample in samples) == pytest.approx(0, abs=1e-3)
    assert all(sample.values["same_top"] == 1 for sample in samples)


def test_statistics_that_were_not_printed_are_no_result() -> None:
    assert divergence_samples(KLD.split("======")[0], 256) is None


@given(st.lists(st.floats(0.5, 12.0), min_size=1, max_size=60), st.sampled_from([64, 512, 2048]))
def test_what_was_printed_is_recovered(means: list[float], n_ctx: int) -> None:
    tokens = scored_tokens(n_ctx)
    lines, so_far = [], 0.0
    for number, mean in enumerate(means, start=1):
        so_far += mean
        running = so_far / number
        lines.append(f"{number * n_ctx:8d}  {math.exp(running):.4f}  {running:4f}  {0.1:4f}")
    head = f"perplexity: calculating perplexity over {len(means)} chunks"
    text = "\n".join([head, *lines, "", "Final estimate: PPL = 1.0000 +/- 0.10000"])
    samples = perplexity_samples(text, n_ctx)
    assert samples is not None
    assert len(samples) == len(means)
    for number, (sample, mean) in enumerate(zip(samples, means, strict=True), start=1):
        assert sample.values["nll"] == pytest.approx(mean * tokens, abs=1.1e-6 * number * tokens)


@given(st.text(alphabet="[]0123456789.,±% \nMeanKLDPu:+-/FinlestmaP=", max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (perplexity_samples, divergence_samples):
        samples = read(text, 512)
        assert samples is None or all(sample.values["tokens"] == 255 for sample in samples)
