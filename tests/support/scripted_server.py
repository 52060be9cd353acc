"""A small real server that pretends to be llama-server, with scripted faults.

Two ways to use it:

    with serving(Script(faults=(Fault.WARM_CACHE,)), ["-m", "target.gguf"]) as url:
        ...                                     # in a thread of this process, with its log in .log

    binary = write_scripted_server(tmp_path / "llama-server", Script())
    # a file that can be executed as an engine's binary: --help, --version, --list-devices, and
    # a server that logs, listens, answers, and exits as llama-server does
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.script import Fault, Script
from tests.support.scripted_flags import Flag, UnknownFlagError, flags_of, help_text, parse
from tests.support.scripted_http import ScriptedHttp, State
from tests.support.scripted_log import load_lines, out_of_memory_lines, out_of_range_lines

_PAD = 256
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Serving:
    """A server in a thread: where it answers, and what it logged while loading."""

    url: str
    port: int
    log: str


@contextmanager
def serving(script: Script, arguments: Sequence[str], port: int = 0) -> Iterator[Serving]:
    """Serves in this process until the block ends. Faults that end a process do not fit here."""
    log: list[str] = []
    state = _load(script, parse(_flags(script), arguments), log.append)
    http = ScriptedHttp(("127.0.0.1", port), state)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    bound = int(http.server_address[1])
    try:
        yield Serving(f"http://127.0.0.1:{bound}", bound, "\n".join(log) + "\n")
    finally:
        state.closing.set()
        http.shutdown()
        http.server_close()
        thread.join()


def write_scripted_server(path: Path, script: Script) -> Path:
    """Writes an executable that runs `main` with this script; another script, another sha256."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"#!{sys.executable}\n"
        "import sys\n"
        f"sys.path.insert(0, {str(_ROOT)!r})\n"
        "from tests.support.scripted_server import main\n"
        f"sys.exit(main(sys.argv[1:], {script.to_json()!r}))\n"
    )
    path.chmod(0o755)
    return path


def main(arguments: Sequence[str], script_json: str) -> int:
    """The executable's body: llama-server's exit codes and streams."""
    script = Script.from_json(script_json)
    flags = _flags(script)
    if Fault.UNHELPFUL in script.faults:
        return 1
    try:
        values = parse(flags, arguments)
        _check_types(script, values)
    except UnknownFlagError as unknown:
        print(f"error: invalid argument: {unknown}", file=sys.stderr)
        return 1
    except ValueError as wrong:
        print(wrong, file=sys.stderr)
        return 1
    if "-h" in values:
        print(help_text(flags))
        return 0
    if "--version" in values:
        print(f"{script.version}\nbuilt with Python for tests", file=sys.stderr)
        return 0
    if "--list-devices" in values:
        listed = [f"  {device}" for device in script.devices] or ["  (none)"]
        print("Available devices:", *listed, sep="\n")
        return 0
    return _serve(script, values)


def _serve(script: Script, values: dict[str, str]) -> int:
    def log(line: str) -> None:
        print(line, file=sys.stderr, flush=True)
        if "--log-file" in values:
            with Path(values["--log-file"]).open("a") as file:
                file.write(line + "\n")

    model = values.get("-m", "")
    address = values.get("--host", "127.0.0.1"), int(values.get("--port", "8080"))
    if not Path(model).is_file():
        log(f"E srv    load_model: failed to load model, '{model}'")
        return 1
    ending = _ending(script, values)
    for line in ending:
        log(line)
    if ending:
        return 1
    try:
        http = ScriptedHttp(address, _load(script, values, log))
    except OSError:
        host, port = address
        log(f"E srv  couldn't bind HTTP server socket, hostname: {host}, port: {port}")
        return 1
    if http.state.loaded:
        log("I srv  llama_server: model loaded")
        log(f"I srv  llama_server: listening on http://{address[0]}:{http.server_address[1]}")
    http.serve_forever()
    return 0


def _ending(script: Script, values: dict[str, str]) -> Sequence[str]:
    """The last lines of a load that fails; none for one that does not."""
    ctx = int(values.get("-c", "4096"))
    full = script.fits_ctx is not None and ctx > script.fits_ctx
    if full or Fault.OUT_OF_MEMORY in script.faults:
        return out_of_memory_lines(values["-m"])
    if script.sound_ctx is not None and ctx > script.sound_ctx and script.drafter_flag in values:
        return out_of_range_lines(values[script.drafter_flag])
    return ()


def _load(script: Script, values: dict[str, str], log: Callable[[str], None]) -> State:
    """Settles what a server of this command line is, and logs it the way a load does."""
    asked_ctx = int(values.get("-c", "4096")) or 4096
    slots = 4 if Fault.SPLIT_CONTEXT in script.faults else 1
    slot_ctx = -(-asked_ctx // _PAD) * _PAD // slots
    drafts = values.get("--spec-type", "none") != "none" or (
        script.wording == "legacy" and script.drafter_flag in values
    )
    asked = int(values.get(script.n_max_flag, script.default_n_max))
    draft = (asked, min(asked, script.block_size - 1)) if drafts else None
    for line in load_lines(script, values, slot_ctx, draft):
        log(line)
    n_max = draft[1] if draft and Fault.DRAFTER_IGNORED not in script.faults else 0
    return State(
        script=script,
        model=values.get("-m", ""),
        slot_ctx=slot_ctx,
        n_max=max(n_max, 2) if Fault.STRAY_DRAFTS in script.faults else n_max,
        metrics="--metrics" in values,
        loaded=Fault.LOADS_FOR_EVER not in script.faults,
    )


def _flags(script: Script) -> list[Flag]:
    return flags_of(script.wording, script.kv_types, script.spec_types)


def _check_types(script: Script, values: dict[str, str]) -> None:
    """Raises ValueError with the real server's words for a type it does not have."""
    for flag in ("-ctk", "-ctv", "-ctkd", "-ctvd"):
        value = values.get(flag)
        if value is not None and value not in script.kv_types:
            raise ValueError(
                f'error while handling argument "{flag}": Unsupported cache type: {value}'
            )
    for kind in values.get("--spec-type", "none").split(","):
        if kind not in script.spec_types:
            raise ValueError(
                f'error while handling argument "--spec-type": unknown speculative type: {kind}'
            )
