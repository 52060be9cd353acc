"""A profile as a host would report it: cards, engines and models that stand in for real ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from search_spaces.candidate import digest
from search_spaces.names import did_you_mean
from search_spaces.profiles import Profile
from workers.assumed.engines import assumed_engine
from workers.assumed.models import known_files, stand_in
from workers.contract.reports import (
    Card,
    EngineReport,
    HostReport,
    ModelReport,
    RigKind,
    RigReport,
)
from workers.engines.registry import make_engine
from workers.models.builtin import BUILTIN
from workers.models.resolve import facts
from workers.models.resolve import report as report_model
from workers.survey import SurveyRequest, bad_pairs, contents


def profiled(
    profile: Profile, request: SurveyRequest, headers: tuple[Path, ...] = ()
) -> HostReport:
    """What a survey of that machine would say, as far as it can be known here.

    `headers` are folders with more header stand-ins. Raises SpaceError for a bad one.
    """
    models = tuple(_model(reference, headers) for reference in request.models)
    by_reference = {model.reference: model for model in models}
    return HostReport(
        host=profile.name,
        rigs=rigs(profile),
        engines=tuple(_engine(name, request) for name in request.engines),
        models=models,
        bad_pairs=tuple(bad_pairs(request, by_reference)),
        contents=contents(request),
        warnings=tuple(_said(profile, models)),
    )


def rigs(profile: Profile) -> tuple[RigReport, ...]:
    """One rig for each card, or the CPU where there is none; simulated, all of them."""
    cpu = profile.cpu
    base = RigReport(
        name=profile.name,
        kind=RigKind.CUDA if profile.cards else RigKind.CPU,
        host=profile.name,
        cpu_model=cpu.model,
        cores=cpu.cores,
        threads=cpu.threads or cpu.cores,
        memory_mib=profile.memory_mib,
        os=profile.os,
        driver=profile.driver,
        simulated=True,
    )
    cards = [
        Card(
            index,
            card.name,
            f"GPU-profile-{index}",
            card.memory_mib,
            power_limit_w=card.power_limit_w,
            display_attached=card.display,
        )
        for index, card in enumerate(profile.cards)
    ]
    if len(cards) < 2:
        return (replace(base, cards=tuple(cards)),)
    return tuple(replace(base, name=f"gpu{card.index}", cards=(card,)) for card in cards)


def _engine(name: str, request: SurveyRequest) -> EngineReport:
    """The embedded engine is here whatever the rig is; a binary would be there, not here."""
    ref = request.engines[name]
    return make_engine(name, ref).probe() if ref.kind == "embedded" else assumed_engine(name, ref)


def _model(reference: str, headers: tuple[Path, ...]) -> ModelReport:
    """The file where it is here (nothing is downloaded but builtin models), else its stand-in."""
    scheme = reference.partition(":")[0]
    if reference.startswith(BUILTIN) or (scheme != "hf" and Path(reference).expanduser().is_file()):
        return report_model(reference)
    header = stand_in(reference, headers)
    if header is None:
        name = reference.rpartition("/")[2]
        near = did_you_mean(name, known_files(headers))
        return ModelReport(
            reference,
            problem=f"{name} is not here, and no header of it is known. {near} "
            "Describe it in a folder named with --model-headers",
        )
    return ModelReport(
        reference=reference,
        path=f"/models/{header.path.name}",
        size=header.file_bytes,
        sha256=f"header-{digest([header.path.name, header.file_bytes])}",
        header=facts(header),
        gguf=header,
    )


def _said(profile: Profile, models: tuple[ModelReport, ...]) -> list[str]:
    stood_in = [model for model in models if model.sha256.startswith("header-")]
    said = [f"{profile.name} is a profile: nothing of it was looked at, engines are assumed."]
    if stood_in:
        names = ", ".join(Path(model.path).name for model in stood_in)
        said.append(f"Headers stand in for model files, whose sizes are about right: {names}.")
    needed = sum(model.size for model in stood_in) / 2**30
    if profile.disk_free_gib is not None and needed > profile.disk_free_gib:
        said.append(
            f"The models take {needed:.0f} GiB, and {profile.disk_free_gib:g} GiB of the disk "
            "are free."
        )
    return said
