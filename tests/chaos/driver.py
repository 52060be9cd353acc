"""The sweep's driver as a process of its own: forked from a server that has imported everything.

Starting `orchestrate` anew takes two seconds of a core, most of it imports; a chaos run starts it
hundreds of times.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path

PRELOADED = (
    "optuna.storages",
    "optuna.samplers",
    "sqlalchemy.dialects.postgresql",
    "alembic.command",
    "orchestrator.cli.main",
    "orchestrator.cli.sweep",
    "orchestrator.sweeping.session",
    "orchestrator.sweeping.pools.inline",
    "tests.chaos.driver",
)
HUNG_S = 6.0  # after which a request counts as hung; two minutes in earnest


def start(arguments: Sequence[str], output: Path, cache: Path) -> BaseProcess:
    """Runs `orchestrate` with these arguments; what it says is added to `output`."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    process = context.Process(target=_main, args=(list(arguments), output, cache), daemon=False)
    process.start()
    return process


def _main(arguments: list[str], output: Path, cache: Path) -> None:
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(file, 1)
    os.dup2(file, 2)
    sys.stdout, sys.stderr = os.fdopen(1, "w", 1), os.fdopen(2, "w", 1)
    os.environ["ORCHESTRATE_CACHE"] = str(cache)
    from orchestrator.cli.main import main
    from orchestrator.sweeping.pools import pulse
    from workers.facets import passes

    pulse.EVERY_S, pulse.SILENT_S = 1.0, HUNG_S
    passes.REQUEST_FLOOR_S, passes.SLOWEST_TOK_S = HUNG_S, 1e6
    sys.argv = ["orchestrate", *arguments]
    main()
