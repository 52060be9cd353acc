"""Where a model's answers end by themselves, so that filler after the end can be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from workers.contract.failure import Phase
from workers.facets.passes import request_deadline_s
from workers.gates.spec_kinds import remembers
from workers.http.client import ServerClient
from workers.suites.load import Prompt

if TYPE_CHECKING:
    from workers.facets.setting import Setting

_Key = tuple[str, str, int]


class NaturalEnds:
    """Tokens that a model gives for each prompt before it ends, asked once for each model.

    Timed requests ignore the end, so it takes requests of their own: one a prompt, at most as
    long as the timed ones. Other K/V types of the same model move the end a little; what comes of
    it is a flag, so the first one asked speaks for all. Lives as long as its worker.
    """

    def __init__(self) -> None:
        self._known: dict[_Key, dict[str, int]] = {}

    def known(self, setting: Setting) -> Mapping[str, int]:
        """By the prompt's id; empty where they were not asked."""
        return self._known.get(_key(setting), {})

    def ask(self, client: ServerClient, setting: Setting, prompts: Sequence[Prompt]) -> None:
        """Asks for what is not known yet. Raises what httpx raises, and ValueError.

        A drafter that remembers answers would know the timed ones by then: it is not asked.
        Neither are prompts behind a filled context, which cost more than the flag is worth.
        """
        recipe = setting.throughput
        if remembers(setting.job.resolved.candidate.spec) or recipe.fill > 0:
            return
        known = self._known.setdefault(_key(setting), {})
        for prompt in prompts:
            if prompt.id not in known:
                setting.check(Phase.WARMUP)
                done = client.completion(
                    prompt.text,
                    recipe.predict,
                    ignore_eos=False,
                    timeout_s=request_deadline_s(recipe),
                )
                known[prompt.id] = done.predicted_n


def _key(setting: Setting) -> _Key:
    recipe = setting.throughput
    return setting.job.resolved.model, recipe.suite, recipe.predict
