"""From names to content hashes, and from a candidate to the memo keys of its facets."""

from __future__ import annotations

from dataclasses import dataclass, replace

from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.space import Space
from workers.contract.memo import memo_key
from workers.contract.reports import HostReport, RigReport
from workers.contract.resolved import ResolvedCandidate


@dataclass(frozen=True)
class Resolver:
    """Knows what one rig's host reported."""

    space: Space
    rig: RigReport
    host: HostReport

    def resolve(self, candidate: Candidate) -> ResolvedCandidate:
        """Content hashes in place of names; only for candidates that no rule excludes.

        A draft length beyond the block the drafter was trained for is clamped by every engine
        that we know, so the clamped one is what this candidate means.
        """
        engine = self.host.engine(candidate.engine)
        model = self.host.model(candidate.model)
        drafter = self.host.model(candidate.drafter)
        assert engine is not None and model is not None, "rules exclude what was not found"
        server, logits = engine.build("server"), engine.build("logits")
        return ResolvedCandidate(
            candidate=self.rig.placed(self._clamped(candidate)),
            engine=server.sha256 if server else "",
            logits=logits.sha256 if logits else "",
            model=model.sha256,
            drafter=drafter.sha256 if drafter else None,
        )

    def _clamped(self, candidate: Candidate) -> Candidate:
        drafter = self.host.model(candidate.drafter)
        block = drafter.header.get("block_size") if drafter else None
        if candidate.n_max is None or not isinstance(block, int) or block < 2:
            return candidate
        return replace(candidate, n_max=min(candidate.n_max, block - 1))

    def memo(self, resolved: ResolvedCandidate) -> dict[Facet, str]:
        """The memo key of every facet that the space measures."""
        recipe, contents, facets = self.space.measure, self.host.contents, self.space.facets
        deep = Facet.DEPTH in facets
        return {
            facet: memo_key(facet, resolved, self.rig, recipe, contents, deep=deep)
            for facet in sorted(facets)
        }

    def identity(self, candidate: Candidate) -> str:
        """Equal for candidates that are one launch here, whatever they are called."""
        if self.host.engine(candidate.engine) is None or self.host.model(candidate.model) is None:
            return candidate.asked_key
        return self.resolve(candidate).key
