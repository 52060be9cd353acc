"""What llama-bench printed becomes a sweep; the samples in `said/` are of a real build."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.analysis.sharing.format import BundleError
from orchestrator.analysis.sharing.llama_bench import read_llama_bench
from orchestrator.analysis.sharing.llama_bench_rows import bench_rows
from workers.contract.outcome import Completed

SAID = Path(__file__).parent / "said"
FORMS = ("json", "jsonl", "sql")


def results(path: Path) -> list[Completed]:
    return [job.completed for job in read_llama_bench(path).whole.jobs if job.completed]


@pytest.mark.parametrize("form", FORMS)
def test_every_format_gives_a_candidate_for_each_depth(form: str) -> None:
    whole = read_llama_bench(SAID / f"llama_bench.{form}").whole
    assert [trial.candidate.ctx for trial in whole.trials] == [64, 96]
    assert {trial.candidate.model for trial in whole.trials} == {"SmolLM2-135M-Instruct.Q4_1.gguf"}
    assert {trial.rig for trial in whole.trials} == {"cpu"}


@pytest.mark.parametrize("form", FORMS)
def test_rates_are_llama_benchs_own(form: str) -> None:
    """Tokens over time of all repetitions; SQL holds the mean of their rates instead."""
    path = SAID / f"llama_bench.{form}"
    rows = [row for row in bench_rows(form, path.read_text()) if row.n_gen]
    for row, done in zip(rows, results(path), strict=True):
        (tok_s,) = [e for e in done.results[0].estimates if e.metric == "tok_s"]
        whole = row.n_gen * len(row.samples_ns) / (sum(row.samples_ns) or 1) * 1e9
        assert tok_s.value == pytest.approx(whole if row.samples_ns else row.avg_ts)


def test_one_launch_gives_no_interval() -> None:
    for done in results(SAID / "llama_bench.json"):
        assert all(e.low is None and e.high is None for e in done.results[0].estimates)
        assert done.results[0].flags == ("single_launch",)


def test_every_repetition_is_a_sample() -> None:
    first = results(SAID / "llama_bench.json")[0].results[0]
    assert sorted({sample.label for sample in first.samples}) == ["pp64", "tg16"]
    assert len(first.samples) == 6


def row(**changed: object) -> dict[str, object]:
    plain = {"model_filename": "/m/x.gguf", "n_prompt": 0, "n_gen": 8, "avg_ts": 50.0}
    return plain | {"test_time": "2026-11-30T12:00:00Z"} | changed


def read(tmp_path: Path, *rows: object) -> list[str]:
    file = tmp_path / "bench.json"
    file.write_text(json.dumps(rows), encoding="utf-8")
    incoming = read_llama_bench(file)
    return [trial.rig for trial in incoming.whole.trials] + list(incoming.notes)


def test_cards_name_the_rig(tmp_path: Path) -> None:
    rows = [row(gpu_info="NVIDIA GeForce RTX 5090"), row(gpu_info="NVIDIA H200, NVIDIA H200")]
    assert read(tmp_path, *rows) == ["rtx5090", "h200+h200"]


def test_tests_of_both_at_once_are_left_out_and_said(tmp_path: Path) -> None:
    said = read(tmp_path, row(), row(n_prompt=64))
    assert said == ["cpu", "1 tests of prompt and generation together were left out."]


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([], "neither a bundle nor what llama-bench printed"),
        ([{"a": 1}], "a row of bench.json cannot be read: model_filename: Field required"),
        ([row(avg_ts=float("nan"))], "cannot be read: avg_ts"),
        ([row(samples_ns=[0])], "cannot be read: samples_ns.0"),
        ([row(n_gen=10**30)], "cannot be read: n_gen"),
        ([row(n_prompt=5)], "holds no test of prompts alone"),
        (["text"], "a row of bench.json cannot be read"),
    ],
)
def test_what_is_no_output_is_refused(tmp_path: Path, rows: list[object], says: str) -> None:
    with pytest.raises(BundleError) as caught:
        read(tmp_path, *rows)
    assert says in str(caught.value)


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda b: b.decode("latin-1")))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        bench_rows("x", text)
    except BundleError as error:
        assert str(error)
