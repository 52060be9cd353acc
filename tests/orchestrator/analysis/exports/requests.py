"""One request to start examples from, and paths as hostile as a file system allows."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from orchestrator.analysis.exports.base import ExportRequest
from search_spaces.candidate import Candidate
from tests.orchestrator.analysis.synthetic import sweep

CANDIDATE = Candidate(
    model="Qwen3.6-27B-UD-Q5_K_XL.gguf",
    kv_k="q4_0",
    kv_v="turbo4",
    ctx=262144,
    spec="draft-dflash",
    drafter="d.gguf",
    n_max=4,
)
RECORD = replace(sweep()[0], candidate=CANDIDATE)

# Everything that some reader gives a meaning to, and letters of several alphabets.
_SPECIAL = " \\\"'%$#;&|<>(){}[]*?~!@`^=:,+-."
names = st.text(
    st.sampled_from(_SPECIAL) | st.characters(categories=["L", "N", "P", "S"]), max_size=20
).filter(str.isprintable)
paths = names.map(lambda name: f"/models/{name.replace('/', '')}.gguf")
hostile = paths | st.sampled_from(
    [
        "/models/${PORT}/${env.HOME}/$HOME/$$/m.gguf",
        "/models/%h/%%/%i.gguf",
        '/models/it\'s "here"/m.gguf',
        "/models/back\\slash\\n.gguf",
        "/models/ # no comment ; nor this.gguf",
        "/models/a: b/- c/{d}/[e].gguf",
        '/models/"""three""".gguf',
    ]
)


def request(path: str = "/models/m.gguf", *more: str) -> ExportRequest:
    """A request for a model at a path, and further words of the command line."""
    argv = ("/opt/llama-server", "-m", path, "-c", "4096", "-ngl", "-1", *more)
    return ExportRequest(RECORD, argv, "the best", "best-4k", files=(path,))
