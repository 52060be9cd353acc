"""The text that a speculating server must draft on.

Four times the same long sentence, broken off in the middle of the fifth: whatever a model makes
of it, it copies. The period (46 tokens) is longer than the longest match that an n-gram drafter
needs before it drafts at all (24), and its parts do not repeat within the sentence, so that the
drafters that want an unambiguous continuation find one. llama.cpp b11434 with a 135M model drafts
on it with every kind of speculation but ngram-cache of one token; shorter texts leave
ngram-simple and ngram-map-k with nothing to draft.
"""

from __future__ import annotations

_SENTENCE = (
    "The red fox runs over the hill, the blue bird sings in the tree, the green frog sleeps by "
    "the pond, and the old dog waits at the door while the cat watches the rain fall on the "
    "quiet street. "
)

CANARY_TEXT = _SENTENCE * 4 + "The red fox runs over the hill, the blue bird"
CANARY_PREDICT = 48  # tokens to ask for; with the text about 240 tokens of context
