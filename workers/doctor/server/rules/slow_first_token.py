"""slow_first_token: answers are long in beginning."""

from __future__ import annotations

from workers.doctor.finding import Confidence, Finding
from workers.doctor.server.base import Scene, warning
from workers.doctor.server.vocabulary import Reading
from workers.doctor.server.window import NotToldError

_SLOW_S = 2.0
_SLOW_PROMPT_S = 5.0  # llama-server tells no first tokens; its prompts alone take this long


class SlowFirstToken:
    """People wait for the first token; it is made of the queue and of the prompt.

    vLLM keeps a histogram. llama-server only adds up the time of its prompts: that is divided
    by the requests that its slots showed, and leaves the queue out.
    """

    name = "slow_first_token"
    catches = "first tokens take more than 2 s on average (llama-server: prompts more than 5 s)"

    def check(self, scene: Scene) -> Finding | None:
        """None where no request began meanwhile."""
        window = scene.window
        if window.tells(Reading.FIRSTS):
            firsts = window.delta(Reading.FIRSTS)
            mean = window.delta(Reading.FIRST_S) / firsts if firsts else 0.0
            if mean <= _SLOW_S:
                return None
            evidence = f"the first token took {mean:.1f} s on average of {firsts:.0f} requests."
            return warning(self, Confidence.HIGH, evidence, _ADVICE)
        seconds = window.delta(Reading.PROMPT_S)
        if seconds <= _SLOW_PROMPT_S:
            return None
        tasks = {slot.task for slot in scene.all_slots if slot.busy and slot.decoded > 0}
        if not tasks:
            raise NotToldError("neither a histogram nor slots say how many requests began")
        mean, tokens = seconds / len(tasks), window.delta(Reading.PROMPT)
        if mean <= _SLOW_PROMPT_S:
            return None
        evidence = (
            f"prompts took {mean:.1f} s each: {tokens:,.0f} tokens in {seconds:.1f} s for "
            f"{len(tasks)} requests, queue not counted."
        )
        return warning(self, Confidence.MEDIUM, evidence, _ADVICE)


_ADVICE = (
    "See queue_pressure first. Else shorten prompts, keep their beginnings equal so that the "
    "cache serves them, or raise the batch (-b, -ub; vLLM: --max-num-batched-tokens)."
)
RULE = SlowFirstToken()
