"""A client for one llama-server: health, properties, slots, metrics, completions."""

from __future__ import annotations

import re
import time
from types import TracebackType
from typing import Any

import httpx

from workers.http.chat import Answer, Sampling
from workers.http.completion import Completion

_METRIC = re.compile(r"^llamacpp:(\w+)(\{[^}]*\})?\s+([-+0-9.eEnaif]+)\s*$", re.MULTILINE)


class ServerClient:
    """Talks to one server; keeps one connection. Use as a context manager."""

    def __init__(self, base_url: str, timeout_s: float = 30.0) -> None:
        # trust_env=False: a proxy variable must not send local requests elsewhere.
        self._http = httpx.Client(base_url=base_url, timeout=timeout_s, trust_env=False)

    def __enter__(self) -> ServerClient:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

    def healthy(self) -> bool:
        """True once the model is loaded; False while loading or when nothing answers."""
        try:
            return self._http.get("/health", timeout=2.0).status_code == 200
        except httpx.HTTPError:
            return False

    def props(self) -> dict[str, Any]:
        """GET /props: model path, context, build."""
        return dict(self._get("/props"))

    def slots(self) -> list[dict[str, Any]]:
        """GET /slots; empty where the build has none."""
        response = self._http.get("/slots")
        if response.status_code in (404, 501):
            return []
        response.raise_for_status()
        return list(response.json())

    def metrics(self) -> dict[str, float]:
        """GET /metrics as name -> value (labels kept in the name); empty where there are none."""
        response = self._http.get("/metrics")
        if response.status_code in (404, 501):
            return {}
        response.raise_for_status()
        found = _METRIC.findall(response.text)
        return {name + labels: float(value) for name, labels, value in found}

    def count_tokens(self, text: str) -> int:
        """POST /tokenize: how many tokens a prompt is, the one before its text included.

        Raises ValueError for an answer without them.
        """
        response = self._http.post("/tokenize", json={"content": text, "add_special": True})
        response.raise_for_status()
        body = response.json()
        tokens = body.get("tokens") if isinstance(body, dict) else None
        if not isinstance(tokens, list):
            raise ValueError("the answer to /tokenize has no tokens")
        return len(tokens)

    def completion(
        self,
        prompt: str,
        n_predict: int,
        *,
        ignore_eos: bool = True,
        timeout_s: float | None = None,
    ) -> Completion:
        """One greedy completion of a fixed length, with a cold prompt cache."""
        body = {
            "prompt": prompt,
            "n_predict": n_predict,
            "temperature": 0.0,
            "top_k": 1,
            "seed": 42,
            "cache_prompt": False,
            "ignore_eos": ignore_eos,
            "return_tokens": True,
        }
        began = time.perf_counter()
        response = self._http.post(
            "/completion", json=body, timeout=timeout_s or self._http.timeout
        )
        wall_ms = (time.perf_counter() - began) * 1000
        response.raise_for_status()
        return Completion.from_json(response.json(), wall_ms)

    def chat(self, request: str, n_predict: int, sampling: Sampling, timeout_s: float) -> Answer:
        """The answer to one message of a user, in the model's own chat format.

        Raises ValueError for a body without an answer.
        """
        body = {
            "messages": [{"role": "user", "content": request}],
            "max_tokens": n_predict,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "top_k": 0,
            "min_p": 0.0,
            "seed": sampling.seed,
            "cache_prompt": False,
        }
        response = self._http.post("/v1/chat/completions", json=body, timeout=timeout_s)
        response.raise_for_status()
        return Answer.from_json(response.json())

    def _get(self, path: str) -> Any:
        response = self._http.get(path)
        response.raise_for_status()
        return response.json()
