"""What a server counts of its drafts on /metrics, request by request.

llama.cpp counts drafts, and accepted tokens by their position in the draft, since pull request
26389 (August 2026), under the names that vLLM gave them. Builds without these counters say nothing
here; their answers still have the totals.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from workers.http.client import ServerClient

_DRAFTS = "spec_decode_num_drafts_total"
_ACCEPTED_AT = re.compile(
    r'spec_decode_num_accepted_tokens_per_pos_total\{(?:[^}]*,)?position="(\d+)"'
)


def accepted_at(position: int) -> str:
    """The name of a sample's value: tokens accepted at a position of the draft, from 1."""
    return f"accepted_at_{position}"


class DraftCounter:
    """Differences of a server's counters; `drafts_n` and `accepted_at_N` of each request."""

    def __init__(self, client: ServerClient) -> None:
        self._client = client
        self._last = _counts(client.metrics())

    def since(self, accepted: int) -> dict[str, float]:
        """The counts since the last call; empty where there are none, or they do not add up.

        `accepted` is what the answer itself says: counters that tell another story belong to
        more, or to less, than this request. Raises what httpx raises.
        """
        now = _counts(self._client.metrics())
        made = {name: count - self._last.get(name, 0.0) for name, count in now.items()}
        self._last = now
        told = sum(count for name, count in made.items() if name != "drafts_n")
        return made if "drafts_n" in made and told == accepted else {}


def _counts(metrics: Mapping[str, float]) -> dict[str, float]:
    found = {"drafts_n": metrics[_DRAFTS]} if _DRAFTS in metrics else {}
    for name, count in metrics.items():
        if position := _ACCEPTED_AT.match(name):
            found[accepted_at(int(position[1]) + 1)] = count
    return found
