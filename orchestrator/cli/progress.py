"""Live progress: a bar and the current jobs on a terminal, one plain line a trial elsewhere."""

from __future__ import annotations

import time
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING

from orchestrator.analysis.words import Namer, number, quantity
from orchestrator.cli.planning import counted, trials_of
from orchestrator.sweeping.classes import classes_of, listed
from orchestrator.sweeping.estimate import spoken
from orchestrator.sweeping.events import Tally, TrialEnded
from orchestrator.sweeping.plan import Plan
from search_spaces.metrics import Direction
from search_spaces.parameters import candidate_of
from search_spaces.space import Space
from workers.contract.job import Job
from workers.contract.outcome import Estimate

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

REFRESH_PER_S = 4


class Progress:
    """A listener that prints. Use as a context manager around the sweep."""

    def __init__(self, console: Console, space: Space) -> None:
        self._console = console
        self._space = space
        self._namer: Namer | None = None
        self._jobs: dict[str, tuple[str, float]] = {}
        self._total = self._resumed = 0
        self._many = False
        self._tally = Tally(0, 0, space.budget.trials, None)
        self._best: dict[str, Estimate] = {}
        self._live: Live | None = None

    def __enter__(self) -> Progress:
        if self._console.is_terminal:
            from rich.live import Live

            self._live = Live(
                console=self._console,
                get_renderable=self._picture,
                refresh_per_second=REFRESH_PER_S,
                transient=True,
            )
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def planned(self, plan: Plan, resumed: int) -> None:
        """Says what is about to happen."""
        classes = classes_of(plan)
        everything = [candidate_of(a) for one in classes for a in one.plan.feasible]
        self._namer = Namer.of(everything)
        rigs = listed([rig.rig.name for rig in plan.rigs])
        trials = sum(trials_of(plan, one.plan) for one in classes)
        self._total, self._resumed = trials, resumed
        self._tally = Tally(0, 0, max(0, trials - resumed), None)
        self._many = len(classes) > 1
        candidates = counted(sum(len(one.plan.feasible) for one in classes), "candidate")
        again = f", {resumed} of them already done" if resumed else ""
        self._print(
            f"{plan.space.name} on {rigs}: {candidates}, {counted(trials, 'trial')}{again}."
        )
        for warning in plan.warnings:
            self._print(f"Warning: {warning}")

    def job_started(self, rig: str, job: Job) -> None:
        """Remembers what each rig does."""
        name = self._name(job)
        self._jobs[rig] = (f"{', '.join(job.facets)} of {name}", time.monotonic())
        if self._live is not None:
            self._live.refresh()

    def trial_ended(self, ended: TrialEnded, tally: Tally) -> None:
        """One line per trial."""
        tally = self._tally = self._bounded(tally)
        assert self._namer is not None, "a plan comes before its trials"
        name = self._namer.name(ended.candidate)
        name = f"{ended.rig}: {name}" if self._many else name
        count = f"{self._resumed + tally.done + tally.failed:>3}"
        if ended.failure is not None:
            kind = ended.failure.kind.replace("_", " ")
            self._print(f"{count}  failed    {kind}  {name}")
            self._print(f"     {ended.failure.evidence}")
            self._print(f"     {ended.failure.advice}")
            return
        told = "  ".join(
            quantity(ended.estimates[goal], interval=False)
            if goal != "ppl"
            else f"ppl {number('ppl', ended.estimates[goal].value)}"
            for goal in self._space.objectives
            if goal in ended.estimates
        )
        mark = "baseline" if ended.is_baseline else "done    "
        self._better(ended.estimates)
        self._print(f"{count}  {mark}  {told}  {name}{self._eta(tally)}")

    def _bounded(self, tally: Tally) -> Tally:
        """No more trials are left than the plan holds: a budget may be larger than its space."""
        most = max(0, self._total - self._resumed - tally.done - tally.failed)
        if tally.left <= most or tally.eta_s is None:
            return replace(tally, left=min(most, tally.left))
        return replace(tally, left=most, eta_s=tally.eta_s * most / tally.left)

    def note(self, text: str) -> None:
        """A line of its own."""
        self._print(text)

    def _name(self, job: Job) -> str:
        candidate = job.resolved.candidate
        return self._namer.name(candidate) if self._namer else candidate.kv

    def _eta(self, tally: Tally) -> str:
        if self._live is not None or tally.eta_s is None or not tally.left:
            return ""
        return f"  [{tally.left} left, about {spoken(tally.eta_s)}]"

    def _better(self, estimates: dict[str, Estimate]) -> None:
        for goal, way in self._space.objectives.items():
            new, old = estimates.get(goal), self._best.get(goal)
            if new is None:
                continue
            if old is None or (new.value > old.value) == (way is Direction.MAXIMIZE):
                self._best[goal] = new

    def _picture(self) -> Text:
        """What stands under the lines while the sweep runs."""
        from rich.text import Text

        if self._namer is None:
            return Text("Starting", style="dim")
        tally = self._tally
        ended = tally.done + tally.failed
        whole = max(1, ended + tally.left)
        filled = round(30 * ended / whole)
        lines = [f"{'━' * filled}{'─' * (30 - filled)}  {tally.done} done, {tally.failed} failed, "]
        lines[0] += f"{tally.left} left"
        if tally.eta_s is not None and tally.left:
            lines[0] += f", about {spoken(tally.eta_s)} to go"
        for rig, (what, since) in self._jobs.items():
            lines.append(f"{rig}: {what} ({time.monotonic() - since:.0f} s)")
        if self._best:
            best = ", ".join(f"{g} {number(g, e.value)}" for g, e in self._best.items())
            lines.append(f"best so far: {best}")
        return Text("\n".join(lines), style="dim")

    def _print(self, text: str) -> None:
        self._console.print(text, soft_wrap=True)
