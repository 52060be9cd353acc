"""Which measured candidates a live server may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.words import short_name
from workers.contract.reports import HostReport
from workers.doctor.server.base import Scene
from workers.doctor.server.window import NotToldError


@dataclass(frozen=True)
class Sweep:
    """What a sweep measured, and the name of the file behind each model reference."""

    records: tuple[Measured, ...]
    files: Mapping[str, str]

    @classmethod
    def of(cls, records: Iterable[Measured], hosts: Sequence[HostReport]) -> Sweep:
        """Complete and not simulated records only."""
        real = (r for r in records if r.state is State.COMPLETE and not r.simulated)
        models = (model for host in hosts for model in host.models if model.path)
        return cls(tuple(real), {model.reference: PurePath(model.path).name for model in models})

    def same_model(self, scene: Scene) -> tuple[Measured, ...]:
        """What was measured of the model that the server loaded. Raises NotToldError."""
        name = PurePath(scene.server.model.replace("\\", "/")).name
        if not name:
            raise NotToldError("the server does not tell its model")
        found = tuple(
            record
            for record in self.records
            if name == self.files.get(record.candidate.model)
            or short_name(name) == short_name(record.candidate.model)
        )
        if not found:
            raise NotToldError(f"the sweep did not measure {name}")
        return found

    def same_launch(self, scene: Scene) -> tuple[Measured, ...]:
        """Those that differ from the server in nothing it tells. Raises NotToldError.

        Its command line tells most; without it only context and whether it speculates are
        compared, and several candidates may fit.
        """
        found = [record for record in self.same_model(scene) if _fits(record, scene)]
        if not found:
            raise NotToldError("the sweep measured this model with other settings only")
        return tuple(sorted(found, key=lambda record: -(record.value("tok_s") or 0.0)))


def _fits(record: Measured, scene: Scene) -> bool:
    candidate, server = record.candidate, scene.server
    if server.ctx is not None and candidate.ctx not in (
        server.ctx,
        server.ctx * (server.slots or 1),
    ):
        return False
    told = scene.command.settings if scene.command is not None else None
    if told is None:
        speculates = [s.speculative for s in scene.all_slots if s.speculative is not None]
        return not speculates or any(speculates) == candidate.drafts
    wanted = {"kv_k": candidate.kv_k, "kv_v": candidate.kv_v, "spec": candidate.spec}
    usual = {"kv_k": "f16", "kv_v": "f16", "spec": "none"}
    if any(told.get(name, usual[name]) != value for name, value in wanted.items()):
        return False
    asked = scene.command.number("n_max") if scene.command is not None else None
    return not candidate.drafts or asked is None or candidate.n_max in (None, int(asked))
