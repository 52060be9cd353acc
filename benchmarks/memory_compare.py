"""Predicted figures beside measured ones.

`exact` compares a predicted figure with one from a log; `bound` checks that what is called
certain stays below a measured total; `slope` compares the growth of a total per draft token.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from benchmarks.memory_cases import Case, header_of, request_of, swa_window_known
from workers.contract.model_header import ModelHeader
from workers.memory import kv_types
from workers.memory.cells import context_cells, swa_cells
from workers.memory.kv_cache import KvPair, swa_bytes
from workers.memory.model import predict
from workers.memory.prediction import Prediction
from workers.memory.request import MemoryRequest
from workers.memory.terms import MIB

_LADDER_TAIL = 1024  # tokens: the KVarN rows of the public ladder were measured with this tail


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure of one log beside the prediction, in MiB (cells for terms ending in "cells")."""

    case_id: str
    term: str
    kind: str  # exact, bound, slope
    predicted: float
    measured: float

    @property
    def error_percent(self) -> float:
        """Signed error relative to what was measured."""
        return 100 * (self.predicted - self.measured) / self.measured

    @property
    def holds(self) -> bool:
        """Exact to what a log prints (0.1 % or 0.05 MiB); a bound holds if it is no larger."""
        difference = self.predicted - self.measured
        if self.kind == "bound":
            return difference <= 0.05
        if self.kind == "slope":
            return abs(difference) <= 3
        return abs(difference) <= max(0.05, 0.001 * self.measured)


def compare(case: Case) -> list[Comparison]:
    """Every figure of a case that the model can predict."""
    header, request = header_of(case), request_of(case)
    if header is None:
        return []
    found: list[tuple[str, str, float, float]] = []
    if "kv_ladder_mib" in case and "n_ctx" in case:
        found += _ladder(case, header)
    if request is not None:
        found += _against(case, header, request, predict(header, request, context_overhead=0))
    return [Comparison(case["id"], *one) for one in found if one[3]]


def _against(
    case: Case, header: ModelHeader, request: MemoryRequest, got: Prediction
) -> Iterator[tuple[str, str, float, float]]:
    device, host = got.devices[0], got.host
    totals = {
        term: ((device.get(term) or 0) + (host.get(term) or 0)) / MIB
        for term in ("kv", "swa", "recurrent", "draft_kv")
    }
    knows_state = device.recurrent is not None
    for key, term in (("kv_mib", "kv"), ("draft_kv_mib", "draft_kv"), ("rs_mib", "recurrent")):
        if key in case and (term != "recurrent" or knows_state):
            yield term, "exact", totals[term], case[key]
    if "kv_k_mib" in case:
        yield "kv (keys)", "exact", _keys_only(header, request), case["kv_k_mib"]
    if "kv_per_gpu" in case:
        yield "kv (sum over GPUs)", "exact", totals["kv"], sum(case["kv_per_gpu"])
    if "offloaded" in case:
        for key, terms, term in (
            ("kv_gpu_mib", device, "kv"),
            ("kv_cpu_mib", host, "kv"),
            ("rs_gpu_mib", device, "recurrent"),
            ("rs_cpu_mib", host, "recurrent"),
        ):
            if key in case and terms.get(term) is not None:
                yield f"{term} (by place)", "exact", (terms.get(term) or 0) / MIB, case[key]
    if "kv_cells" in case and "n_ctx" in case:
        yield "kv cells", "exact", context_cells(request), case["kv_cells"]
    yield from _sliding(case, header, request)
    yield from _totals(case, totals, knows_state)


def _sliding(
    case: Case, header: ModelHeader, request: MemoryRequest
) -> Iterator[tuple[str, str, float, float]]:
    if not header.layers.swa:
        return
    predicted = swa_cells(request, header.sliding_window)
    if "swa_cells" in case and swa_window_known(case):
        yield "swa cells", "exact", predicted, case["swa_cells"]
    k, v = kv_types.find(request.kv_k), kv_types.find(request.kv_v)
    if "kv_swa_mib" in case and k and v:
        size = sum(swa_bytes(header, request, KvPair(k, v))) / MIB
        if not swa_window_known(case):
            size *= case.get("swa_cells", predicted) / predicted
        yield "swa", "exact", size, case["kv_swa_mib"]


def _totals(
    case: Case, totals: dict[str, float], knows_state: bool
) -> Iterator[tuple[str, str, float, float]]:
    context = totals["kv"] + totals["swa"] + totals["recurrent"]
    if "used_kv_measured_mib" in case and knows_state:
        yield "kv + recurrent", "exact", context, case["used_kv_measured_mib"]
    if "mtp_est_mib" in case:
        yield "draft_kv under MTP estimate", "bound", totals["draft_kv"], case["mtp_est_mib"]
    certain = case.get("model_mib", 0) + context + totals["draft_kv"]
    used = case.get("used_total_mib")
    if used is not None:
        yield "certain part under total", "bound", certain, used
        # A total of one process leaves out what the driver keeps, so it adds up differently.
        if "model_mib" in case and "compute_mib" in case and "unaccounted_mib" not in case:
            yield "sum", "exact", certain + case["compute_mib"], used
    before, after = _mib(case, "used_baseline"), _mib(case, "used_with_spec")
    if before is not None and after is not None and knows_state and "offloaded" not in case:
        n_max = case.get("n_max", 0)
        extra = totals["draft_kv"] + totals["recurrent"] * n_max / (1 + n_max)
        # Totals in GB are rounded to the last digit given.
        slack = 1000 / 1.048576 * 0.1 if "used_baseline_gb" in case else 0
        if "layers on GPU" not in case.get("note", ""):
            yield "cost of drafting under growth", "bound", extra, after - before + slack


def _mib(case: Case, key: str) -> float | None:
    if f"{key}_mib" in case:
        return float(case[f"{key}_mib"])
    return float(case[f"{key}_gb"]) * 1e9 / MIB if f"{key}_gb" in case else None


def _keys_only(header: ModelHeader, request: MemoryRequest) -> float:
    both = predict(header, replace(request, kv_v=request.kv_k), context_overhead=0).devices[0].kv
    share = header.head_dim_k / (header.head_dim_k + header.head_dim_v)
    return (both or 0) * share / MIB


def _ladder(case: Case, header: ModelHeader) -> Iterator[tuple[str, str, float, float]]:
    for pair, measured in case["kv_ladder_mib"].items():
        k, v = pair.split("/")
        v = v if kv_types.find(v) else _spelled_out(k, v)
        tail = _LADDER_TAIL if k.startswith("kvarn") else 0
        request = MemoryRequest(ctx=case["n_ctx"], kv_k=k, kv_v=v, kv_tail_tokens=tail)
        got = predict(header, request, context_overhead=0).devices[0].kv
        if got is not None:
            yield "kv (types of forks)", "exact", got / MIB, measured


def _spelled_out(k: str, v: str) -> str:
    """The ladder writes kvarn8/8 for kvarn8/kvarn8."""
    return k.rstrip("0123456789") + v


def slopes(cases: Iterable[Case]) -> Iterator[Comparison]:
    """Launches that differ in draft length only: the growth of the total per token."""
    groups: dict[tuple[object, ...], list[Case]] = defaultdict(list)
    for case in cases:
        if "used_total_mib" in case and "n_max" in case and header_of(case) is not None:
            keys = ("source_url", "engine", "gpu", "model", "quant", "n_ctx", "type_k", "type_v")
            groups[tuple(case.get(key) for key in keys)].append(case)
    for group in groups.values():
        in_order = sorted(group, key=lambda case: case["n_max"])
        for low, high in itertools.pairwise(in_order):
            header = header_of(low)
            steps = high["n_max"] - low["n_max"]
            if header is None or not header.recurrent_state_bytes or steps == 0:
                continue
            measured = (high["used_total_mib"] - low["used_total_mib"]) / steps
            predicted = header.recurrent_state_bytes / MIB
            yield Comparison(high["id"], "growth per draft token", "slope", predicted, measured)
