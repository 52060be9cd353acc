"""A web server that answers each path with what a test scripted, one answer after the other."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PROPS = {
    "default_generation_settings": {"n_ctx": 4096},
    "total_slots": 1,
    "model_path": "/models/m.gguf",
    "build_info": "b11434",
}
SLOTS = [{"id": 0, "n_ctx": 4096, "speculative": False, "is_processing": False}]


@dataclass(frozen=True)
class Answer:
    """`status` 0 hangs up instead of answering; `drips` sends a part, and then nothing more."""

    body: str = ""
    status: int = 200
    drips: bool = False


def as_json(body: object, status: int = 200) -> Answer:
    """An answer that is JSON."""
    return Answer(json.dumps(body), status)


Script = Mapping[str, Sequence[Answer]]


def llama(*metrics: Answer) -> Script:
    """llama-server with these answers of /metrics; the last one stays."""
    return {"/metrics": metrics, "/props": [as_json(PROPS)], "/slots": [as_json(SLOTS)]}


@contextmanager
def answering(script: Script, key: str | None = None) -> Iterator[str]:
    """The base URL of a server that answers so, and asks for a key if one is given."""
    closing = threading.Event()
    waiting = {path: list(answers) for path, answers in script.items()}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answers = waiting.get(self.path, [Answer("not found", 404)])
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
            if key is not None and self.headers.get("Authorization") != f"Bearer {key}":
                answer = Answer('{"error":{"code":401}}', 401)
            if answer.status == 0:
                self.close_connection = True
                return
            body = answer.body.encode()
            self.send_response(answer.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[:10] if answer.drips else body)
            if answer.drips:
                closing.wait(30)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
