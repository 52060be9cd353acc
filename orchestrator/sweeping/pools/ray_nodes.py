"""The nodes of a Ray cluster that was joined: who is alive, and what each of them reports."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from orchestrator.sweeping.pools.naming import Found, Node, as_fleet, named
from orchestrator.sweeping.pools.ray_start import Head
from orchestrator.sweeping.pools.ray_words import said
from orchestrator.version import VERSION
from workers.contract.errors import OrchestrateError
from workers.contract.job import Job
from workers.contract.reports import HostReport
from workers.survey import SurveyRequest, survey

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")  # Linux: one kernel, one id, containers included


@dataclass(frozen=True, slots=True)
class Answer:
    """What a node says. No `report` where its version is another, or `problem` says why."""

    version: str
    machine: str
    report: HostReport | None = None
    problem: str = ""


class Nodes:
    """The hosts of a cluster by name, for as long as this process is a part of it.

    `head` is None where the process was a part of it before, and looks after it by itself.
    """

    def __init__(self, head: Head | None) -> None:
        self._head = head
        self._nodes = named(living())
        self._elsewhere: set[str] = set()

    def survey(self, request: SurveyRequest) -> list[HostReport]:
        """A report of each host; one that cannot take part has no rigs, and says why."""
        found, out = ask(self._nodes, request)
        self._elsewhere = {one.host for one in found if one.machine != machine()}
        return [*as_fleet(found), *out]

    def place(self, host: str) -> Any:
        """Where an actor of that host has to be."""
        return on(self._nodes[host])

    def is_gone(self, host: str) -> bool:
        """Whether the host has left; one that came back under its name is taken in again."""
        alive = {node.id: node for node in living()}
        mine = self._nodes[host]
        if mine.id in alive:
            return False
        taken = {node.id for node in self._nodes.values()}
        back = [n for n in alive.values() if n.name == mine.name and n.id not in taken]
        if back:
            self._nodes[host] = back[0]
        return not back

    def readdressed(self, job: Job, host: str) -> Job:
        """The job; on another machine it keeps its logs in a folder of that one's cache."""
        return replace(job, log_dir=f"logs/{job.id}") if host in self._elsewhere else job

    @property
    def head_is_gone(self) -> bool:
        """Whether nothing can be asked of Ray any more."""
        return self._head is not None and self._head.gone

    def look_at_head(self) -> None:
        """Raises ClusterError when it is gone."""
        if self._head is not None:
            self._head.look()


def living() -> list[Node]:
    """The nodes that are alive, as Ray knows it: it notices a lost one within some 15 s."""
    import ray

    return [
        Node(
            node["NodeID"],
            node["NodeManagerHostname"]
            if node["NodeName"] in ("", node["NodeManagerAddress"])
            else node["NodeName"],
            node["NodeManagerAddress"],
            node["NodeManagerPort"],
        )
        for node in ray.nodes()  # type: ignore[no-untyped-call]
        if node["Alive"]
    ]


def on(node: Node) -> Any:
    """Ray's word for: on this node or nowhere."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    return NodeAffinitySchedulingStrategy(node.id, soft=False)


def ask(nodes: Mapping[str, Node], request: SurveyRequest) -> tuple[list[Found], list[HostReport]]:
    """What every host found, and for those that cannot take part a report that says why."""
    import ray

    remote = ray.remote(_look)
    asked = {
        host: remote.options(num_cpus=0, max_retries=0, scheduling_strategy=on(node)).remote(
            request, VERSION, survey
        )
        for host, node in nodes.items()
    }
    found, out = list[Found](), list[HostReport]()
    for host, reference in asked.items():
        try:
            answer: Answer = ray.get(reference)
            why = _refusal(answer)
        except ray.exceptions.RayError as error:
            why = f"orchestrate does not run there ({said(error)}). Install {VERSION} on it"
        if why is not None:
            out.append(HostReport(host, (), warnings=(f"Host {host} is left out: {why}.",)))
        elif answer.report is not None:
            found.append(Found(host, answer.machine, answer.report))
    return found, out


def _refusal(answer: Answer) -> str | None:
    if answer.version != VERSION:
        return (
            f"it has orchestrate {answer.version}, and this one is {VERSION}. "
            "Install the same version on every host, and restart its Ray"
        )
    return answer.problem.rstrip(".") or None


def _look(
    request: SurveyRequest, version: str, survey: Callable[[SurveyRequest], HostReport]
) -> Answer:
    """Runs on the node."""
    if version != VERSION:
        return Answer(VERSION, machine())
    try:
        return Answer(VERSION, machine(), survey(request))
    except OrchestrateError as error:
        return Answer(VERSION, machine(), problem=str(error))


def machine() -> str:
    """What tells this machine from others, and is the same for every node on it."""
    try:
        return BOOT_ID.read_text().strip()
    except OSError:
        return platform.node()
