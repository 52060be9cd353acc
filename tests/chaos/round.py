"""One round: a sweep to its end under a seeded series of faults, and what is to be said of it."""

from __future__ import annotations

import random
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import NullPool, create_engine, text

from tests.chaos.audit import duplicates, lost, read_books, unended
from tests.chaos.faults import FAULTS, Fault
from tests.chaos.site import Site
from tests.support.postgres import PostgresServer

MOST_RUNS = 40
DISK_MIB = 12
BUG = 1  # the exit code of a traceback


@dataclass
class Result:
    """What a round came to; `problems` is empty when all is well."""

    seed: int
    kind: str
    struck: Counter[str] = field(default_factory=Counter)
    runs: int = 0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)


def play(seed: int, kind: str, faults: int, folder: Path, server: PostgresServer | None) -> Result:
    """`kind` is disk, postgres or ray: what the sweep stands on, and so what may break.

    Odd seeds have two equal rigs, which share one search; even ones have two that differ.
    """
    rng, result = random.Random(f"{kind}/{seed}"), Result(seed, kind)
    began = time.monotonic()
    with ExitStack() as stack:
        disk = stack.enter_context(small_disk(folder / "disk")) if kind == "disk" else folder
        site = Site(folder, disk or folder, rng, server if kind == "postgres" else None)
        site.schema = f"chaos_{seed}"
        site.pool = "ray" if kind == "ray" else "inline"
        site.equal = seed % 2 == 1
        site.prepare()
        if site.server is not None:
            stack.enter_context(_own_schema(site.server, site.schema))
        has = {"", kind} if disk is not None else {""}
        _disturb(site, result, [fault for fault in FAULTS if fault.needs in has], faults)
        result.problems += _wrong(site)
        if result.problems:
            result.problems.append(f"said: {site.output.read_text()[-3000:]}")
    result.runs, result.seconds = site.runs, time.monotonic() - began
    return result


def _disturb(site: Site, result: Result, possible: list[Fault], faults: int) -> None:
    """Strikes as often as asked, then lets the sweep end; each restart must lose nothing."""
    books = None
    while site.runs < MOST_RUNS:
        if not site.alive:
            if site.process is not None:
                now = read_books(site.storage)
                result.problems += lost(books, now) if books else []
                books = now
                site.process.join()
                code = site.process.exitcode
                if code == BUG and "Traceback" in site.output.read_text():
                    result.problems.append("the command ended with a traceback")
                    return
                if code == 0:
                    return
            site.start()
        if sum(result.struck.values()) >= faults:
            site.until(lambda: False, within_s=120.0)
            continue
        fault = site.rng.choices(possible, [fault.weight for fault in possible])[0]
        if site.until(Launches(site, fault.after + site.rng.randint(0, 1))):
            time.sleep(site.rng.uniform(0.0, 0.3))
            if fault.strike(site):
                result.struck[fault.name] += 1


class Launches:
    """Says whether so many engines were launched since it was made."""

    def __init__(self, site: Site, wanted: int) -> None:
        self._site, self._wanted = site, wanted
        self._before = self._seen = site.engines()

    def __call__(self) -> bool:
        self._seen = self._seen | self._site.engines()
        return len(self._seen - self._before) >= self._wanted


def _wrong(site: Site) -> list[str]:
    """Everything that does not hold after the end."""
    if site.alive or site.process is None or site.process.exitcode != 0:
        return [f"the sweep did not end within {site.runs} runs"]
    found = unended(site.storage, site.trials) + duplicates(site.storage)
    deadline = time.monotonic() + 10.0
    while site.processes() and time.monotonic() < deadline:
        time.sleep(0.1)
    return found + [f"an orphan: {process.cmdline()[:3]}" for process in site.processes()]


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """A file system of a few MiB; None where this user may not mount one."""
    folder.mkdir()
    size = f"size={DISK_MIB}m"
    mount = ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True).returncode != 0:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def _own_schema(server: PostgresServer, schema: str) -> Iterator[None]:
    engine = create_engine(server.url, poolclass=NullPool)
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    yield
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
