"""Small programs that stand in for an engine, each told its port as the last argument."""

from __future__ import annotations

import sys

SERVE = """
import http.server, sys, os
answers = {answers}
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(answers.pop(0) if len(answers) > 1 else answers[0])
        self.end_headers()
    def log_message(self, *words):
        print("asked for", self.path, flush=True)
print("loading", os.environ.get("CUDA_VISIBLE_DEVICES"), flush=True)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""

HANG = "import time\nprint('still loading', flush=True)\ntime.sleep(600)\n"

STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready", flush=True)
time.sleep(600)
"""


def serve(*answers: int) -> list[str]:
    """A server that answers /health with these codes, the last one for ever."""
    return program(SERVE.replace("{answers}", repr(list(answers))))


def program(body: str) -> list[str]:
    """A command that runs this Python text."""
    return [sys.executable, "-S", "-c", body]


def fail(text: str, rc: int = 1) -> list[str]:
    """A program that prints and exits."""
    return program(f"import sys\nprint({text!r})\nsys.exit({rc})")
