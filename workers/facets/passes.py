"""One pass over a fixed suite, in an order that no axis can correlate with."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from search_spaces.recipe import ThroughputRecipe
from workers.contract.outcome import Sample
from workers.http.client import ServerClient
from workers.http.completion import Completion
from workers.http.draft_counts import DraftCounter
from workers.suites.load import Prompt

REQUEST_FLOOR_S = 120.0
SLOWEST_TOK_S = 0.2  # below this an engine counts as hung


def request_deadline_s(recipe: ThroughputRecipe) -> float:
    """Seconds after which one request counts as hung."""
    return REQUEST_FLOOR_S + recipe.predict / SLOWEST_TOK_S


def one_pass(
    client: ServerClient,
    prompts: Sequence[Prompt],
    recipe: ThroughputRecipe,
    launch: int,
    repeat: int,
    seed: int,
    counter: DraftCounter | None = None,
) -> Iterator[tuple[Sample, Completion]]:
    """Each prompt once, shuffled by (seed, launch, repeat); `counter` counts each one's drafts."""
    order = list(prompts)
    random.Random(f"{seed}/{launch}/{repeat}").shuffle(order)
    for prompt in order:
        done = client.completion(prompt.text, recipe.predict, timeout_s=request_deadline_s(recipe))
        counted = counter.since(done.draft_n_accepted) if counter is not None else {}
        values = done.values() | counted
        yield Sample(prompt.id, values, launch, repeat, prompt.group), done
