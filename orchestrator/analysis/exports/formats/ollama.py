"""A Modelfile: https://docs.ollama.com/modelfile. Ollama can say little of a launch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orchestrator.analysis.exports.base import ExportError, ExportRequest
from orchestrator.analysis.exports.stamp import comments, one_line, stamp
from orchestrator.analysis.exports.tokens import on_one_line
from search_spaces.candidate import Candidate

_ALL_LAYERS = 999  # more than any model has
_KV_TYPES = ("f16", "q8_0", "q4_0")  # of OLLAMA_KV_CACHE_TYPE, one for K and V
_NEVER = {
    "spec": "kind of speculation",
    "drafter": "drafter (DRAFT of newer versions says neither its kind nor its length)",
    "n_max": "draft length n_max",
    "n_min": "draft length n_min",
    "p_min": "draft probability p_min",
    "draft_kv_k": "K cache type of the drafter",
    "draft_kv_v": "V cache type of the drafter",
    "draft_device": "device of the drafter",
    "controller": "draft controller",
    "ubatch": "ubatch",
    "split_mode": "split mode",
    "tensor_split": "tensor split",
    "n_cpu_moe": "expert layers on the CPU",
    "override_tensor": "tensor overrides",
    "flags": "flags",
}


class Ollama:
    """What Ollama takes, then a list of what it does not: those numbers are not Ollama's."""

    name = "ollama"
    meaning = "an Ollama Modelfile, and a list of what Ollama cannot express"
    suffix = ".Modelfile"
    one_per_file = True

    def render(self, requests: Sequence[ExportRequest]) -> str:
        """The file of the only request."""
        (request,) = requests
        c = request.record.candidate.canonical()
        lost = [f"  {name}: {one_line(str(value))}" for name, value in _lost(c)]
        lines = [
            *stamp(request),
            "",
            "Ollama brings an engine of its own: the numbers above are not promised for it.",
            "For all models of a server, set before it starts:",
            *(f"  {variable}={value}" for variable, value in _server_wide(c)),
            "A Modelfile cannot express:",
            *(lost or ["  nothing of this candidate is lost"]),
        ]
        settings = [f"PARAMETER {name} {value}" for name, value in _parameters(c)]
        return "\n".join([comments(lines), f"FROM {_path(request)}", *settings])


def _path(request: ExportRequest) -> str:
    """The model's path in quotes; a Modelfile has no escapes, but three quotes hold one."""
    if not request.files:
        raise ExportError(f"Where the model of {request.title} is was not recorded.")
    (path,) = on_one_line(request.files[:1])
    mark = '"""' if '"' in path else '"'
    return f"{mark}{path}{mark}"


def _parameters(c: Candidate) -> Iterator[tuple[str, object]]:
    yield "num_ctx", c.ctx
    yield "num_batch", c.batch
    yield "num_gpu", _ALL_LAYERS if c.ngl == "all" else c.ngl
    if c.threads is not None:
        yield "num_thread", c.threads
    if c.load_mode in ("mmap", "none"):
        yield "use_mmap", str(c.load_mode == "mmap").lower()


def _server_wide(c: Candidate) -> Iterator[tuple[str, str]]:
    yield "OLLAMA_FLASH_ATTENTION", "1"
    if c.kv_k == c.kv_v and c.kv_k in _KV_TYPES:
        yield "OLLAMA_KV_CACHE_TYPE", c.kv_k


def _lost(c: Candidate) -> Iterator[tuple[str, object]]:
    if c.kv_k != c.kv_v or c.kv_k not in _KV_TYPES:
        yield "K/V cache types (a server has one, of f16, q8_0 and q4_0)", c.kv
    for name, words in _NEVER.items():
        value = getattr(c, name)
        if value is not None and not (name == "spec" and not c.drafts):
            yield words, value
    if c.load_mode not in (None, "mmap", "none"):
        yield "load mode", c.load_mode


FORMAT = Ollama()
