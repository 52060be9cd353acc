"""A sweep measured by somebody with secrets, its bundle, and bundles that were tampered with."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from db.spaces import space_to_json
from db.states import SweepState, TrialRole, TrialState
from db.whole import WholeJob, WholeSweep, WholeTrial
from orchestrator.analysis.sharing.archive_reading import read_archive
from orchestrator.analysis.sharing.archive_writing import archive
from orchestrator.analysis.sharing.contents import contents
from orchestrator.analysis.sharing.redacting import redacted, redactor_of
from search_spaces.space import Space
from tests.support.outcomes import BUILD, CANDIDATE, RIG, make_completed, make_failed, make_job
from workers.contract.outcome import Completed, Outcome
from workers.contract.reports import EngineReport, HostReport, ModelReport

HOME = "/home"  # apart, so that no path of a home folder stands in this file
FOLDER = f"{HOME}/zaphod/secret place"
SECRETS = ("zaphod", "secret", "heartofgold", "GPU-0a1b2c3d")
WHEN = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
UUID = "GPU-0a1b2c3d-1111-2222-3333-444455556666"

_MODEL, _DRAFTER = f"{FOLDER}/m.gguf", f"{FOLDER}/d.gguf"
_CANDIDATE = replace(CANDIDATE, model=_MODEL, drafter=_DRAFTER, engine="mine")
_RIG = replace(RIG, host="heartofgold", cards=(replace(RIG.cards[0], uuid=UUID),))


def _space() -> Space:
    return Space.model_validate(
        {
            "name": "kv",
            "engines": {"mine": {"path": f"{FOLDER}/bin"}},
            "fixed": {"engine": "mine", "model": _MODEL, "drafter": _DRAFTER},
            "parameters": {"spec": ["none", "draft-dflash"], "kv": ["q8_0/q5_1", "f16/f16"]},
            "objectives": {"tok_s": "maximize"},
            "measure": {"throughput": {"prompts": 4}},
        }
    )


def _job(id: str, outcome: Callable[[Any], Outcome]) -> WholeJob:
    job = make_job(id, _CANDIDATE)
    ended = outcome(job)
    launch = replace(make_completed(job).trace.launches[0], log_path=f"{FOLDER}/logs/{id}.log")
    argv = (f"{FOLDER}/bin/llama-server", "-m", _MODEL)
    trace = replace(
        ended.trace, launches=(replace(launch, argv=argv),), log_tail=f"from {FOLDER}/x"
    )
    ended = replace(ended, trace=trace)
    done = isinstance(ended, Completed)
    return WholeJob(
        id=id,
        rig=_RIG,
        attempt=1,
        seed=7,
        simulated=False,
        resolved=job.resolved,
        recipe={},
        stop={},
        memo=job.memo,
        started=WHEN,
        ended=WHEN,
        completed=ended if isinstance(ended, Completed) else None,
        failed=None if done else ended,  # type: ignore[arg-type]
    )


def _trial(id: int, job: WholeJob, **changed: Any) -> WholeTrial:
    trial = WholeTrial(
        id=id,
        rig=_RIG.name,
        number=id,
        role=TrialRole.SEARCH,
        state=TrialState.COMPLETE,
        candidate=_CANDIDATE,
        resolved_key=job.resolved.key,
        effective_key=None,
        same_as=None,
        failed_by=None,
        flags=(),
        created=WHEN,
        ended=WHEN,
        memo=job.memo,
    )
    return replace(trial, **changed)


def whole() -> WholeSweep:
    """A complete, a failed and a replayed trial of two jobs, with secrets everywhere."""
    good, bad = _job("good", make_completed), _job("bad", make_failed)
    space, named = space_to_json(_space())
    engine = EngineReport("mine", "llama_server", (replace(BUILD, path=f"{FOLDER}/bin/x"),))
    models = tuple(ModelReport(path, path, 5, "ab" * 32) for path in (_MODEL, _DRAFTER))
    return WholeSweep(
        key="k" * 16,
        name="kv",
        space=space,
        named_facets=named,
        fingerprint={"orchestrate": "0.1.0", _MODEL: "abab"},
        state=SweepState.FINISHED,
        started=WHEN,
        ended=WHEN,
        hosts=(HostReport("heartofgold", (_RIG,), (engine,), models),),
        jobs=(good, bad),
        trials=(
            _trial(1, good),
            _trial(2, bad, state=TrialState.FAILED, failed_by="bad", memo={}),
            _trial(3, good, state=TrialState.REPLAYED, same_as=1),
        ),
    )


def clean() -> WholeSweep:
    """The same without the secrets."""
    return redacted(whole(), redactor_of(whole()))


def bundle(folder: Path, name: str = "kv.tar.gz", sweep: WholeSweep | None = None) -> Path:
    """A bundle of a sweep, of `clean()` unless given."""
    path = folder / name
    path.write_bytes(archive(name, "kv", contents(sweep or clean(), {})))
    return path


def tampered(path: Path, change: Callable[[dict[str, bytes]], None], name: str = "t.zip") -> Path:
    """A copy of a bundle whose files were changed behind its manifest's back."""
    files = dict(read_archive(path))
    change(files)
    target = path.with_name(name)
    target.write_bytes(archive(name, "kv", files))
    return target


def edited(files: dict[str, bytes], name: str, change: Callable[[Any], None]) -> None:
    """Changes a JSON file in place."""
    data = json.loads(files[name])
    change(data)
    files[name] = json.dumps(data).encode()


def tar_of(path: Path, members: Mapping[tarfile.TarInfo, bytes]) -> Path:
    """A tar.gz of exactly these members."""
    with tarfile.open(path, "w:gz") as tar:
        for info, data in members.items():
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path
