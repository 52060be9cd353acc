"""Who answers at an address: llama-server, vLLM, or somebody else."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from workers.doctor.server.base import Server
from workers.doctor.server.client import LiveServer, ServerError
from workers.doctor.server.exposition import NotMetricsError, Scrape, parse
from workers.doctor.server.vocabulary import ServerKind


@dataclass(frozen=True)
class Introduction:
    """Who it is, its first metrics, and why there are none, if so."""

    server: Server
    first: Scrape | None
    no_metrics: str = ""


def identify(live: LiveServer) -> Introduction:
    """Raises ServerError where nothing answers, it refuses, or it is neither of the two."""
    answer = live.get("/metrics")
    scrape, problem = None, ""
    if answer.status_code == 200:
        try:
            scrape = parse(answer.text, time.monotonic())
        except NotMetricsError as error:
            problem = f"/metrics is no Prometheus text ({error})"
    else:
        problem = f"/metrics answers HTTP {answer.status_code}"
    kind = scrape.kind if scrape is not None else None
    if answer.status_code == 503:
        raise ServerError(f"{live.base} is still loading its model.", "Ask again when it serves.")
    props = live.json("/props")
    if kind is ServerKind.LLAMA_CPP or (kind is None and _is_llama(props)):
        server = _llama(live.base, props if isinstance(props, dict) else {})
        return Introduction(server, scrape if kind else None, problem or _no_names(scrape, kind))
    if kind is ServerKind.VLLM:
        return Introduction(_vllm(live), scrape)
    raise ServerError(
        f"{live.base} is neither llama-server nor vLLM{f': {problem}' if problem else ''}.",
        "Name the server itself, not a proxy before it.",
    )


def _no_names(scrape: Scrape | None, kind: ServerKind | None) -> str:
    return "/metrics has no llamacpp: names" if scrape is not None and kind is None else ""


def _is_llama(props: Any) -> bool:
    return isinstance(props, dict) and "default_generation_settings" in props


def _llama(base: str, props: dict[str, Any]) -> Server:
    settings = props.get("default_generation_settings")
    ctx = settings.get("n_ctx") if isinstance(settings, dict) else None
    slots = props.get("total_slots")
    return Server(
        url=base,
        kind=ServerKind.LLAMA_CPP,
        build=str(props.get("build_info") or ""),
        model=str(props.get("model_path") or ""),
        ctx=ctx if isinstance(ctx, int) else None,
        slots=slots if isinstance(slots, int) else None,
    )


def _vllm(live: LiveServer) -> Server:
    version, models = live.json("/version"), live.json("/v1/models")
    listed = models.get("data") if isinstance(models, dict) else None
    first = listed[0] if isinstance(listed, list) and listed else {}
    first = first if isinstance(first, dict) else {}
    ctx = first.get("max_model_len")
    return Server(
        url=live.base,
        kind=ServerKind.VLLM,
        build=str(version.get("version") or "") if isinstance(version, dict) else "",
        model=str(first.get("root") or first.get("id") or ""),
        ctx=ctx if isinstance(ctx, int) else None,
    )
