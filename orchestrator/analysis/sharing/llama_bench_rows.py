"""What llama-bench prints with -o json, jsonl or sql, as rows. SQL is read, never run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from orchestrator.analysis.sharing.checking import harmless
from orchestrator.analysis.sharing.format import BundleError

Count = Annotated[int, Field(ge=0, le=2**31)]
Text = Annotated[str, Field(max_length=4096)]

_INSERT = re.compile(r"INSERT INTO \w+ \((?P<names>[\w, ]+)\) VALUES \((?P<values>.*)\);")
_VALUE = re.compile(r"'((?:[^']|'')*)'(?:, |$)")


class BenchRow(BaseModel):
    """One test: a prompt of `n_prompt` tokens, or `n_gen` generated ones, `n_depth` before them.

    Times in ns, rates in tokens/s. Defaults are for builds that did not say. Source:
    llama.cpp tools/llama-bench.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)

    model_filename: Text
    n_prompt: Count
    n_gen: Count
    avg_ts: Annotated[float, Field(ge=0)]
    samples_ns: tuple[Annotated[int, Field(gt=0, le=2**63 - 1)], ...] = ()
    n_depth: Count = 0
    build_commit: Text = ""
    build_number: Count = 0
    cpu_info: Text = ""
    gpu_info: Text = ""
    model_size: Annotated[int, Field(ge=0, le=2**62)] = 0
    n_batch: Count = 2048
    n_ubatch: Count = 512
    n_threads: Count = 0
    type_k: Text = "f16"
    type_v: Text = "f16"
    n_gpu_layers: Annotated[int, Field(ge=-(2**31), le=2**31)] = -1
    n_cpu_moe: Count = 0
    split_mode: Text = "layer"
    tensor_split: Text = "0.00"
    tensor_buft_overrides: Text = "none"
    load_mode: Text = "auto"
    flash_attn: bool | int | Text = -1
    test_time: datetime = datetime(1970, 1, 1, tzinfo=UTC)


def bench_rows(name: str, text: str) -> tuple[BenchRow, ...]:
    """The rows of an output. Raises BundleError for what is none."""
    try:
        rows = tuple(BenchRow.model_validate(harmless(row)) for row in _rows(text))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise BundleError(f"a row of {name} cannot be read: {place}: {first['msg']}.") from None
    except (ValueError, RecursionError):
        raise _unknown(name) from None
    if not rows:
        raise _unknown(name)
    return rows


def _rows(text: str) -> Iterator[Any]:
    start = text.lstrip()[:1]
    if start == "[":
        yield from json.loads(text)
    elif start == "{":
        yield from (json.loads(line) for line in text.splitlines() if line.strip())
    else:
        for row in _INSERT.finditer(text):
            names = [name.strip() for name in row["names"].split(",")]
            values = [value.replace("''", "'") for value in _VALUE.findall(row["values"])]
            yield dict(zip(names, values, strict=True))


def _unknown(name: str) -> BundleError:
    return BundleError(
        f"{name} is neither a bundle nor what llama-bench printed.",
        "Name a bundle, or the output of llama-bench -o json, jsonl or sql.",
    )
