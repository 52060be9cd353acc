"""How to make the measurement of a bundle again: a script, and what it needs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from db.whole import WholeSweep
from orchestrator.analysis.exports.stamp import one_line

_PART = re.compile(r"-\d{5}-of-\d{5}\.gguf$")

_SCRIPT = """\
#!/bin/sh
# Measures the space of this bundle again, on the machine that this runs on.
# It needs orchestrate ({version} made this){engines}{models}.
set -eu
cd "$(dirname "$0")"
{checks}orchestrate sweep --space space.yaml --storage repeated.db --html repeated.html "$@"
"""

_README = """\
# {title}

A sweep measured by orchestrate {version}: {trials} trials, {jobs} jobs.
Folders, user and host names, addresses and card UUIDs were taken out.

- `space.yaml`: what was searched, and how it was measured
- `environment.json`: rigs, engine builds and models, with hashes
- `samples.csv`: every raw observation
- `sweep.json`: everything, for `orchestrate import`
- `logs/`: the ends of the engines' logs; `programs/`: what models wrote, where that was measured
- `report.md`: the sweep as people post it
- `charts/front.html`: the page of the front; opens offline
- `repeat.sh`: makes the measurement again

Read it into a database of yours, beside your own sweeps: `orchestrate import FILE`.
Make it again: `sh repeat.sh`.{needs}
"""


def script(whole: WholeSweep) -> str:
    """A shell script; it checks models by hash before anything runs."""
    engines = [f"engines/{name}" for name, _ in _engines(whole)]
    files = [place for place, _ in _models(whole)]
    return _SCRIPT.format(
        version=whole.fingerprint.get("orchestrate", "?"),
        engines=f",\n# a folder with a llama-server at {_list(engines)}" if engines else "",
        models=f",\n# and these models: {_list(files)}" if files else "",
        checks="sha256sum -c models.sha256\n" if model_sums(whole) else "",
    )


def readme(whole: WholeSweep) -> str:
    """What is in the bundle, and what the script needs."""
    needs = [
        *(f"- `{place}`: sha256 {sha}" for place, sha in _models(whole)),
        *(f"- `engines/{name}`: {build}" for name, build in _engines(whole)),
    ]
    return _README.format(
        title=whole.space.get("title") or whole.name,
        version=whole.fingerprint.get("orchestrate", "?"),
        trials=len(whole.trials),
        jobs=len(whole.jobs),
        needs=" Put or link beside it:\n\n" + "\n".join(needs) if needs else "",
    )


def model_sums(whole: WholeSweep) -> str:
    """What `sha256sum -c` takes. A split model's hash is no hash of one file: it is left out."""
    return "".join(f"{sha}  {place}\n" for place, sha in _models(whole) if not _PART.search(place))


def _models(whole: WholeSweep) -> Iterator[tuple[str, str]]:
    """Files that have to be brought; those of builtin: and hf: come by themselves."""
    found = {
        model.reference: model.sha256
        for host in whole.hosts
        for model in host.models
        if model.sha256 and not model.reference.startswith(("builtin:", "hf:"))
    }
    yield from sorted(found.items())


def _engines(whole: WholeSweep) -> Iterator[tuple[str, str]]:
    labels = {
        engine.name: f"{build.label}, sha256 {build.sha256}"
        for host in whole.hosts
        for engine in host.engines
        for build in engine.builds
        if build.role == "server"
    }
    for name, engine in sorted(whole.space.get("engines", {}).items()):
        if (engine.get("path") or "").startswith("engines/"):
            yield name, labels.get(name, "not recorded")


def _list(places: list[str]) -> str:
    return one_line(", ".join(shlex.quote(place) for place in places))
