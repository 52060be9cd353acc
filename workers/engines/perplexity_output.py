"""What llama-perplexity prints, as samples. Formats: tools/perplexity/perplexity.cpp.

The tool prints running means over all chunks so far; a chunk's own sum is the difference of
two neighbouring ones. Rounding in a printed mean shows in two neighbouring chunks with
opposite signs, so it never moves the total, only widens the interval a little.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from workers.contract.outcome import Sample

_NUMBER = r"\d+(?:\.\d+)?"

# --ppl-output-type 1: tokens so far, ppl, mean nll (6 decimals), its error.
_MEAN_NLL = re.compile(rf"^ *\d+ +{_NUMBER} +({_NUMBER}) +(?:{_NUMBER}|-?nan) *$", re.MULTILINE)
# --ppl-output-type 0: "[1]12.6691,[2]21.4614," with 4 decimals.
_RUNNING = re.compile(rf"\[\d+\]({_NUMBER}),")
_CHUNKS = re.compile(r"(?:calculating perplexity|computing) over (\d+) chunks")
FINAL = re.compile(rf"Final estimate: PPL = ({_NUMBER}) \+/- ({_NUMBER})")

# The error of a number that does not vary at all is printed as -nan.
_PAIR = rf" +(-?{_NUMBER}) ± +(?:{_NUMBER}|-?nan)"
_ROW = re.compile(rf"^ *\d+{_PAIR}{_PAIR}{_PAIR}{_PAIR} %{_PAIR} %", re.MULTILINE)
_MEAN_KLD = re.compile(rf"^Mean +KLD: +(-?{_NUMBER})", re.MULTILINE)
_KLD_P999 = re.compile(rf"^99\.9% +KLD: +(-?{_NUMBER})", re.MULTILINE)


def scored_tokens(n_ctx: int) -> int:
    """How many tokens of a chunk count: those of its second half but the very last."""
    return n_ctx - n_ctx // 2 - 1


def perplexity_samples(text: str, n_ctx: int) -> list[Sample] | None:
    """One sample a chunk: `nll` (sum, nats) over `tokens`; None without a final estimate."""
    if not FINAL.search(text):
        return None
    means = [float(mean) for mean in _MEAN_NLL.findall(text)]
    if not means:
        means = [_log(float(ppl)) for ppl in _RUNNING.findall(text)]
    if not _complete(text, means):
        return None
    tokens = scored_tokens(n_ctx)
    return [
        Sample(label=str(number), values={"nll": nll, "tokens": float(tokens)})
        for number, nll in enumerate(_sums(means, tokens))
    ]


def divergence_samples(text: str, n_ctx: int) -> list[Sample] | None:
    """One sample a chunk: sums `kld` and `nll` (nats), `same_top` (share), `tokens`.

    `kld_p999` is that of the whole run in every sample. None without final statistics (the
    tool prints none below 100 scored tokens). Printed with 5 decimals, a chunk's KLD carries a
    rounding error that gives the run's mean a spurious error of about 2e-6 nats times the
    square root of the number of chunks; the total is taken from the final line (6 decimals).
    """
    mean, p999 = _MEAN_KLD.search(text), _KLD_P999.search(text)
    rows = _ROW.findall(text)
    if not mean or not p999 or not _complete(text, rows):
        return None
    tokens = scored_tokens(n_ctx)
    running = [[float(value) for value in row] for row in rows]
    klds = _sums([row[2] for row in running], tokens)
    missing = float(mean[1]) * tokens * len(klds) - sum(klds)
    nlls = _sums([_log(row[0]) for row in running], tokens)
    tops = _sums([row[4] / 100.0 for row in running], tokens)
    return [
        Sample(
            label=str(number),
            values={
                "kld": kld + missing / len(klds),
                "nll": nll,
                "same_top": round(top) / tokens,
                "kld_p999": float(p999[1]),
                "tokens": float(tokens),
            },
        )
        for number, (kld, nll, top) in enumerate(zip(klds, nlls, tops, strict=True))
    ]


def _complete(text: str, chunks: Sequence[object]) -> bool:
    """Whether there is a row for every announced chunk: one of nan is none."""
    announced = _CHUNKS.search(text)
    return bool(chunks) and (announced is None or int(announced[1]) == len(chunks))


def _log(perplexity: float) -> float:
    return math.log(perplexity) if perplexity > 0 else -math.inf


def _sums(running_means: Sequence[float], tokens: int) -> list[float]:
    """Each chunk's sum from the means over the chunks up to it."""
    totals = [mean * tokens * number for number, mean in enumerate(running_means, start=1)]
    return [total - before for total, before in zip(totals, [0.0, *totals], strict=False)]
