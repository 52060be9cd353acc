"""`orchestrate bundle` and `orchestrate import`: there, back, and marked for ever after."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from db.database import open_database
from orchestrator.analysis.sharing.archive_reading import read_archive
from tests.orchestrator.analysis.sharing.bundles import bundle, tampered
from tests.orchestrator.cli.calling import Caller
from tests.orchestrator.cli.scenes import Scene

MARK = "imported: somebody else measured this, on another machine"
BENCH = Path(__file__).parents[1] / "analysis" / "sharing" / "said" / "llama_bench.json"


@pytest.fixture
def packed(orchestrate: Caller, swept: Scene, tmp_path: Path) -> Path:
    file = tmp_path / "swept.tar.gz"
    said = orchestrate("bundle", "-o", file, "--storage", swept.storage)
    assert (said.code, said.out, said.err) == (0, f"Bundle: {file}\n", "")
    return file


def keys(orchestrate: Caller, storage: Path, *more: str) -> dict[str, float]:
    found = json.loads(orchestrate("pareto", "--json", "--storage", storage, *more).out)
    return {c["key"]: c["metrics"]["tok_s"]["value"] for c in found["measured"]}


def test_a_bundle_holds_what_reproducing_takes(packed: Path) -> None:
    names = set(read_archive(packed))
    for name in ("space.yaml", "environment.json", "samples.csv", "sweep.json", "repeat.sh"):
        assert name in names
    assert {"manifest.json", "README.md", "report.md", "charts/front.html"} <= names


def test_what_is_imported_has_the_same_numbers(
    orchestrate: Caller, swept: Scene, packed: Path, tmp_path: Path
) -> None:
    said = orchestrate("import", packed, "--storage", tmp_path / "mine.db")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("Imported imported:kv (")
    theirs = keys(orchestrate, swept.storage)
    assert sorted(keys(orchestrate, tmp_path / "mine.db").values()) == sorted(theirs.values())


def test_twice_is_once(orchestrate: Caller, packed: Path, tmp_path: Path) -> None:
    storage = tmp_path / "mine.db"
    first = json.loads(orchestrate("import", packed, "--storage", storage, "--json").out)
    again = json.loads(orchestrate("import", packed, "--storage", storage, "--json").out)
    assert (first["new"], again["new"]) == (True, False)
    assert first["sweep"] == again["sweep"]
    listed = json.loads(orchestrate("status", "--json", "--storage", storage).out)["sweeps"]
    assert [(sweep["name"], sweep["state"]) for sweep in listed] == [("imported:kv", "imported")]


def test_it_is_marked_everywhere(orchestrate: Caller, packed: Path, tmp_path: Path) -> None:
    storage = tmp_path / "mine.db"
    orchestrate("import", packed, "--storage", storage)
    page = tmp_path / "page.html"
    orchestrate("pareto", "--html", page, "--storage", storage)
    assert "Imported: kv" in page.read_text(encoding="utf-8")
    assert MARK in orchestrate("pareto", "--storage", storage).out
    for command in ("pareto", "recommend"):
        said = orchestrate(command, "--storage", storage).out
        assert said.startswith(f"{MARK.capitalize()}.\n"), command
    assert "It was imported: " in orchestrate("report", "--storage", storage).out
    assert f"# note: {MARK}" in orchestrate("export", "best", "--storage", storage).out
    (row,) = json.loads(orchestrate("export", "-f", "json", "--storage", storage).out)
    assert "imported" in row["flags"]


def test_ones_own_sweep_stays_the_one_that_is_meant(
    orchestrate: Caller, swept: Scene, packed: Path, tmp_path: Path
) -> None:
    storage = tmp_path / "mine.db"
    shutil.copy(swept.storage, storage)
    before = keys(orchestrate, storage)
    orchestrate("import", packed, "--storage", storage)
    assert keys(orchestrate, storage) == keys(orchestrate, storage, "--sweep", "kv") == before
    assert MARK not in orchestrate("pareto", "--storage", storage).out


def test_nothing_imported_answers_for_a_measurement(
    orchestrate: Caller, swept: Scene, packed: Path, tmp_path: Path
) -> None:
    orchestrate("import", packed, "--storage", tmp_path / "mine.db")
    with open_database(str(swept.storage), read_only=True) as database:
        wanted = {key for trial in database.trials.list(1) for key in trial.memo.values()}
    with open_database(str(tmp_path / "mine.db"), read_only=True) as database:
        assert not database.memo.known(wanted).measured
        assert not database.memo.known(wanted).failed
        assert not database.jobs.running()


def test_what_is_imported_is_not_verified(
    orchestrate: Caller, packed: Path, tmp_path: Path
) -> None:
    orchestrate("import", packed, "--storage", tmp_path / "mine.db")
    said = orchestrate("verify", "--storage", tmp_path / "mine.db", "--log-dir", tmp_path / "logs")
    assert (said.code, said.out) == (2, "")
    assert said.sentence.startswith("imported:kv was imported: somebody else measured it")


def test_an_import_can_be_passed_on(orchestrate: Caller, packed: Path, tmp_path: Path) -> None:
    orchestrate("import", packed, "--storage", tmp_path / "one.db")
    orchestrate("bundle", "-o", tmp_path / "again.zip", "--storage", tmp_path / "one.db")
    said = orchestrate("import", tmp_path / "again.zip", "--storage", tmp_path / "two.db")
    assert said.out.startswith("Imported imported:kv (")
    page = tmp_path / "page.html"
    orchestrate("pareto", "--html", page, "--storage", tmp_path / "two.db")
    assert page.read_text(encoding="utf-8").count("Imported: kv") == 2  # title and heading
    assert "Imported: Imported" not in page.read_text(encoding="utf-8")


def test_secrets_of_a_real_sweeps_database_stay_home(
    orchestrate: Caller, packed: Path, swept: Scene
) -> None:
    with open_database(str(swept.storage), read_only=True) as database:
        hosts = {host.host for host in database.hosts.of(1)}
        uuids = {c.uuid for h in database.hosts.of(1) for rig in h.rigs for c in rig.cards}
    files = read_archive(packed)
    text = b"".join(files[name] for name in sorted(files)).decode(errors="replace")
    assert not [private for private in (*hosts, *uuids) if f'"{private}"' in text]
    assert str(swept.storage.parent) not in text


def test_llama_benchs_output_is_imported(orchestrate: Caller, tmp_path: Path) -> None:
    storage = tmp_path / "mine.db"
    said = orchestrate("import", BENCH, "--storage", storage)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("Imported imported:llama-bench (")
    assert len(keys(orchestrate, storage)) == 2
    said = orchestrate("export", "best", "--storage", storage)
    assert (said.code, said.out) == (2, "")
    assert "What engine 'llama-bench' can do was not recorded." in said.sentence


@pytest.mark.parametrize("what", ["missing", "folder", "text", "damaged", "changed"])
def test_what_is_refused_leaves_no_trace(orchestrate: Caller, tmp_path: Path, what: str) -> None:
    good = bundle(tmp_path)
    file = tmp_path / "file"
    if what == "folder":
        file.mkdir()
    elif what == "text":
        file.write_text("hello")
    elif what == "damaged":
        file.write_bytes(good.read_bytes()[:-30])
    elif what == "changed":
        file = tampered(good, lambda files: files.update({"README.md": b"x"}))
    said = orchestrate("import", file, "--storage", tmp_path / "mine.db")
    assert (said.code, said.out) == (2, "")
    assert said.sentence
    assert not (tmp_path / "mine.db").exists()


def test_numbers_that_no_database_holds_are_refused_whole(
    orchestrate: Caller, tmp_path: Path
) -> None:
    from dataclasses import replace

    from tests.orchestrator.analysis.sharing.bundles import clean

    sweep = clean()
    jobs = tuple(replace(job, seed=10**30) for job in sweep.jobs)
    file = bundle(tmp_path, "big.zip", replace(sweep, jobs=jobs))
    said = orchestrate("import", file, "--storage", tmp_path / "mine.db")
    assert (said.code, said.out) == (2, "")
    with open_database(str(tmp_path / "mine.db"), read_only=True) as database:
        assert database.sweeps.list() == ()


def test_an_ending_that_is_no_archives_is_refused_before_the_work(
    orchestrate: Caller, swept: Scene, tmp_path: Path
) -> None:
    said = orchestrate("bundle", "-o", tmp_path / "x.rar", "--storage", swept.storage)
    assert said.sentence == "x.rar names no kind of archive. End it in .tar.gz or .tgz or .zip."
