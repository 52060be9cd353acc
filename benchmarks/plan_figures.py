"""Public figures of whole launches against what header stand-ins predict for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from benchmarks.memory_cases import Case, request_of
from workers.assumed.models import stand_in
from workers.memory.model import predict
from workers.memory.request import MemoryRequest

MIB = 2**20
MTP_Q8 = "Qwen3.6-27B-MTP-GGUF/Qwen3.6-27B-Q8_0.gguf"
MTP_Q4_XL = "Qwen3.6-27B-MTP-GGUF/Qwen3.6-27B-UD-Q4_K_XL.gguf"
MOE_Q5 = "Qwen3.5-35B-A3B-Q5_K_M.gguf"


@dataclass(frozen=True)
class Figure:
    """`names` are the case's keys that the terms on a place add up to; `how` is the check."""

    case: str
    model: str
    term: str
    key: str
    how: str


_RUNS = tuple(f"cmoro-5090-n{n}" for n in (2, 3, 5, 6))
FIGURES = (
    Figure("qwythos-q8-262k", MTP_Q8, "weights", "model_mib", "exact"),
    Figure("qwythos-q8-262k", MTP_Q8, "host weights", "cpu_mapped_mib", "exact"),
    Figure("qwythos-q8-262k", MTP_Q8, "kv", "kv_mib", "exact"),
    Figure("qwythos-q8-262k", MTP_Q8, "recurrent", "rs_mib", "exact"),
    Figure("qwythos-q8-262k", MTP_Q8, "draft_kv", "draft_kv_mib", "exact"),
    Figure("2080s-dflash", MOE_Q5, "weights", "model_mib", "about"),
    Figure("2080s-dflash", MOE_Q5, "host weights", "cpu_mapped_mib", "about"),
    Figure("q35moe-132k-q8", MOE_Q5, "kv", "kv_mib", "exact"),
    Figure("waired-27b-200k-q8", MTP_Q8, "kv", "kv_mib", "exact"),
    *(Figure(name, MTP_Q4_XL, "total", "used_total_mib", "bound") for name in _RUNS),
    Figure("comm-cmp170", MTP_Q4_XL, "total", "used_with_spec_mib", "bound"),
)


def figures(cases: list[Case]) -> Iterator[str]:
    """One row for each figure whose case is in the file."""
    yield "| case | stand-in | term | predicted MiB | public MiB | difference | check | holds |"
    yield "|---|---|---|---:|---:|---:|---|---|"
    by_id = {case["id"]: case for case in cases}
    for figure in FIGURES:
        if figure.case in by_id:
            yield _row(figure, by_id[figure.case])


def _row(figure: Figure, case: Case) -> str:
    predicted, public = _predicted(figure, case), float(case[figure.key])
    difference = 100 * (predicted - public) / public
    allowed = {"exact": abs(difference) < 0.1, "about": abs(difference) < 10}
    holds = allowed.get(figure.how, predicted <= public)
    return (
        f"| {figure.case} | `{figure.model.rpartition('/')[2]}` | {figure.term} | {predicted:,.1f} "
        f"| {public:,.1f} | {difference:+.2f} % | {figure.how} | {'yes' if holds else 'NO'} |"
    )


def _predicted(figure: Figure, case: Case) -> float:
    header = stand_in(figure.model)
    assert header is not None, f"{figure.model} has a stand-in"
    asked = request_of(case) or MemoryRequest(ctx=4096)
    asked = replace(asked, n_cpu_moe=int(case.get("n_cpu_moe") or 0))
    found = predict(header, asked)
    if figure.term == "total":
        return found.estimate() / MIB
    if figure.term == "host weights":
        return (found.host.weights or 0) / MIB
    return sum(device.get(figure.term) or 0 for device in found.devices) / MIB
