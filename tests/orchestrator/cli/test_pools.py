"""From --pool and --address to a pool."""

from __future__ import annotations

import pytest

from orchestrator.cli.doors import PoolKind
from orchestrator.cli.pools import make_pool
from search_spaces.errors import SpaceError


def test_an_address_without_ray_is_refused() -> None:
    with pytest.raises(SpaceError, match="--pool inline is without Ray"):
        make_pool(PoolKind.INLINE, "lab1:6379")
