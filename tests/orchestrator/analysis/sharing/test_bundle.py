"""A bundle holds the sweep and none of its owner's secrets, and is the same every time."""

from __future__ import annotations

import hashlib
import json
import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from db.spaces import space_from_json
from db.whole import WholeSweep
from orchestrator.analysis.redact import Redactor
from orchestrator.analysis.sharing.archive_reading import read_archive
from orchestrator.analysis.sharing.archive_writing import archive
from orchestrator.analysis.sharing.contents import contents, space_yaml
from orchestrator.analysis.sharing.format import MOST_OF_A_LOG, BundleError
from orchestrator.analysis.sharing.logs import log_tails
from orchestrator.analysis.sharing.programs import programs
from orchestrator.analysis.sharing.reading import read_bundle
from orchestrator.analysis.sharing.redacting import redactor_of
from search_spaces.load import load
from tests.orchestrator.analysis.sharing.bundles import HOME, SECRETS, bundle, clean, whole


@pytest.mark.parametrize("name", ["kv.tar.gz", "kv.zip", "kv.tgz"])
def test_what_goes_in_comes_out(tmp_path: Path, name: str) -> None:
    assert read_bundle(bundle(tmp_path, name)).whole == clean()


def test_no_secret_is_in_any_file(tmp_path: Path) -> None:
    for name, data in read_archive(bundle(tmp_path)).items():
        text = data.decode()
        assert [secret for secret in SECRETS if secret in text] == [], name


def test_files_keep_their_names() -> None:
    candidate = clean().trials[0].candidate
    assert (candidate.model, candidate.drafter) == ("models/m.gguf", "models/d.gguf")


@pytest.mark.parametrize("name", ["kv.tar.gz", "kv.zip"])
def test_the_same_sweep_is_the_same_bytes(name: str) -> None:
    one, two = (archive(name, "kv", contents(clean(), {"logs/1.log": b"x"})) for _ in range(2))
    assert one == two


def test_a_tar_and_a_zip_of_one_sweep_are_one_import(tmp_path: Path) -> None:
    tar, packed = bundle(tmp_path, "a.tar.gz"), bundle(tmp_path, "b.zip")
    assert read_bundle(tar).origin == read_bundle(packed).origin


def test_a_name_that_is_no_archive_is_refused() -> None:
    with pytest.raises(BundleError, match="names no kind of archive"):
        archive("kv.rar", "kv", {})


def test_the_space_is_one_that_a_sweep_takes(tmp_path: Path) -> None:
    file = tmp_path / "space.yaml"
    file.write_text(space_yaml(clean()), encoding="utf-8")
    assert load(str(file)).key == space_from_json(clean().space, clean().named_facets).key


def test_the_script_checks_models_and_is_valid_shell(tmp_path: Path) -> None:
    files = contents(clean(), {})
    script = files["repeat.sh"].decode()
    assert subprocess.run(["sh", "-n"], input=script, text=True, check=False).returncode == 0
    assert "sha256sum -c models.sha256\norchestrate sweep --space space.yaml" in script
    assert files["models.sha256"].decode().splitlines() == [
        f"{'ab' * 32}  models/d.gguf",
        f"{'ab' * 32}  models/m.gguf",
    ]


def test_the_script_stops_where_a_model_is_another_one(tmp_path: Path) -> None:
    for name, data in contents(clean(), {}).items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "models").mkdir()
    for name in ("m.gguf", "d.gguf"):
        (tmp_path / "models" / name).write_bytes(b"another")
    words = shlex.split("sh repeat.sh")
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "models/m.gguf: FAILED" in done.stdout


def test_samples_are_rows_for_a_spreadsheet() -> None:
    lines = contents(clean(), {})["samples.csv"].decode().splitlines()
    assert lines[0].startswith("rig,job,facet,label,group,launch,repeat,")
    assert len(lines) == 1 + sum(len(r.samples) for r in clean().jobs[0].completed.results)  # type: ignore[union-attr]


def test_the_manifest_lists_every_other_file_with_its_hash() -> None:
    files = contents(clean(), {})
    listed = json.loads(files.pop("manifest.json"))["files"]
    assert {name: facts["sha256"] for name, facts in listed.items()} == {
        name: hashlib.sha256(data).hexdigest() for name, data in files.items()
    }


def test_a_log_that_is_gone_leaves_the_tail_that_was_recorded() -> None:
    tails = log_tails(whole(), redactor_of(whole()))
    assert tails == {"logs/0001.log": b"from /removed/x", "logs/0002.log": b"from /removed/x"}


def with_log(log: Path) -> WholeSweep:
    """The sweep with one job, whose log is there."""
    job = whole().jobs[0]
    assert job.completed is not None
    trace = job.completed.trace
    launch = replace(trace.launches[0], log_path=str(log))
    done = replace(job.completed, trace=replace(trace, launches=(launch,)))
    return replace(whole(), jobs=(replace(job, completed=done),))


def test_logs_bring_their_last_whole_lines(tmp_path: Path) -> None:
    log = tmp_path / "1.log"
    log.write_text("".join(f"line {i}\n" for i in range(5000)))
    (text,) = log_tails(with_log(log), Redactor()).values()
    assert len(text) <= MOST_OF_A_LOG
    assert text.decode().splitlines()[-1] == "line 4999"
    assert text.decode().splitlines()[0].startswith("line ")


def test_programs_that_models_wrote_come_along_and_links_do_not(tmp_path: Path) -> None:
    folder = tmp_path / "quality" / "pacman-0"
    folder.mkdir(parents=True)
    (folder / "answer.md").write_text(f"by {HOME}/zaphod/x")
    (folder / "link").symlink_to("/etc/passwd")
    found = programs(with_log(tmp_path / "1.log"), Redactor())
    assert found == {"programs/0001/pacman-0/answer.md": b"by /removed/x"}
