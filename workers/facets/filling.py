"""Prompts behind so much text that they fill their share of the context."""

from __future__ import annotations

from collections.abc import Sequence

from search_spaces.recipe import ThroughputRecipe
from workers.http.client import ServerClient
from workers.suites.fill import filled, room_for
from workers.suites.load import Prompt


def fill(
    client: ServerClient, prompts: Sequence[Prompt], ctx: int, recipe: ThroughputRecipe
) -> tuple[Prompt, ...]:
    """The prompts as a recipe with `fill` wants them, counted in the engine's own tokens.

    Raises SuiteError for a prompt that is longer than its share, and what httpx raises.
    """
    tokens = room_for(ctx, recipe.fill, recipe.predict)
    return tuple(filled(prompt, tokens, client.count_tokens) for prompt in prompts)
