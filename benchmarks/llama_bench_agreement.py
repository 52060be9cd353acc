"""How our tok/s without speculation stands to llama-bench of the same build.

    python -m benchmarks.llama_bench_agreement BIN_DIR MODEL [KV] [ROUNDS] [WAYS]

Alternates llama-bench (no sampling, no server) with a server in four ways of asking: logging
everything or little, the whole chain of samplers or greedy choice alone (the first WAYS of them).
Ratios within one run, paired by round; absolute speeds depend on what else the machine does.
"""

from __future__ import annotations

import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import httpx

from search_spaces.candidate import Candidate
from workers.contract.reports import RigReport
from workers.engines.base import Assets
from workers.engines.llama_server import VERBOSITY, LlamaServerEngine
from workers.gpu.discover import discover_rigs
from workers.statistics.quantiles import CONFIDENCE, t_quantile
from workers.suites.load import load_suite

TOKENS, DEPTH, PROMPTS = 128, 64, 6
WAYS = {
    "server, as measured": (VERBOSITY, None),
    "server, little logging": (None, None),
    "server, greedy sampler only": (VERBOSITY, ["top_k"]),
    "server, greedy sampler only, little logging": (None, ["top_k"]),
}


def bench(folder: Path, model: Path, kv: str, rig: RigReport) -> float:
    """llama-bench's generated tok/s at a depth like that of our requests."""
    k, _, v = kv.partition("/")
    layers = "99" if rig.cards else "0"
    argv = [str(folder / "llama-bench"), "-m", str(model), "-p", "0", "-n", str(TOKENS)]
    argv += ["-d", str(DEPTH), "-r", "3", "-ctk", k, "-ctv", v, "-fa", "1", "-ngl", layers]
    argv += ["-t", str(rig.threads), "-o", "jsonl"]
    done = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=600)
    return float(json.loads(done.stdout.strip().splitlines()[-1])["avg_ts"])


def served(
    folder: Path,
    model: Path,
    kv: str,
    rig: RigReport,
    verbosity: int | None,
    samplers: list[str] | None,
) -> float:
    """Our tok/s: tokens after the first over generation time, summed over the prompts."""
    k, _, v = kv.partition("/")
    engine = LlamaServerEngine("bench", str(folder), verbosity=verbosity)
    candidate = Candidate(model=str(model), engine="bench", kv_k=k, kv_v=v, ctx=2048)
    body = {"n_predict": TOKENS, "temperature": 0, "top_k": 1, "cache_prompt": False}
    body |= {"ignore_eos": True} | ({"samplers": samplers} if samplers else {})
    tokens = ms = 0.0
    with tempfile.TemporaryDirectory() as logs:
        log = Path(logs) / "log"
        with (
            engine.launch(candidate, Assets(model), rig, log) as running,
            httpx.Client(base_url=running.base_url, timeout=300) as http,
        ):
            prompts = load_suite("coding").first(PROMPTS)
            for index, prompt in enumerate((prompts[0], prompts[0], *prompts)):
                answer = http.post("/completion", json=body | {"prompt": prompt.text})
                timings = answer.json()["timings"]
                if index >= 2:  # the first two warm up
                    tokens += timings["predicted_n"] - 1
                    ms += timings["predicted_ms"]
    return 1000 * tokens / ms


def ratio(rates: Sequence[float], base: Sequence[float]) -> str:
    """Of llama-bench, round by round, with the 95 % interval that the rounds give."""
    logs = [math.log(rate / bench) for rate, bench in zip(rates, base, strict=True)]
    middle = statistics.mean(logs)
    if len(logs) < 2:
        return f"{math.exp(middle):.3f}"
    half = t_quantile(len(logs) - 1, CONFIDENCE) * statistics.stdev(logs) / math.sqrt(len(logs))
    low, high = math.exp(middle - half), math.exp(middle + half)
    return f"{math.exp(middle):.3f} ({low:.3f} to {high:.3f})"


def main() -> None:
    """Prints medians over rounds, and each as a share of llama-bench, paired by round."""
    folder, model = Path(sys.argv[1]), Path(sys.argv[2])
    kv = sys.argv[3] if len(sys.argv) > 3 else "f16/f16"
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    ways = list(WAYS.items())[: int(sys.argv[5]) if len(sys.argv) > 5 else None]
    rig = discover_rigs()[0]
    base: list[float] = []
    seen: dict[str, list[float]] = {name: [] for name, _ in ways}
    for _ in range(rounds):
        base.append(bench(folder, model, kv, rig))
        for name, (verbosity, samplers) in ways:
            seen[name].append(served(folder, model, kv, rig, verbosity, samplers))
    print(f"| {kv} on {rig.name}, {rounds} rounds | tok/s | lowest to highest | of llama-bench |")
    print("|---|---|---|---|")
    for name, rates in {"llama-bench": base, **seen}.items():
        middle = statistics.median(rates)
        print(
            f"| {name} | {middle:.1f} | {min(rates):.1f} to {max(rates):.1f} | "
            f"{ratio(rates, base)} |"
        )


if __name__ == "__main__":
    main()
