"""Where one chaos run takes place: a folder with a space, a scripted engine, a database."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path

import psutil

from tests.chaos import driver
from tests.support.gguf_writer import write_dflash, write_gguf
from tests.support.postgres import PostgresServer
from tests.support.script import Script
from tests.support.scripted_server import write_scripted_server

TRIALS = 24  # three contexts: no draft, and drafts of 1 to 7 tokens
SPACE = """
name: chaos
engines: {{mine: {{path: {folder}/llama-server}}}}
fixed: {{engine: mine, model: {folder}/model.gguf, drafter: {folder}/draft.gguf}}
parameters: {{ctx: [512, 1024, 2048], spec: [none, draft-dflash], n_max: {{min: 1, max: 7}}}}
objectives: [tok_s]
rigs: {{one: cpu, two: cpu}}
constraints: [{limit}]
measure:
  throughput: {{suite: coding, prompts: 2, predict: 8, launches: 1, passes: 1, max_passes: 1}}
"""
TOLD_APART, ALIKE = "rig.name != 'three'", "tok_s > 0"  # a limit that reads names tells rigs apart
POLL_S = 0.02


@dataclass
class Site:
    """`disk` is the folder for what a sweep writes; `server` where its database is PostgreSQL.

    Rigs that are `equal` share one search; others try every candidate each.
    """

    folder: Path
    disk: Path
    rng: random.Random
    server: PostgresServer | None = None
    schema: str = ""
    pool: str = "inline"
    equal: bool = False
    process: BaseProcess | None = None
    runs: int = 0
    told: list[str] = field(default_factory=list)

    def prepare(self) -> None:
        """Writes what a sweep needs."""
        write_gguf(self.folder / "model.gguf", n_ctx_train=4096)
        write_dflash(self.folder / "draft.gguf")
        write_scripted_server(self.folder / "llama-server", Script())
        (self.folder / "chaos.yaml").write_text(
            SPACE.format(folder=self.folder, limit=ALIKE if self.equal else TOLD_APART)
        )

    @property
    def trials(self) -> int:
        """How many a whole sweep has."""
        return TRIALS if self.equal else 2 * TRIALS

    @property
    def storage(self) -> str:
        """The database's URL."""
        if self.server is not None:
            return f"{self.server.url}?options=-csearch_path%3D{self.schema}"
        return f"sqlite:///{self.disk / 'chaos.db'}"

    @property
    def output(self) -> Path:
        """What every run of the command said."""
        return self.folder / "output"

    def start(self) -> None:
        """Runs the command; the same one each time."""
        self.runs += 1
        named = {"--storage": self.storage, "--log-dir": str(self.disk / "logs")}
        named |= {"--html": str(self.folder / "page.html"), "--pool": self.pool}
        words = [word for option in named.items() for word in option]
        space = str(self.folder / "chaos.yaml")
        arguments = ["sweep", "--space", space, *words]
        self.process = driver.start(arguments, self.output, self.folder / "cache")

    @property
    def alive(self) -> bool:
        """Whether the command runs."""
        return self.process is not None and self.process.is_alive()

    def until(self, happened: Callable[[], bool], within_s: float = 120.0) -> bool:
        """Waits until something happened; False when the command ended before, or time was up."""
        deadline = time.monotonic() + within_s
        while self.alive and time.monotonic() < deadline:
            if happened():
                return True
            time.sleep(POLL_S)
        return happened()

    def engines(self) -> set[tuple[int, float]]:
        """The engines that run now, as their workers noted them."""
        found = set()
        for note in self.disk.glob("logs/*/engine.pid"):
            try:
                pid, started = json.loads(note.read_text())
            except (OSError, ValueError):
                continue  # it is being written, or its engine has just ended
            found.add((int(pid), float(started)))
        return found

    def processes(self) -> list[psutil.Process]:
        """Every process that was started from this folder, the database's not counted."""
        found = []
        for process in psutil.process_iter(["cmdline", "status"]):
            words = process.info["cmdline"] or ()
            if any(str(self.folder) in word for word in words):
                found.append(process)
        return [p for p in found if p.info["status"] != psutil.STATUS_ZOMBIE]
