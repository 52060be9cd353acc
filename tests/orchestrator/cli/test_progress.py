"""Progress on a terminal: a bar and what each rig does, gone when the sweep ends."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from orchestrator.cli.progress import Progress
from orchestrator.sweeping.events import Tally, TrialEnded
from orchestrator.sweeping.plan import Plan, make_plan
from search_spaces.candidate import Candidate
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_host, make_rig
from tests.support.outcomes import make_job
from workers.contract.outcome import Estimate
from workers.contract.reports import RigReport

SPACE = make_space()
CANDIDATE = Candidate(model="small", kv_k="q8_0", kv_v="q8_0")


def plan_on(*rigs: RigReport) -> Plan:
    """The plan of six candidates on these rigs."""
    return make_plan(SPACE, make_host(SPACE, rigs), rigs)


@pytest.fixture
def screen() -> Console:
    """A terminal that keeps what it was sent."""
    return Console(file=StringIO(), force_terminal=True, width=100, highlight=False)


@pytest.fixture
def paper() -> Console:
    """A file."""
    return Console(file=StringIO(), width=100, highlight=False)


def sent(console: Console) -> str:
    """Everything that was written."""
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_a_terminal_shows_what_each_rig_does(screen: Console) -> None:
    with Progress(screen, SPACE) as progress:
        progress.planned(plan_on(make_rig()), 0)
        progress.job_started("rtx", make_job(candidate=CANDIDATE))
        shown = sent(screen)
    assert "0 done, 0 failed, 6 left" in shown
    assert "rtx: throughput, memory of K/V q8_0/q8_0 · no speculation (0 s)" in shown


def test_a_file_gets_lines_only(paper: Console) -> None:
    with Progress(paper, SPACE) as progress:
        progress.planned(plan_on(make_rig()), 0)
        progress.job_started("rtx", make_job(candidate=CANDIDATE))
        progress.note("A word.")
    assert sent(paper) == "kv on rtx: 6 candidates, 6 trials.\nA word.\n"


def test_the_numbers_of_a_trial_are_those_of_the_goals(paper: Console) -> None:
    estimates = {
        "tok_s": Estimate("tok_s", 61.234, 60.0, 62.0, 4),
        "ppl": Estimate("ppl", 10.04, 9.0, 11.0, 4),
        "acceptance": Estimate("acceptance", 0.5),
    }
    with Progress(paper, SPACE) as progress:
        progress.planned(plan_on(make_rig()), 0)
        progress.trial_ended(TrialEnded("rtx", 0, CANDIDATE, estimates), Tally(1, 0, 5, None))
    assert sent(paper).splitlines()[1] == (
        "  1  done      61.2 tok/s  ppl 10.0400  K/V q8_0/q8_0 · no speculation"
    )


def test_with_several_rigs_each_line_names_its_own(paper: Console) -> None:
    with Progress(paper, SPACE) as progress:
        progress.planned(plan_on(make_rig("a"), make_rig("b", card="RTX 3090")), 0)
        progress.trial_ended(TrialEnded("b", 0, CANDIDATE), Tally(1, 0, 5, None))
    assert sent(paper).splitlines()[1].endswith("b: K/V q8_0/q8_0 · no speculation")


def test_trials_of_earlier_runs_are_counted(paper: Console) -> None:
    with Progress(paper, SPACE) as progress:
        progress.planned(plan_on(make_rig()), 4)
        progress.trial_ended(TrialEnded("rtx", 4, CANDIDATE), Tally(1, 0, 36, 360.0))
    lines = sent(paper).splitlines()
    assert lines[0].endswith("6 trials, 4 of them already done.")
    assert lines[1].startswith("  5  done")
    assert lines[1].endswith("[1 left, about 10 s]")
