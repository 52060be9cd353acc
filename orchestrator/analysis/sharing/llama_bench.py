"""llama-bench's output as a sweep, so that its numbers can stand beside ours.

llama-bench repeats within one launch: its rates carry no interval, because nothing in them says
how far launches differ. It knows no speculation and measures no quality.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath

from db.spaces import space_to_json
from db.states import SweepState, TrialRole, TrialState
from db.whole import WholeJob, WholeSweep, WholeTrial
from orchestrator.analysis.sharing.format import MOST_IN_A_FILE, BundleError
from orchestrator.analysis.sharing.llama_bench_rows import BenchRow, bench_rows
from orchestrator.analysis.sharing.reading import Incoming
from search_spaces.candidate import Candidate, digest
from search_spaces.metrics import Facet
from search_spaces.space import Space
from workers.contract.outcome import Completed, Estimate, FacetResult, Sample
from workers.contract.reports import Build, Card, HostReport, ModelReport, RigKind, RigReport
from workers.contract.resolved import ResolvedCandidate
from workers.gpu.names import short_name
from workers.statistics.rate import estimates

NAME = "llama-bench"
_AXES = (
    *("model", "kv_k", "kv_v", "ctx", "batch", "ubatch", "ngl", "threads", "n_cpu_moe"),
    *("split_mode", "tensor_split", "override_tensor", "load_mode", "flags"),
)


def read_llama_bench(path: Path) -> Incoming:
    """The sweep that an output describes. Raises BundleError."""
    with path.open("rb") as file:
        data = file.read(MOST_IN_A_FILE + 1)
    if len(data) > MOST_IN_A_FILE:
        raise BundleError(f"{path.name} is too large for an output of llama-bench.")
    rows = bench_rows(path.name, data.decode("utf-8", errors="replace"))
    alone = [row for row in rows if (row.n_prompt == 0) != (row.n_gen == 0) and row.avg_ts > 0]
    if not alone:
        raise BundleError(f"{path.name} holds no test of prompts alone or of generation alone.")
    left = len(rows) - len(alone)
    notes = (f"{left} tests of prompt and generation together were left out.",) if left else ()
    return Incoming(_sweep(alone), hashlib.sha256(data).hexdigest(), notes)


def _sweep(rows: Sequence[BenchRow]) -> WholeSweep:
    longest: dict[int, int] = {}
    for row in rows:
        longest[row.n_depth] = max(longest.get(row.n_depth, 0), row.n_prompt, row.n_gen)
    groups: dict[tuple[str, Candidate], list[BenchRow]] = {}
    for row in rows:
        groups.setdefault(_launch(row, row.n_depth + longest[row.n_depth]), []).append(row)
    trials = list(_trials(groups))
    hosts = HostReport(
        NAME,
        tuple({rig: _rig(same[0]) for (rig, _), same in groups.items()}.values()),
        models=tuple(
            {_file(row): ModelReport(_file(row), size=row.model_size) for row in rows}.values()
        ),
    )
    times = [row.test_time for row in rows]
    space, named = space_to_json(_space([candidate for _, candidate in groups]))
    return WholeSweep(
        key=digest([NAME, [row.model_dump(mode="json") for row in rows]]),
        name=NAME,
        space=space,
        named_facets=named,
        fingerprint={"llama-bench": _label(rows[0])},
        state=SweepState.FINISHED,
        started=min(times),
        ended=max(times),
        hosts=(hosts,),
        jobs=tuple(job for job, _ in trials),
        trials=tuple(trial for _, trial in trials),
    )


def _trials(
    groups: dict[tuple[str, Candidate], list[BenchRow]],
) -> Iterator[tuple[WholeJob, WholeTrial]]:
    for number, ((rig, candidate), rows) in enumerate(groups.items()):
        first, key = rows[0], f"{number}"
        build = Build("server", _label(first), "", "")
        resolved = ResolvedCandidate(candidate, _label(first), _label(first), _file(first))
        result = FacetResult(
            Facet.THROUGHPUT, key, build, _estimates(rows), _samples(rows), ("single_launch",)
        )
        memo, times = {Facet.THROUGHPUT: key}, [row.test_time for row in rows]
        yield (
            WholeJob(
                id=key,
                rig=_rig(first),
                attempt=1,
                seed=0,
                simulated=False,
                resolved=resolved,
                recipe={},
                stop={},
                memo=memo,
                started=min(times),
                ended=max(times),
                completed=Completed(key, (result,)),
            ),
            WholeTrial(
                id=number,
                rig=rig,
                number=number,
                role=TrialRole.SEARCH,
                state=TrialState.COMPLETE,
                candidate=candidate,
                resolved_key=resolved.key,
                effective_key=None,
                same_as=None,
                failed_by=None,
                flags=(),
                created=min(times),
                ended=max(times),
                memo=memo,
            ),
        )


def _samples(rows: Sequence[BenchRow]) -> tuple[Sample, ...]:
    """Every repetition. Our rate leaves out the token that comes with the prompt: one is added."""
    made = []
    for row in rows:
        for repeat, ns in enumerate(row.samples_ns):
            ms = ns / 1e6
            if row.n_gen:
                values = {"predicted_n": row.n_gen + 1.0, "predicted_ms": ms}
            else:
                values = {"prompt_n": float(row.n_prompt), "prompt_ms": ms}
            made.append(Sample(_test(row), values, 0, repeat, NAME))
    return tuple(made)


def _estimates(rows: Sequence[BenchRow]) -> tuple[Estimate, ...]:
    """From the raw times where there are some; SQL has only averages."""
    averages = (Estimate("tok_s" if row.n_gen else "prompt_tok_s", row.avg_ts) for row in rows)
    return estimates(_samples(rows)) or tuple({e.metric: e for e in averages}.values())


def _test(row: BenchRow) -> str:
    return f"tg{row.n_gen}" if row.n_gen else f"pp{row.n_prompt}"


def _launch(row: BenchRow, ctx: int) -> tuple[str, Candidate]:
    """Rig and candidate of a row. What tells two depths apart is the context they fill."""
    off = str(row.flash_attn).lower() in ("0", "false", "off")
    candidate = Candidate(
        model=_file(row),
        engine=NAME,
        kv_k=row.type_k,
        kv_v=row.type_v,
        ctx=ctx,
        batch=row.n_batch,
        ubatch=row.n_ubatch,
        ngl="all" if row.n_gpu_layers < 0 or row.n_gpu_layers >= 99 else str(row.n_gpu_layers),
        split_mode=_unless("layer", row.split_mode),
        tensor_split=_unless("0.00", row.tensor_split),
        n_cpu_moe=row.n_cpu_moe or None,
        override_tensor=_unless("none", row.tensor_buft_overrides),
        load_mode=_unless("auto", row.load_mode),
        threads=row.n_threads or None,
        flags="-fa off" if off else None,
    )
    return _rig(row).name, candidate


def _unless(usual: str, value: str) -> str | None:
    return None if value == usual else value


def _rig(row: BenchRow) -> RigReport:
    """What llama-bench says of the machine; it tells neither memory nor driver."""
    cards = [name.strip() for name in row.gpu_info.split(",") if name.strip()]
    names = [short_name(name) for name in cards]
    return RigReport(
        name="+".join(names) or "cpu",
        kind=RigKind.CUDA if cards else RigKind.CPU,
        host=NAME,
        cpu_model=row.cpu_info,
        cores=0,
        threads=row.n_threads,
        memory_mib=0,
        os="",
        cards=tuple(Card(i, name, "", 0) for i, name in enumerate(cards)),
    )


def _label(row: BenchRow) -> str:
    return f"llama-bench b{row.build_number} ({row.build_commit or 'no commit'})"


def _file(row: BenchRow) -> str:
    name = row.model_filename
    return (PureWindowsPath if "\\" in name else PurePosixPath)(name).name or "unnamed"


def _space(candidates: Sequence[Candidate]) -> Space:
    """A space that holds these candidates, with what was seen first as the usual value."""
    values = {name: list(dict.fromkeys(getattr(c, name) for c in candidates)) for name in _AXES}
    known = {name: [v for v in found if v is not None] for name, found in values.items()}
    return Space.model_validate(
        {
            "name": NAME,
            "engines": {NAME: {"kind": "llama_server", "path": NAME}},
            "fixed": {"engine": NAME} | {n: v[0] for n, v in known.items() if len(v) == 1},
            "parameters": {n: v for n, v in known.items() if len(v) > 1},
            "baseline": {"fix": {"spec": "none"}, "per": ["rig", "model", "ctx"]},
            "objectives": {"tok_s": "maximize"},
        }
    )
