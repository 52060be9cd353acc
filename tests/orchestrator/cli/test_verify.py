"""`orchestrate verify`: says what held, in words, as JSON, and by its exit code."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from search_spaces.candidate import Candidate
from tests.orchestrator.cli.calling import Caller, Said
from tests.orchestrator.cli.scenes import Scene, host_of, sweep
from tests.support.hosts import make_host
from tests.support.scripted_pool import ScriptedPool
from tests.support.surfaces import Surface, Truth, plain
from workers.contract.errors import OrchestrateError
from workers.contract.reports import HostReport, RigReport
from workers.survey import SurveyRequest

Verify = Callable[..., Said]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """A sweep of six candidates that may be written to."""
    return sweep(tmp_path / "swept.db")


@pytest.fixture
def verify(
    orchestrate: Caller, scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Verify:
    """Calls the command on that sweep, on rigs that nobody has to own."""

    def call(
        *arguments: object, surface: Surface = plain, pool: ScriptedPool | None = None
    ) -> Said:
        made = pool or ScriptedPool(host_of(scene.space), surface)
        monkeypatch.setattr("orchestrator.cli.verify.make_pool", lambda kind: made)
        return orchestrate(
            "verify", *arguments, "--storage", scene.storage, "--log-dir", tmp_path / "logs"
        )

    return call


def slow_drafts(candidate: Candidate, rig: RigReport) -> Truth:
    """On another day drafting gains less than the sweep said."""
    truth = plain(candidate, rig)
    return replace(truth, tok_s=truth.tok_s * (0.8 if candidate.drafts else 1.0))


def test_every_launch_is_a_line_and_every_claim_a_sentence(verify: Verify) -> None:
    said = verify("--launches", 3, "--seed", 1)
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0] == "kv: 2 candidates with baselines, 3 launches each, interleaved (seed 1)."
    assert [line.split()[0] for line in lines[1:7]] == [f"{n}/6" for n in range(1, 7)]
    assert "left, about " in lines[1]
    assert "Claims of the sweep, measured again" in said.out
    assert " · faster than the baseline: yes; 1." in said.out


def test_a_claim_that_did_not_survive_is_exit_code_8(verify: Verify, orchestrate: Caller) -> None:
    said = verify("fastest", surface=slow_drafts)
    assert said.code == 8
    assert said.err.startswith("orchestrate: ")
    assert " did not survive." in said.err
    assert "faster than the baseline: NO; only 1.4" in said.out


def test_json_is_all_there_is_on_standard_output(verify: Verify) -> None:
    said = verify("fastest", "--json", "--seed", 5)
    made = json.loads(said.out)
    assert (made["survived"], made["seed"], made["launches"]) == (True, 5, 4)
    assert {claim["kind"] for claim in made["claims"]} == {"faster", "front", "rate"}
    assert made["claims"][0]["verdict"] == "survived"


def test_exports_say_what_was_verified(verify: Verify, scene: Scene, orchestrate: Caller) -> None:
    verify("fastest")
    said = orchestrate("export", "fastest", "--storage", scene.storage)
    assert "# verified 20" in said.out
    assert "× the baseline (" in said.out


def test_a_rebuilt_engine_is_refused_with_a_sentence(verify: Verify, scene: Scene) -> None:
    said = verify(pool=ScriptedPool(make_host(scene.space, engine_sha="b" * 64)))
    assert said.code == 2
    assert "The engine embedded was rebuilt since the sweep (sha256 " in said.err


def test_simulated_results_are_refused(orchestrate: Caller, simulated: Scene) -> None:
    said = orchestrate("verify", "--storage", simulated.storage, "--pool", "inline")
    assert said.code == 2
    assert " is simulated: its numbers were replayed" in said.err


TASKS = {"task:functions": "sha-functions", "task:tetris": "sha-tetris"}


def scoring(scene: Scene) -> ScriptedPool:
    """A pool on a host that can run generated programs."""
    host = host_of(scene.space)
    return ScriptedPool(replace(host, contents={**host.contents, **TASKS}))


def test_finalists_write_programs_when_asked_for(verify: Verify, scene: Scene) -> None:
    pool = scoring(scene)
    said = verify("fastest", "--quality", pool=pool)
    assert said.code == 0
    assert "programs: 2.00 of 3" in said.out
    assert "/quality, scored 0 to 3:\n  to_roman: 3 1 (1 of 7 cases)" in said.out


def test_their_scores_are_in_the_json(verify: Verify, scene: Scene) -> None:
    said = verify("fastest", "--quality", "--json", pool=scoring(scene))
    (scored,) = json.loads(said.out)["quality"]
    assert scored["score"] == 2.0
    assert scored["low"] < 2.0 < scored["high"]
    assert len(scored["answers"]) == 2


class Bare(ScriptedPool):
    """On a host where generated programs have no sandbox."""

    def survey(self, request: SurveyRequest) -> Sequence[HostReport]:
        """Says so, as a real host does."""
        if request.quality is not None:
            raise OrchestrateError("bubblewrap is not installed.", "Install it.")
        return super().survey(request)


def test_a_missing_sandbox_is_said_before_anything_is_launched(
    verify: Verify, scene: Scene
) -> None:
    pool = Bare(host_of(scene.space))
    said = verify("fastest", "--quality", pool=pool)
    assert said.code == 2
    assert said.sentence == "bubblewrap is not installed. Install it."
    assert pool.runs == []


def test_nothing_is_written_unless_asked_for(verify: Verify, scene: Scene) -> None:
    assert "programs" not in verify("fastest", pool=scoring(scene)).out
