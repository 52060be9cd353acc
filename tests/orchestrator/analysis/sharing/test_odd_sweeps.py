"""A bundle whose files are right and whose sweep is not."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from orchestrator.analysis.sharing.format import BundleError
from orchestrator.analysis.sharing.reading import read_bundle
from tests.orchestrator.analysis.sharing.bundles import bundle, edited, tampered


def rewritten(tmp_path: Path, change: Callable[[Any], None]) -> Path:
    """A bundle whose sweep was changed by somebody who kept the manifest right."""

    def both(files: dict[str, bytes]) -> None:
        edited(files, "sweep.json", change)
        facts = {"size": 0, "sha256": hashlib.sha256(files["sweep.json"]).hexdigest()}
        edited(files, "manifest.json", lambda data: data["files"].update({"sweep.json": facts}))

    return tampered(bundle(tmp_path), both)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data["trials"][2].update(same_as=99),
        lambda data: data["trials"][1].update(failed_by="nobody"),
        lambda data: data["trials"][0].update(state="waiting"),
        lambda data: data["trials"][1].update(id=1),
        lambda data: data["trials"][1].update(number=1),
        lambda data: data["jobs"][0].update(completed=None),
        lambda data: data["jobs"][0].update(failed=data["jobs"][1]["failed"]),
        lambda data: data["jobs"][0].update(memo={}),
        lambda data: data["jobs"].append(data["jobs"][0]),
        lambda data: data["hosts"].append(data["hosts"][0]),
        lambda data: data["space"]["fixed"].update(modell="x"),
        lambda data: data["space"].update(constraints=["tok_s >"]),
        lambda data: data["trials"][0]["candidate"].update(flags="'"),
    ],
)
def test_a_sweep_that_contradicts_itself_is_refused(
    tmp_path: Path, change: Callable[[Any], None]
) -> None:
    with pytest.raises(BundleError, match="contradicts itself"):
        read_bundle(rewritten(tmp_path, change))


def test_texts_that_steer_a_terminal_are_made_harmless(tmp_path: Path) -> None:
    steering = "\x1b[2J\x07\ud800\x00"
    path = rewritten(tmp_path, lambda data: data["space"].update(title=f"a{steering}b"))
    assert read_bundle(path).whole.space["title"] == "a\ufffd[2J\ufffd\ufffd\ufffdb"


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.clear(),
        lambda data: data["space"].update(objectives={}),
        lambda data: data["space"].pop("name"),
        lambda data: data["trials"][0].update(candidate={"modell": "x"}),
        lambda data: data["trials"][0].update(role="king"),
        lambda data: data["jobs"][0].update(started="yesterday"),
    ],
)
def test_a_sweep_that_is_none_is_refused(tmp_path: Path, change: Callable[[Any], None]) -> None:
    path = rewritten(tmp_path, change)
    try:
        read_bundle(path)
    except BundleError as error:
        assert str(error).count("\n") == 0
