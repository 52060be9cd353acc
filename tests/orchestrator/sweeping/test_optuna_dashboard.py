"""Optuna's own dashboard opens the database of a sweep. No server is started."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from db.database import open_database
from orchestrator.sweeping.storage import opened
from tests.orchestrator.sweeping.laboratory import Bench
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.scripted_pool import ScriptedPool
from tests.support.surfaces import failing

optuna_dashboard = pytest.importorskip("optuna_dashboard")


def test_it_shows_the_trials_with_names_and_violations(database: Path) -> None:
    bench = Bench.make(database, make_space(constraints="['ppl <= 10.01']"))
    bench.run(ScriptedPool(bench.host, failing(lambda c, r: c.n_max == 2)))
    with open_database(str(database)) as ours, opened(ours) as storage:
        transport = httpx.WSGITransport(app=optuna_dashboard.wsgi(storage))
        with httpx.Client(transport=transport, base_url="http://dashboard") as client:
            (study,) = client.get("/api/studies").json()["study_summaries"]
            detail = client.get(f"/api/studies/{study['study_id']}").json()
            page = client.get("/dashboard", follow_redirects=True)
    assert page.status_code == 200
    assert study["study_name"].startswith("kv/")
    assert detail["objective_names"] == ["tok_s", "ppl"]
    shown = [
        {attr["key"]: attr["value"] for attr in trial["user_attrs"]} for trial in detail["trials"]
    ]
    assert [trial["state"] for trial in detail["trials"]] == ["Complete"] * 6
    assert sum("failed" in attrs.get("violations", "") for attrs in shown) == 2
    assert sum("ppl <= 10.01" in attrs.get("violations", "") for attrs in shown) == 4
