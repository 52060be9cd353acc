"""Small host reports: rigs, engines and models that nobody has to own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orchestrator.sweeping.plan import survey_request
from search_spaces.space import Space
from workers.contract.model_header import ModelHeader
from workers.contract.reports import (
    Build,
    Capabilities,
    Card,
    EngineReport,
    HostReport,
    ModelReport,
    PairReport,
    RigKind,
    RigReport,
)

BLOCK_SIZE = 8  # what the drafters here were trained for: at most 7 tokens are drafted
CAPABILITIES = Capabilities(
    dialect="mainline",
    kv_types=("f16", "q8_0", "q5_1", "q4_0"),
    draft_kv_types=("f16", "q8_0"),
    spec_types=("draft-dflash", "ngram-simple"),
)


def make_rig(
    name: str = "rtx",
    kind: RigKind = RigKind.CUDA,
    memory_mib: int = 24_576,
    card: str = "NVIDIA GeForce RTX 4090",
    host: str = "tower",
) -> RigReport:
    """One rig with one card (none on a CPU rig). Rigs with equal cards have equal speeds."""
    cards = (Card(0, card, f"GPU-{name}", memory_mib),) if kind is RigKind.CUDA else ()
    return RigReport(
        name=name,
        kind=kind,
        host=host,
        cpu_model="Ryzen 9",
        cores=16,
        threads=16,
        memory_mib=65_536,
        os="Linux",
        cards=cards,
        driver="580.1" if cards else "",
    )


def make_host(
    space: Space,
    rigs: Sequence[RigReport] = (),
    *,
    engine_sha: str = "a" * 64,
    capabilities: Capabilities | None = CAPABILITIES,
    block_size: int | None = BLOCK_SIZE,
    missing: Sequence[str] = (),
    same_file: Mapping[str, str] | None = None,
    headers: Mapping[str, ModelHeader] | None = None,
    bad_pairs: Sequence[PairReport] = (),
) -> HostReport:
    """A host on which everything that the space names is found.

    But for `missing` references, which are reported with a problem. `same_file` maps a reference
    to the one whose content it has; `headers` are what the memory model reads.
    """
    request = survey_request(space)
    same_file, headers = same_file or {}, headers or {}
    drafters = {drafter for _, drafter in request.pairs}

    def model(reference: str) -> ModelReport:
        if reference in missing:
            return ModelReport(reference, problem=f"no file {reference}")
        facts: dict[str, str | int | float | bool] = {"n_ctx_train": 32_768}
        if reference in drafters and block_size is not None:
            facts["block_size"] = block_size
        sha = f"sha-{same_file.get(reference, reference)}"
        path = f"/models/{reference}"
        return ModelReport(reference, path, 10**8, sha, facts, headers.get(reference))

    def engine(name: str, kind: str) -> EngineReport:
        if name in missing:
            return EngineReport(name, kind, problem=f"engine {name!r} does not start")
        builds = (
            Build("server", "b11434", f"{name}-{engine_sha}"[:64], f"/engines/{name}"),
            Build("logits", "b11434", f"logits-{name}-{engine_sha}"[:64], f"/engines/{name}-ppl"),
        )
        return EngineReport(name, kind, builds, capabilities)

    return HostReport(
        host="tower",
        rigs=tuple(rigs) or (make_rig(),),
        engines=tuple(engine(name, ref.kind) for name, ref in request.engines.items()),
        models=tuple(model(reference) for reference in request.models),
        bad_pairs=tuple(bad_pairs),
        contents={text: f"hash-of-{text}" for text in (*request.suites, *request.corpora)},
    )
