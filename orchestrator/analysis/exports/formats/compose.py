"""A Docker Compose file: https://docs.docker.com/reference/compose-file/."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from orchestrator.analysis.exports.base import ExportError, ExportRequest
from orchestrator.analysis.exports.stamp import comments, stamp
from orchestrator.analysis.exports.tokens import on_one_line
from orchestrator.analysis.exports.yaml_text import indented, scalar

IMAGE = "LLAMA_SERVER_IMAGE"
_PORT = 8080
_PART = re.compile(r"(.*-)00001-of-(\d{5})(\.gguf)")
_HEAD = f"""# Set {IMAGE} to an image whose entrypoint is a llama-server of the build named below.
# Models are mounted read-only, one file each. The port is open to this machine only."""


class Compose:
    """One service per candidate, with the GPUs of the rig that was measured."""

    name = "compose"
    meaning = "services of a Docker Compose file, with GPUs reserved"
    suffix = ".yaml"
    one_per_file = False

    def render(self, requests: Sequence[ExportRequest]) -> str:
        """The whole file. Of several services one is started by its profile: they share a port."""
        alone = len(requests) == 1
        services = "\n\n".join(indented(_service(one, alone), 2) for one in requests)
        return f"{_HEAD}\nservices:\n{services}"


def _service(request: ExportRequest, alone: bool) -> str:
    # Compose names a project's containers after services: lower case, no plus sign.
    name = request.name.replace("+", "_")
    inside = {
        path: f"/models/{i}/{PurePosixPath(path).name}" for i, path in enumerate(request.files)
    }
    words = [inside.get(word, word) for word in on_one_line(request.argv)[1:]]
    lines = [
        comments(stamp(request)),
        f"{name}:",
        f"  image: ${{{IMAGE}:?names an image that holds the measured llama-server}}",
        *([] if alone else [f"  profiles: {scalar([name])}"]),
        "  command:",
        *(
            f"    - {_literal(word)}"
            for word in [*words, "--host", "0.0.0.0", "--port", str(_PORT)]
        ),
        f'  ports: ["127.0.0.1:{_PORT}:{_PORT}"]',
        *_mounts(inside),
        *_gpus(request.cards),
    ]
    return "\n".join(lines)


def _literal(value: Any) -> str:
    """A value in which Compose finds no variable."""
    return scalar(value).replace("$", "$$")


def _mounts(inside: dict[str, str]) -> Iterator[str]:
    """A read-only mount for each file: a link in a model cache is followed on the host."""
    if inside:
        yield "  volumes:"
    for path, target in inside.items():
        if not path.startswith("/"):
            raise ExportError(
                f"Where {path} is was not recorded.", "Measure it again with this version."
            )
        for source, place in zip(_parts(path), _parts(target), strict=True):
            mount = f"type: bind, source: {_literal(source)}, target: {_literal(place)}"
            yield f"    - {{{mount}, read_only: true}}"


def _parts(path: str) -> tuple[str, ...]:
    """Every file of a split model, which is named by its first one."""
    first = _PART.fullmatch(path)
    if first is None:
        return (path,)
    start, count, end = first.groups()
    return tuple(f"{start}{i:05d}-of-{count}{end}" for i in range(1, int(count) + 1))


def _gpus(cards: tuple[int, ...]) -> Iterator[str]:
    if not cards:
        return
    device = f"driver: nvidia, device_ids: {scalar(list(map(str, cards)))}, capabilities: [gpu]"
    yield "  deploy:"
    yield "    resources:"
    yield "      reservations:"
    yield f"        devices: [{{{device}}}]"


FORMAT = Compose()
