"""Public load logs as inputs of the memory model.

A case is one JSON object: hyperparameters as a log prints them (`hparams`), what was asked
(`n_ctx`, `n_seq`, `type_k`, ...) and what was allocated (`kv_mib`, `rs_mib`, ...). This module
turns the first two into a header and a request, through the same code that reads real files.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from workers.contract.model_header import ModelHeader
from workers.gguf_files.fields import Fields
from workers.gguf_files.header import build_header
from workers.gguf_files.raw import Value
from workers.memory.request import MemoryRequest

Case = dict[str, Any]

# Widths of the gated delta net that logs of these models leave out, by layer count: 16 value
# heads of 128 (0.8B, 2B) and 32 (4B, 9B); 16 key heads of 128, kernel 4. Source: the
# linear_* keys of Qwen/Qwen3.5-*/config.json.
_QWEN35_INNER = {24: 2048, 32: 4096}

# KV heads by layer of LFM2-350M. Source: full_attn_idxs and num_key_value_heads in
# LiquidAI/LFM2-350M/config.json.
_LFM2_350M_HEADS = tuple(8 if i in (2, 5, 8, 10, 12, 14) else 0 for i in range(16))


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of a JSON-lines file."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def report_on_cases(report: Callable[[list[Case]], str], usage: str) -> None:
    """A benchmark's command line: the report on a file of cases, printed or written."""
    parser = argparse.ArgumentParser(description=usage.partition("\n")[0])
    parser.add_argument("cases", type=Path, help="JSON lines, one load log each")
    parser.add_argument("--output", type=Path, help="write the report to this file")
    arguments = parser.parse_args()
    text = report(list(read_cases(arguments.cases)))
    if arguments.output is None:
        print(text, end="")
    else:
        arguments.output.write_text(text, encoding="utf-8")


def header_of(case: Case) -> ModelHeader | None:
    """The model of a case; None if its attention cannot be told from what the log shows."""
    hparams = dict(case.get("hparams") or {})
    if "n_layer" not in hparams:
        return None
    if (hparams.get("arch"), hparams.get("n_embd"), hparams["n_layer"]) == ("lfm2", 1024, 16):
        hparams.setdefault("n_head_kv", _LFM2_350M_HEADS)
    is_mla = bool(hparams.get("mla")) and "kv_lora_rank" in hparams
    if not is_mla and "n_head_kv" not in hparams:
        return None
    architecture = hparams.get("arch", "llama")
    metadata: dict[str, Value] = {"general.name": str(case.get("model", case["id"]))}
    for key, value in _keys(hparams, architecture, is_mla).items():
        metadata[f"{architecture}.{key}"] = value
    fields = Fields(Path(case["id"]), architecture, metadata)
    header = build_header(fields, [], "", 0)
    n_attention = hparams.get("n_attn_layers", len(header.layers.full))
    n_other = hparams["n_layer"] - n_attention
    if len(header.layers.full) != n_attention and n_other >= 0:
        # The log counts other attention layers than the rule gives: believe the log.
        some = max(header.n_head_kv)
        heads = (some,) * n_attention + (0,) * n_other + (some,) * hparams.get("nextn", 0)
        metadata[f"{architecture}.attention.head_count_kv"] = heads
        header = build_header(fields, [], "", 0)
    return header


def _keys(hparams: Case, architecture: str, is_mla: bool) -> dict[str, Value]:
    n_nextn = hparams.get("nextn", 0)
    keys: dict[str, Value] = {
        "block_count": hparams["n_layer"] + n_nextn,
        "nextn_predict_layers": n_nextn,
        "embedding_length": hparams.get("n_embd", 4096),
        "attention.head_count": hparams.get("n_head", 32),
        "attention.head_count_kv": 1 if is_mla else hparams["n_head_kv"],
    }
    if isinstance(hparams.get("n_head_kv"), list):
        keys["attention.head_count_kv"] = tuple(hparams["n_head_kv"])
    if is_mla:
        width = hparams["kv_lora_rank"] + hparams.get("qk_rope", 64)
        keys |= {"attention.key_length": width, "attention.key_length_mla": width}
    renamed = {
        "head_dim_k": "attention.key_length",
        "head_dim_v": "attention.value_length",
        "head_dim_global": "attention.key_length",
        "head_dim_swa": "attention.key_length_swa",
        "n_swa": "attention.sliding_window",
        "full_attention_interval": "full_attention_interval",
        "ssm_conv_kernel": "ssm.conv_kernel",
        "ssm_state_size": "ssm.state_size",
        "ssm_group_count": "ssm.group_count",
        "ssm_inner_size": "ssm.inner_size",
        "ssm_time_step_rank": "ssm.time_step_rank",
    }
    keys |= {key: hparams[name] for name, key in renamed.items() if name in hparams}
    if "n_swa_layers" in hparams:
        # Any window gives the layer map; cells are then taken from the log (`swa_window_known`).
        keys.setdefault("attention.sliding_window", 1)
    inner = _QWEN35_INNER.get(hparams["n_layer"])
    if architecture == "qwen35" and "ssm_inner_size" not in hparams and inner:
        keys |= {"ssm.conv_kernel": 4, "ssm.state_size": 128}
        keys |= {"ssm.group_count": 16, "ssm.inner_size": inner}
    pattern = re.match(r"(\d+) SWA : (\d+) global", hparams.get("swa_pattern", ""))
    if pattern:
        run = (True,) * int(pattern[1]) + (False,) * int(pattern[2])
        keys["attention.sliding_window_pattern"] = run * (hparams["n_layer"] // len(run))
    return keys


def request_of(case: Case) -> MemoryRequest | None:
    """What was asked for; None without a context (the cell count stands in for it)."""
    ctx = case.get("n_ctx", case.get("kv_cells"))
    kv_k = case.get("type_k")
    if ctx is None or kv_k is None:
        return None
    offloaded = re.match(r"(\d+)/\d+", str(case.get("offloaded", "")))
    is_full = "--swa-full" in str(case.get("model", "")) or bool(case.get("swa_full"))
    # "rs_seq" counts earlier states kept for speculation, whatever the type is called.
    rs_seq = int(case.get("rs_seq") or 0)
    return MemoryRequest(
        ctx=int(ctx),
        kv_k=str(kv_k),
        kv_v=str(case.get("type_v") or kv_k),
        n_seq=int(case.get("n_seq") or 1),
        unified=bool(case.get("kv_unified", False)),
        n_ubatch=int(case.get("n_ubatch") or 512),
        swa_full=is_full,
        spec=str(case.get("spec") or ("draft-mtp" if rs_seq else "none")),
        n_max=int(case.get("n_max") or rs_seq),
        ngl=int(offloaded[1]) if offloaded else None,
    )


def swa_window_known(case: Case) -> bool:
    """True if the log names the window, so that cells can be predicted."""
    return "n_swa" in case.get("hparams", {})
