"""Who is answered, and what a browser may load: asked of the app itself, without a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from dashboards.app import make_app
from dashboards.library import Library
from dashboards.security import COOKIE, is_local, new_token, policy
from tests.dashboards.showing import shown

TOKEN = "a-token-of-this-test"
HERE = {"base_url": "http://127.0.0.1:8060"}


@pytest.fixture
def client(library: Library) -> FlaskClient:
    """Asks a dashboard without a token."""
    return make_app(library).server.test_client()


@pytest.fixture
def guarded(library: Library) -> FlaskClient:
    """Asks a dashboard that listens to more than this machine."""
    return make_app(library, TOKEN).server.test_client()


def test_without_the_token_nothing_is_answered(guarded: FlaskClient) -> None:
    for path in ("/", "/front", "/_dash-layout", "/_dash-dependencies", "/assets/page.css"):
        assert guarded.get(path).status_code == 401
    assert guarded.post("/_dash-update-component", json={}).status_code == 401


@pytest.mark.parametrize("wrong", ["", "no", TOKEN + "x", TOKEN[:-1], "\u00e4"])
def test_a_wrong_token_is_refused(guarded: FlaskClient, wrong: str) -> None:
    assert guarded.get("/", query_string={"token": wrong}).status_code == 401
    guarded.set_cookie(COOKIE, wrong)
    assert guarded.get("/").status_code == 401


def test_the_token_becomes_a_cookie_and_leaves_the_address(guarded: FlaskClient) -> None:
    answer = guarded.get("/front", query_string={"token": TOKEN, "x": "ppl"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/front?x=ppl")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert guarded.get("/front").status_code == 200


def test_the_exchange_never_leads_to_another_host(guarded: FlaskClient) -> None:
    for path in (
        "//evil.example/x",
        "/\\\\evil.example/x",
        "/%5Cevil.example",
        "/https://evil.example",
    ):
        answer = guarded.get(path, base_url="http://here", query_string={"token": TOKEN})
        place = answer.headers["Location"]
        assert place.startswith("/") and place[1] not in "/\\"


def test_another_name_for_this_machine_is_refused(client: FlaskClient) -> None:
    assert client.get("/", base_url="http://evil.example:8060").status_code == 403
    assert client.get("/", **HERE).status_code == 200
    assert client.get("/", base_url="http://localhost:8060").status_code == 200
    assert client.get("/", base_url="http://[::1]:8060").status_code == 200


def test_a_page_loads_from_and_sends_to_its_own_host_only(client: FlaskClient) -> None:
    csp = client.get("/", **HERE).headers["Content-Security-Policy"]
    assert "default-src 'none'" in csp
    assert not re.search(r"https?:|//|\*", csp)
    assert "'unsafe-inline'" not in csp.split("script-src")[1].split(";")[0]


def test_the_policy_names_the_hashes_of_the_pages_own_scripts() -> None:
    assert "'sha256-abc'" in policy(["'sha256-abc'"])


def test_every_script_and_style_is_served_from_here(client: FlaskClient) -> None:
    page = client.get("/", **HERE).get_data(as_text=True)
    places = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert places
    assert all(place.startswith("/") and not place.startswith("//") for place in places)


def test_headers_keep_pages_to_themselves(client: FlaskClient) -> None:
    headers = client.get("/", **HERE).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_the_only_thing_that_can_be_posted_is_dashs_own_question(library: Library) -> None:
    rules = make_app(library).server.url_map.iter_rules()
    writing = {"POST", "PUT", "PATCH", "DELETE"}
    taken = {rule.rule for rule in rules if (rule.methods or set()) & writing}
    assert taken == {"/_dash-update-component"}


def test_reading_every_page_changes_nothing(library: Library, demo: Path) -> None:
    before = demo.read_bytes()
    for path in ("/", "/front", "/failures", "/candidate?trial=3"):
        shown(library, path)
    assert demo.read_bytes() == before
    assert library.database.engine.connect().exec_driver_sql("PRAGMA query_only").scalar() == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.1.2.3"])
def test_addresses_of_this_machine(host: str) -> None:
    assert is_local(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", ""])
def test_addresses_that_others_can_reach(host: str) -> None:
    assert not is_local(host)


def test_tokens_cannot_be_guessed() -> None:
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) >= 40
