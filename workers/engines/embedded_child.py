"""The embedded engine's process: a whole llama-server inside Python, until it is killed.

    python -m workers.engines.embedded_child '{"model": ..., "port": ...}'   serves
    python -m workers.engines.embedded_child --probe                         prints JSON

A process of its own, so that a crash in the engine (an assertion, a driver) ends this one and
not the worker. The log goes to stderr.
"""

from __future__ import annotations

import json
import sys
import threading

from workers.engines.embedded_parameters import UnsupportedError, kv_types, parameters, spec_types
from workers.engines.embedded_settings import EmbeddedSettings


def probe() -> int:
    """Prints what this build can do, as one JSON object."""
    import xllamacpp

    info = {
        "build": xllamacpp.BUILD_INFO,
        "kv_types": kv_types(),
        "spec_types": spec_types(),
        "devices": [device["name"] for device in xllamacpp.get_device_info()],
        "system": xllamacpp.get_system_info(),
    }
    print(json.dumps(info))
    return 0


def serve(settings: EmbeddedSettings) -> int:
    """Loads and serves; returns only when the load failed."""
    import xllamacpp

    try:
        params = parameters(settings)
    except UnsupportedError as error:
        # Read back by `diagnose`: our own words for what no engine log would say.
        print(f"orchestrate: capability_missing: this build has no {error}", file=sys.stderr)
        return 3
    try:
        server = xllamacpp.Server(params)  # returns once the model is loaded
    except RuntimeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"serving at {server.listening_address}", file=sys.stderr)
    threading.Event().wait()  # the server's own threads answer
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--probe"]:
        sys.exit(probe())
    sys.exit(serve(EmbeddedSettings.from_json(sys.argv[1])))
