"""From --pool to a pool."""

from __future__ import annotations

from orchestrator.cli.doors import PoolKind
from orchestrator.sweeping.pools.base import Pool
from search_spaces.errors import SpaceError


def make_pool(kind: PoolKind, address: str | None = None) -> Pool:
    """The pool of that kind; Ray is imported only when it is wanted.

    `address` is that of a cluster of Ray to join. Raises SpaceError for one without Ray.
    """
    if kind is PoolKind.INLINE and address is not None:
        raise SpaceError("--address names a cluster of Ray, and --pool inline is without Ray.")
    if kind is PoolKind.INLINE:
        from orchestrator.sweeping.pools.inline import InlinePool

        return InlinePool()
    from orchestrator.sweeping.pools.ray_pool import RayPool

    return RayPool(address)
