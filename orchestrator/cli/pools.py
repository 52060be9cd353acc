"""From --pool to a pool."""

from __future__ import annotations

from orchestrator.cli.doors import PoolKind
from orchestrator.sweeping.pools.base import Pool


def make_pool(kind: PoolKind) -> Pool:
    """The pool of that kind; Ray is imported only when it is wanted."""
    if kind is PoolKind.INLINE:
        from orchestrator.sweeping.pools.inline import InlinePool

        return InlinePool()
    from orchestrator.sweeping.pools.ray_pool import RayPool

    return RayPool()
