"""Any llama.cpp-family server binary: found, probed, spelled to in its own dialect."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from search_spaces.candidate import Candidate
from search_spaces.recipe import DivergenceRecipe, PerplexityRecipe
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.outcome import Sample
from workers.contract.reports import Build, EngineReport, RigReport
from workers.dialects.arguments import arguments
from workers.dialects.dialect import Dialect
from workers.dialects.speculation import lacks
from workers.engines.base import Assets, EngineError, RunningEngine
from workers.engines.binary import PERPLEXITY, NoBinaryError, beside, build_sha256, find_server
from workers.engines.environment import config_warnings
from workers.engines.files import check_files
from workers.engines.health import LoadLimit
from workers.engines.launch import launched
from workers.engines.perplexity_tool import PerplexityTool
from workers.engines.ports import HOST
from workers.engines.probe import Found, probe_binary

# With 4 a build logs KV types, buffer sizes and whether a FlashAttention kernel was missing.
# It costs no speed: 12 more lines a request and none a token (b11434, CPU, alternating with 3:
# 1.00 of the speed and of the CPU time per token).
VERBOSITY = 4


class LlamaServerEngine:
    """See `workers.engines.base.Engine`. `path`: a binary, a directory, or a name on PATH."""

    kind = "llama_server"

    def __init__(
        self,
        name: str,
        path: str,
        limit: LoadLimit | None = None,
        verbosity: int | None = VERBOSITY,
        probe_timeout_s: float = 20.0,
    ) -> None:
        self.name = name
        self._path = path
        self._limit = limit or LoadLimit()
        self._verbosity = verbosity
        self._timeout_s = probe_timeout_s

    def probe(self) -> EngineReport:
        """Builds and abilities, or the problem; never raises, never hangs."""
        try:
            server = find_server(self._path)
            sha256 = build_sha256(server)
        except (NoBinaryError, OSError) as error:
            return EngineReport(self.name, self.kind, problem=f"{error}.")
        found = probe_binary(server, sha256, self._timeout_s)
        build = Build("server", f"{server.name} {found.version}".strip(), sha256, str(server))
        if found.problem is not None:
            return EngineReport(
                self.name, self.kind, (build,), problem=f"{server}: {found.problem}."
            )
        warnings, builds = [*config_warnings()], [build]
        tool = beside(server, PERPLEXITY)
        if tool is None:
            warnings.append(
                f"no {PERPLEXITY} beside {server}: this engine measures no perplexity and no "
                "divergence. Build that target too."
            )
        else:
            label = f"{tool.name} {found.version}"
            builds.append(Build("logits", label, build_sha256(tool), str(tool)))
        return EngineReport(
            self.name, self.kind, tuple(builds), found.capabilities, warnings=tuple(warnings)
        )

    def launch(
        self, candidate: Candidate, assets: Assets, rig: RigReport, log_path: Path
    ) -> AbstractContextManager[RunningEngine]:
        """Starts the server and waits until it answers. Raises EngineError."""
        server, dialect = self._usable(rig, Phase.LOAD)
        words = arguments(dialect, candidate, assets, rig.kind, rig.threads, self._verbosity)

        check_files(assets, Phase.LOAD)

        def argv(port: int) -> list[str]:
            return [str(server), *words, "--host", HOST, "--port", str(port)]

        files = (assets.model, assets.drafter)
        return launched(argv, rig, log_path, self._limit.seconds(files), files=files)

    def perplexity(
        self,
        candidate: Candidate,
        assets: Assets,
        rig: RigReport,
        recipe: PerplexityRecipe,
        log: Path,
    ) -> list[Sample]:
        """Per-chunk negative log-likelihood from the build's own llama-perplexity."""
        return self._tool(rig, Phase.PERPLEXITY).perplexity(candidate, assets, rig, recipe, log)

    def divergence(
        self,
        candidate: Candidate,
        assets: Assets,
        rig: RigReport,
        recipe: DivergenceRecipe,
        log: Path,
    ) -> list[Sample]:
        """Per-chunk KL divergence from the build's own llama-perplexity."""
        return self._tool(rig, Phase.DIVERGENCE).divergence(candidate, assets, rig, recipe, log)

    def _tool(self, rig: RigReport, phase: Phase) -> PerplexityTool:
        server, dialect = self._usable(rig, phase)
        program = beside(server, PERPLEXITY)
        if program is None:
            raise lacks(dialect, PERPLEXITY, f"Build {PERPLEXITY} and put it beside {server}.")
        return PerplexityTool(program, build_sha256(program), dialect, self._limit)

    def _usable(self, rig: RigReport, phase: Phase) -> tuple[Path, Dialect]:
        """The binary and its dialect. Raises EngineError where this rig cannot use it."""
        try:
            server = find_server(self._path)
            found = probe_binary(server, build_sha256(server), self._timeout_s)
        except (NoBinaryError, OSError) as error:
            raise self._unusable(str(error), phase) from None
        if found.dialect is None:
            raise self._unusable(f"{server}: {found.problem}", phase)
        if rig.cards and self._knows_no_gpu(found):
            raise lacks(
                found.dialect,
                f"GPU device, and {rig.name} is a GPU rig",
                "Use a build with CUDA, and check that its driver libraries are found.",
            )
        return server, found.dialect

    def _knows_no_gpu(self, found: Found) -> bool:
        able = found.capabilities
        return able is not None and not able.devices and able.fa_pairs is not None

    def _unusable(self, why: str, phase: Phase) -> EngineError:
        diagnosis = Diagnosis(
            kind=FailureKind.DRIVER_OR_INSTALL,
            evidence=f"engine {self.name!r} cannot be used: {why}",
            advice="Check its path in the space; `orchestrate engines PATH` probes it.",
            deterministic=True,
        )
        return EngineError(diagnosis, phase)
