"""The throughput metrics as ratios of sums, computed by us the same way for every engine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ratio:
    """A metric = factor x sum(over) / sum(under), both summed over prompts.

    `over` and `under` are keys of `Sample.values`; an empty `under` counts requests, so the
    metric is a mean. `relative` ones have errors in per cent of the value (a rate, a time) and
    are compared as ratios; the others (a share between 0 and 1) as differences. `untimed` is
    how much of `over` in each request lies outside of the time in `under`; `also` is a key
    whose value is added to `over`.
    """

    metric: str
    over: str
    under: str = ""
    factor: float = 1.0
    relative: bool = True
    untimed: float = 0.0
    also: str = ""

    def parts(self, values: dict[str, float]) -> tuple[float, float] | None:
        """Numerator and denominator of one request, None when it did not record them."""
        if not {name for name in (self.over, self.under, self.also) if name} <= values.keys():
            return None
        over = values[self.over] - self.untimed + (values[self.also] if self.also else 0.0)
        return over, values[self.under] if self.under else 1.0


_ALL = (
    # The first token comes out of the prompt's pass, before predicted_ms begins. llama-server's
    # own predicted_per_second counted it until August 2026 and leaves it out since.
    Ratio("tok_s", "predicted_n", "predicted_ms", 1000.0, untimed=1.0),
    Ratio("e2e_tok_s", "predicted_n", "wall_ms", 1000.0),
    Ratio("prompt_tok_s", "prompt_n", "prompt_ms", 1000.0),
    Ratio("ttft_ms", "ttft_ms"),
    Ratio("joules_per_token", "energy_j", "predicted_n"),
    Ratio("acceptance", "draft_n_accepted", "draft_n", relative=False),
    # As servers log it: the token that the model adds to each draft counts.
    Ratio("accepted_len", "draft_n_accepted", "drafts_n", also="drafts_n"),
)

RATIOS: dict[str, Ratio] = {ratio.metric: ratio for ratio in _ALL}
