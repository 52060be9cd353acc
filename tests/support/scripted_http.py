"""The HTTP side of a scripted server: llama-server's endpoints, as far as a worker asks them."""

from __future__ import annotations

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support.script import Fault, Script
from tests.support.scripted_model import answer


@dataclass
class State:
    """A loaded server: what it serves and what it has counted so far."""

    script: Script
    model: str
    slot_ctx: int
    n_max: int  # 0: does not draft
    metrics: bool = True
    loaded: bool = True
    seen: set[str] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)
    accepted_at: Counter[int] = field(default_factory=Counter)
    closing: threading.Event = field(default_factory=threading.Event)
    answered: int = 0

    def has(self, fault: Fault) -> bool:
        """Whether a fault was planted."""
        return fault in self.script.faults

    def completion(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The body of an answer to /completion; takes as long as it says."""
        prompt, n_predict = str(body["prompt"]), int(body.get("n_predict", 16))
        if self.script.ends_after is not None and not body.get("ignore_eos"):
            n_predict = min(n_predict, self.script.ends_after)
        again = prompt in self.seen
        self.seen.add(prompt)
        made = answer(prompt, n_predict, self.n_max, self.script.pace)
        time.sleep((made.prompt_ms + made.predicted_ms) / 1000)
        cache_n = made.prompt_n - 1 if again and self.has(Fault.WARM_CACHE) else 0
        text, tokens = self._text(made.text, made.tokens)
        deep = made.prompt_n > self.script.shallow
        timings: dict[str, Any] = {
            "cache_n": cache_n,
            "prompt_n": (made.prompt_n - cache_n) // (2 if deep and self.has(Fault.CUTS) else 1),
            "prompt_ms": made.prompt_ms,
            "predicted_n": n_predict // (2 if deep and self.has(Fault.ENDS_EARLY) else 1),
            "predicted_ms": float("nan") if self.has(Fault.NAN_TIMINGS) else made.predicted_ms,
        }
        if made.draft_n:
            right = made.draft_n if again and self.has(Fault.REMEMBERS) else made.draft_n_accepted
            timings |= {"draft_n": made.draft_n, "draft_n_accepted": min(right, n_predict)}
            if again and self.has(Fault.REMEMBERS):
                timings["draft_n"] = timings["draft_n_accepted"]
            self.counts["spec_decode_num_draft_tokens_total"] += made.draft_n
            self.counts["spec_decode_num_accepted_tokens_total"] += made.draft_n_accepted
            self.counts["spec_decode_num_drafts_total"] += made.steps
            left = made.draft_n_accepted
            for position in range(self.n_max):
                self.accepted_at[position] += min(left, made.steps)
                left -= min(left, made.steps)
        self.counts["prompt_tokens_total"] += made.prompt_n
        self.counts["tokens_predicted_total"] += n_predict
        body = {"content": text, "tokens": tokens, "stop_type": "limit"}
        return body if self.has(Fault.NO_TIMINGS) else {**body, "timings": timings}

    def chat(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The body of an answer to /v1/chat/completions: what is scripted for this request."""
        request = str(body["messages"][0]["content"])
        said = next((text for asked, text in self.script.chats if asked in request), "Sorry.")
        words = said.split(" ")
        cut = len(words) > body["max_tokens"]
        message = {"role": "assistant", "content": " ".join(words[: body["max_tokens"]])}
        choice = {"message": message, "finish_reason": "length" if cut else "stop"}
        return {"choices": [choice], "usage": {"completion_tokens": len(words)}}

    def _text(self, text: str, tokens: list[int]) -> tuple[str, list[int]]:
        if self.has(Fault.EMPTY_TEXT):
            return "", []
        if self.has(Fault.ONE_TOKEN):
            return "!" * len(tokens), [0] * len(tokens)
        if self.has(Fault.LOOPS):
            return " round and round" * (len(tokens) // 3), [i % 3 for i in range(len(tokens))]
        return text, tokens

    def props(self) -> dict[str, Any]:
        """The body of /props."""
        served = "/models/another.gguf" if self.has(Fault.WRONG_MODEL) else self.model
        return {
            "default_generation_settings": {"n_ctx": self.slot_ctx},
            "total_slots": 1,
            "model_path": served,
            "build_info": "b11434-scripted",
        }

    def slots(self) -> list[dict[str, Any]]:
        """The body of /slots."""
        return [{"id": 0, "n_ctx": self.slot_ctx, "speculative": self.n_max > 0}]

    def exposition(self) -> str:
        """The body of /metrics."""
        lines = [f"llamacpp:{name} {count}" for name, count in sorted(self.counts.items())]
        counted = "llamacpp:spec_decode_num_accepted_tokens_per_pos_total"
        for position in range(max(self.n_max, 1)):
            lines.append(f'{counted}{{position="{position}"}} {self.accepted_at[position]}')
        return "\n".join([*lines, "llamacpp:predicted_tokens_seconds 12.5", ""])


class ScriptedHttp(ThreadingHTTPServer):
    """Binds at once; raises OSError where the port is taken."""

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, address: tuple[str, int], state: State) -> None:
        self.state = state
        super().__init__(address, _Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one packet per answer: two would wait 40 ms for each other (Nagle)
    server: ScriptedHttp

    def do_GET(self) -> None:
        """health, props, slots, metrics."""
        state = self.server.state
        if not state.loaded:
            error = {"message": "Loading model", "type": "unavailable_error", "code": 503}
            self._send(503, json.dumps({"error": error}))
        elif self.path == "/health":
            self._send(200, json.dumps({"status": "ok"}))
        elif self.path == "/props":
            self._send(200, json.dumps(state.props()))
        elif self.path == "/slots":
            self._send(501 if state.has(Fault.NO_SLOTS) else 200, json.dumps(state.slots()))
        elif self.path == "/metrics":
            told = state.metrics and not state.has(Fault.NO_METRICS)
            self._send(*((200, state.exposition()) if told else (501, "{}")))
        else:
            self._send(404, "{}")

    def do_POST(self) -> None:
        """completion, tokenize (a token a word, and one before them)."""
        state = self.server.state
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/tokenize":
            self._send(200, json.dumps({"tokens": [1, *range(len(body["content"].split()))]}))
        elif self.path == "/v1/chat/completions":
            if not self._shows_a_fault():
                self._send(200, json.dumps(state.chat(body)))
        elif self.path not in ("/completion", "/completions"):
            self._send(404, "{}")
        elif (
            state.answered < state.script.good
            or len(body["prompt"].split()) < state.script.shallow
            or not self._shows_a_fault()
        ):
            state.answered += 1
            self._send(200, json.dumps(state.completion(body)))

    def _shows_a_fault(self) -> bool:
        """Does what is planted instead of an answer, if anything is."""
        state = self.server.state
        if state.has(Fault.CRASHES):
            os._exit(134)
        if state.has(Fault.STUCK):
            state.closing.wait(state.script.stuck_s)
            return True
        if state.has(Fault.BREAKS_OFF):
            self.close_connection = True
            return True
        if state.has(Fault.REFUSES):
            said = "the request exceeds the available context size. try increasing it"
            self._send(400, json.dumps({"error": {"code": 400, "message": said}}))
            return True
        return False

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged."""

    def _send(self, status: int, text: str) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
