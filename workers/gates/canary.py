"""The text that a speculating server must draft on.

Four times the same long sentence, broken off in the middle of the fifth: whatever a model makes
of it, it copies. The period (45 tokens of SmolLM2) is longer than the longest match that an
n-gram drafter needs before it drafts at all (24), and its parts do not repeat within the
sentence, so that drafters that want an unambiguous continuation find one. llama.cpp b11434 with
a 135M model drafts on it with dflash and every kind of n-gram drafter; on shorter periods (a
count from one to eight) the n-gram drafters draft nothing.
"""

from __future__ import annotations

_SENTENCE = (
    "The red fox runs over the hill, the blue bird sings in the tree, the green frog sleeps by "
    "the pond, and the old dog waits at the door while the cat watches the rain fall on the "
    "quiet street. "
)

CANARY_TEXT = _SENTENCE * 4 + "The red fox runs over the hill, the blue bird"
CANARY_PREDICT = 48  # tokens to ask for; with the text about 240 tokens of context
