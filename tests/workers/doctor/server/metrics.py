"""Expositions as servers write them, and scenes made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workers.doctor.server.base import Scene, Server
from workers.doctor.server.command import Command, read_command
from workers.doctor.server.exposition import parse
from workers.doctor.server.slots import Look, Slot
from workers.doctor.server.vocabulary import ServerKind
from workers.doctor.server.window import Window

# What llama-server b11434 answers; counters first.
_LLAMA = (
    "prompt_tokens_total",
    "prompt_tokens_cached_total",
    "prompt_seconds_total",
    "tokens_predicted_total",
    "tokens_predicted_seconds_total",
    "n_decode_total",
    "n_tokens_max",
    "spec_decode_num_draft_tokens_total",
    "spec_decode_num_accepted_tokens_total",
    "spec_decode_num_drafts_total",
    "prompt_tokens_seconds",
    "predicted_tokens_seconds",
    "requests_processing",
    "requests_deferred",
    "n_busy_slots_per_decode",
)
_GAUGES = 5  # the last ones of them

_VLLM = {
    "num_requests_running": "gauge",
    "num_requests_waiting": "gauge",
    "kv_cache_usage_perc": "gauge",
    "prefix_cache_queries_total": "counter",
    "prefix_cache_hits_total": "counter",
    "num_preemptions_total": "counter",
    "prompt_tokens_total": "counter",
    "generation_tokens_total": "counter",
    "spec_decode_num_drafts_total": "counter",
    "spec_decode_num_draft_tokens_total": "counter",
    "spec_decode_num_accepted_tokens_total": "counter",
    "time_to_first_token_seconds": "histogram",
    "request_time_per_output_token_seconds": "histogram",
}
_LABELS = '{engine="0",model_name="org/model"}'


def llama(values: Mapping[str, float], accepted_at: Sequence[float] = ()) -> str:
    """llama-server's text: what is not given is 0."""
    lines = []
    for position, name in enumerate(_LLAMA):
        kind = "counter" if position < len(_LLAMA) - _GAUGES else "gauge"
        lines += [f"# HELP llamacpp:{name} Words.", f"# TYPE llamacpp:{name} {kind}"]
        lines.append(f"llamacpp:{name} {values.get(name, 0)}")
    for position, value in enumerate(accepted_at):
        name = "llamacpp:spec_decode_num_accepted_tokens_per_pos_total"
        lines.append(f'{name}{{position="{position}"}} {value}')
    return "\n".join(lines) + "\n"


def vllm(values: Mapping[str, float]) -> str:
    """vLLM's text: a histogram is given as NAME_sum and NAME_count."""
    lines = []
    for name, kind in _VLLM.items():
        lines.append(f"# TYPE vllm:{name} {kind}")
        if kind == "histogram":
            count = values.get(f"{name}_count", 0)
            lines.append(f'vllm:{name}_bucket{{engine="0",le="+Inf"}} {count}')
            lines.append(f"vllm:{name}_sum{_LABELS} {values.get(f'{name}_sum', 0)}")
            lines.append(f"vllm:{name}_count{_LABELS} {count}")
        else:
            lines.append(f"vllm:{name}{_LABELS} {values.get(name, 0)}")
    return "\n".join(lines) + "\n"


def window(kind: ServerKind, *texts: str) -> Window:
    """A look every second."""
    return Window(kind, tuple(parse(text, float(at)) for at, text in enumerate(texts)))


def llama_scene(
    *looks: Mapping[str, float],
    slots: Sequence[Sequence[Slot]] = (),
    command: str | None = None,
    accepted_at: Sequence[float] = (),
) -> Scene:
    """llama-server watched at these values, a second apart."""
    return Scene(
        Server("http://h:1", ServerKind.LLAMA_CPP, "b1", "/models/m.gguf", 4096, 1),
        window(ServerKind.LLAMA_CPP, *(llama(values, accepted_at) for values in looks)),
        looks_of(slots),
        typed(command),
    )


def vllm_scene(*looks: Mapping[str, float]) -> Scene:
    """vLLM watched at these values, a second apart."""
    server = Server("http://h:1", ServerKind.VLLM, "0.32.0", "org/model", 8192)
    return Scene(server, window(ServerKind.VLLM, *map(vllm, looks)))


def looks_of(slots: Sequence[Sequence[Slot]]) -> tuple[Look, ...]:
    """Slots, a second apart."""
    return tuple((float(at), tuple(found)) for at, found in enumerate(slots))


def typed(line: str | None) -> Command | None:
    """A server's command line."""
    return None if line is None else read_command(line.split())


def slot(
    tokens: int = 100,
    decoded: int = 50,
    *,
    task: int = 1,
    ctx: int = 4096,
    busy: bool = True,
    speculative: bool | None = False,
) -> Slot:
    """A slot that answers something short."""
    return Slot(0, task, ctx, tokens, decoded, busy, speculative)
