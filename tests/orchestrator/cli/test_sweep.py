"""`orchestrate sweep`: what it leaves, what it says, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from orchestrator.sweeping.pools.base import Finished
from tests.orchestrator.cli.calling import Caller, Said
from tests.orchestrator.cli.scenes import host_of, short_of_memory
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_rig
from tests.support.scripted_pool import ScriptedPool
from tests.support.surfaces import Surface, failing, plain
from workers.contract.failure import Diagnosis, FailureKind
from workers.contract.reports import HostReport

SPACE = """
name: kv
fixed: {model: small, drafter: draft}
parameters: {kv: [f16/f16, q8_0/q8_0], spec: [none, draft-dflash], n_max: [2, 4]}
baseline: {fix: {spec: none, kv: f16/f16}, per: [rig, model]}
objectives: {tok_s: maximize, ppl: minimize}
measure:
  throughput: {suite: coding, prompts: 3, predict: 32, launches: 2, passes: 2, max_passes: 2}
  perplexity: {corpus: wiki, n_ctx: 64, chunks: 4, batch: 64, ubatch: 64}
budget: {trials: 40}
drift: off
"""

Sweep = Callable[..., Said]


class StoppedPool(ScriptedPool):
    """Something ends the sweep while its third job runs: the user's Ctrl-C unless told."""

    def __init__(self, host: HostReport, end: type[BaseException] = KeyboardInterrupt) -> None:
        super().__init__(host)
        self._end = end

    def wait(self, timeout_s: float) -> list[Finished]:
        """Two jobs end before."""
        if len(self.runs) > 2:
            raise self._end
        return super().wait(timeout_s)


def pool_of(surface: Surface = plain) -> ScriptedPool:
    """A pool on a host that holds everything."""
    return ScriptedPool(host_of(make_space()), surface)


@pytest.fixture
def sweep(orchestrate: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sweep:
    """Calls `orchestrate sweep` in an empty folder, on rigs that nobody has to own."""
    monkeypatch.chdir(tmp_path)
    Path("kv.yaml").write_text(SPACE)

    def call(*arguments: object, pool: ScriptedPool | None = None) -> Said:
        made = pool or pool_of()
        monkeypatch.setattr("orchestrator.cli.sweep.make_pool", lambda kind, address: made)
        return orchestrate("sweep", "--space", "kv.yaml", *arguments)

    return call


def test_it_leaves_a_database_a_page_and_a_folder_of_logs(sweep: Sweep, tmp_path: Path) -> None:
    said = sweep()
    assert (said.code, said.err) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == {
        "kv.yaml",
        "orchestrate.db",
        "orchestrate-logs",
        "pareto.html",
    }
    assert said.out.endswith("Page: pareto.html\n")


def test_it_says_one_line_a_trial_and_then_the_front(sweep: Sweep) -> None:
    lines = sweep().out.splitlines()
    assert lines[0] == "kv on rtx: 6 candidates, 6 trials."
    assert [line.split()[0:2] for line in lines[1:7]] == [
        ["1", "baseline"],
        *[[f"{n}", "done"] for n in range(2, 7)],
    ]
    assert lines[7:9] == ["", "Front: rtx"]


def test_what_is_left_never_exceeds_the_plan(sweep: Sweep) -> None:
    """The budget of 40 trials is larger than the space."""
    lines = sweep().out.splitlines()
    assert [line.partition("[")[2].split(",")[0] for line in lines[2:7]] == [
        "4 left",
        "3 left",
        "2 left",
        "1 left",
        "",
    ]


def test_json_is_all_there_is_on_standard_output(sweep: Sweep) -> None:
    said = sweep("--json")
    assert json.loads(said.out)["front"][0]["candidate"]["n_max"] == 4
    assert said.err.startswith("kv on rtx: 6 candidates")
    assert said.err.endswith("Page: pareto.html\n")


def test_the_same_command_goes_on_and_measures_nothing_again(sweep: Sweep) -> None:
    sweep()
    again = pool_of()
    said = sweep(pool=again)
    assert said.code == 0
    assert said.out.startswith("kv on rtx: 6 candidates, 6 trials, 6 of them already done.\n")
    assert again.runs == []


def test_trials_override_the_budget_of_the_space(sweep: Sweep) -> None:
    assert sweep("--trials", 2).out.startswith("kv on rtx: 6 candidates, 2 trials.\n")


def test_a_failed_trial_says_why_and_the_sweep_goes_on(sweep: Sweep) -> None:
    said = sweep(pool=pool_of(failing(short_of_memory)))
    assert said.code == 0
    (position,) = [i for i, line in enumerate(said.out.splitlines()) if "  failed    " in line]
    name, evidence, advice = said.out.splitlines()[position : position + 3]
    assert name.endswith("  failed    out of memory  K/V q8_0/q8_0 · draft-dflash · n_max 4")
    assert evidence == "     cudaMalloc failed: out of memory"
    assert advice == "     Use a smaller ctx."


def test_exit_code_3_when_no_candidate_can_run(sweep: Sweep) -> None:
    said = sweep(pool=ScriptedPool(HostReport("tower", (make_rig(),))))
    assert (said.code, said.out) == (3, "")
    assert said.sentence.startswith("No candidate of kv can run here: 6 of 6 are out: ")
    assert said.sentence.endswith("See them all with: orchestrate plan.")


def test_exit_code_4_when_every_trial_failed(sweep: Sweep, tmp_path: Path) -> None:
    said = sweep(pool=pool_of(failing(lambda candidate, rig: True)))
    assert said.code == 4
    assert said.sentence == "Every trial failed. See why with: orchestrate status."
    assert "Front" not in said.out
    assert (tmp_path / "pareto.html").exists()


def test_exit_code_5_when_a_rig_was_left_out(sweep: Sweep) -> None:
    lost = Diagnosis(FailureKind.WORKER_LOST, "the card is gone", "Restart.", deterministic=False)
    rigs = [make_rig("a"), make_rig("b", card="NVIDIA GeForce RTX 3090")]
    surface = failing(lambda candidate, rig: rig.name == "b", lost)
    said = sweep(pool=ScriptedPool(host_of(make_space(), rigs), surface))
    assert said.code == 5
    assert said.sentence == (
        "Rig b is left out: it failed 3 times in a row, last because the card is gone. What the "
        "sweep measured is kept; the same command tries again."
    )
    assert "Front: a" in said.out


def test_exit_code_130_when_stopped(sweep: Sweep) -> None:
    said = sweep(pool=StoppedPool(host_of(make_space())))
    assert said.code == 130
    assert said.sentence == (
        "Stopped; everything measured so far is kept. Run the same command to go on."
    )


def test_a_stopped_sweep_goes_on(sweep: Sweep) -> None:
    sweep(pool=StoppedPool(host_of(make_space())))
    said = sweep()
    assert said.code == 0
    assert " of them already done.\n" in said.out


def test_a_reader_that_went_away_stops_it(sweep: Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("orchestrator.cli.faults._forget_stdout", lambda: None)
    said = sweep(pool=StoppedPool(host_of(make_space()), BrokenPipeError))
    assert said.code == 130
    assert said.sentence.startswith("Nobody reads the output; everything measured so far is kept.")


def test_a_taken_rig_is_a_sentence(sweep: Sweep) -> None:
    said = sweep(pool=ScriptedPool(host_of(make_space()), refuse="Rig rtx is in use."))
    assert said.code == 2
    assert said.sentence == "Rig rtx is in use."


def test_an_unknown_rig_gets_the_nearest(sweep: Sweep) -> None:
    said = sweep("--rig", "rtz")
    assert (said.code, said.out) == (2, "")
    assert said.sentence == "there is no rig 'rtz' here. Did you mean 'rtx'?"


def test_rigs_may_be_named_in_a_file(sweep: Sweep, tmp_path: Path) -> None:
    (tmp_path / "rigs.yaml").write_text("rigs: {mine: RTX 4090}")
    assert sweep("--rigs", "rigs.yaml").out.startswith("kv on mine: 6 candidates, 6 trials.\n")


def test_a_card_that_is_not_there_gets_the_nearest(sweep: Sweep, tmp_path: Path) -> None:
    (tmp_path / "rigs.yaml").write_text("rigs: {mine: NVIDIA GeForce RTX 4099}")
    said = sweep("--rigs", "rigs.yaml")
    assert said.code == 2
    assert said.sentence == (
        "rig mine: there is no card 'NVIDIA GeForce RTX 4099' on tower. Did you mean "
        "'NVIDIA GeForce RTX 4090'?"
    )


def test_a_bug_keeps_its_traceback(sweep: Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = mock.Mock(side_effect=RuntimeError("a bug"))
    monkeypatch.setattr("orchestrator.cli.sweep.with_trials", bug)
    with pytest.raises(RuntimeError, match="a bug"):
        sweep()


@pytest.mark.parametrize(
    ("option", "path", "says"),
    [
        ("--html", ".", ". is a directory. Name a file in it."),
        ("--html", "no/page.html", "the directory no does not exist. Create it first."),
        ("--log-dir", "kv.yaml", "the directory kv.yaml cannot be made: a file is in its way."),
    ],
)
def test_where_to_write_is_looked_at_before_anything_runs(
    sweep: Sweep, option: str, path: str, says: str
) -> None:
    pool = pool_of()
    said = sweep(option, path, pool=pool)
    assert (said.code, said.out) == (2, "")
    assert said.sentence.startswith(says)
    assert pool.runs == []
