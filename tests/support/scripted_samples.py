"""Raw samples as a worker brings them, made up from the numbers of a surface."""

from __future__ import annotations

import math
import random

from tests.support.surfaces import Truth
from workers.contract.job import Job
from workers.contract.outcome import Sample
from workers.facets.repetitions import Next, Progress, decide

PROMPTS = {"sort": "code", "explain": "prose", "parse": "code", "translate": "prose"}
LAUNCH_NOISE = 0.01  # standard deviation of log rate between launches
PASS_NOISE = 0.005  # and between passes of one launch


def throughput_samples(job: Job, truth: Truth) -> tuple[list[Sample], list[str]]:
    """Passes over launches as a worker makes them, by the same rule of when to stop."""
    rng = random.Random(f"{min(job.memo.values())}/{truth.tok_s}")
    recipe, samples = job.recipe.throughput, list[Sample]()
    launch, repeat, speed = 0, 0, rng.gauss(0, LAUNCH_NOISE)
    while True:
        for index, prompt in enumerate(list(PROMPTS)[: recipe.prompts]):
            rate = truth.tok_s * (1 + 0.1 * index) * math.exp(speed + rng.gauss(0, PASS_NOISE))
            samples.append(_request(prompt, rate, recipe.predict, truth, launch, repeat))
        repeat += 1
        step, flag = decide(recipe, job.stop, Progress(launch + 1, repeat, 0.0), samples)
        if step is Next.STOP:
            return samples, [flag] if flag else []
        if step is Next.LAUNCH:
            launch, repeat, speed = launch + 1, 0, rng.gauss(0, LAUNCH_NOISE)


def _request(
    prompt: str, rate: float, predict: int, truth: Truth, launch: int, repeat: int
) -> Sample:
    ms = 1000.0 * predict / rate
    values = {
        "prompt_n": 64.0,
        "prompt_ms": 80.0,
        "predicted_n": float(predict + 1),
        "predicted_ms": ms,
        "ttft_ms": 85.0,
        "wall_ms": ms + 85.0,
    }
    if truth.acceptance is not None:
        values |= {"draft_n": 2.0 * predict, "draft_n_accepted": 2 * predict * truth.acceptance}
    return Sample(prompt, values, launch, repeat, PROMPTS[prompt])


def chunk_samples(job: Job, truth: Truth) -> list[Sample]:
    """Chunks that differ between texts, the same way for every candidate."""
    how = job.recipe.perplexity
    texts = random.Random(how.corpus)
    tokens = how.n_ctx // 2
    ease = [texts.gauss(0, 0.2) for _ in range(how.chunks or 8)]
    mean = sum(ease) / len(ease)
    return [
        Sample(str(i), {"nll": tokens * (math.log(truth.ppl) + e - mean), "tokens": float(tokens)})
        for i, e in enumerate(ease)
    ]


def divergence_samples(job: Job, truth: Truth) -> list[Sample]:
    """KL divergence that grows with the perplexity."""
    kld = truth.ppl / 100
    return [
        Sample(str(i), {"kld": 256 * kld, "tokens": 256.0, "kld_p999": 10 * kld, "same_top": 0.9})
        for i in range(job.recipe.divergence.chunks or 8)
    ]
