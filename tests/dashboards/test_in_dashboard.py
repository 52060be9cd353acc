"""The dashboard in a real browser, over a real sweep, started as a person starts it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from db.database import open_database
from tests.dashboards.browsing import chromium, served
from tests.orchestrator.cli import scenes
from tests.orchestrator.sweeping.spaces import make_space

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.browser
Browser, Page, expect = playwright.Browser, playwright.Page, playwright.expect
expect.set_options(timeout=30_000)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    with chromium() as opened:
        yield opened


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of its own, which may say nothing on its console and ask no other host."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    opened = context.new_page()
    said: list[str] = []
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("console", lambda m: said.append(m.text) if m.type == "error" else None)
    opened.on("request", lambda r: said.append(r.url) if not _is_local(r.url) else None)
    yield opened
    context.close()
    assert said == []


def _is_local(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "data:", "blob:"))


@pytest.fixture(scope="module")
def address(demo: Path) -> Iterator[str]:
    """The dashboard over the real sweep."""
    with served(demo) as url:
        yield url


@contextmanager
def on(page: Page, storage: Path, *options: str) -> Iterator[str]:
    """A dashboard that the page has left before it is stopped."""
    with served(storage, *options) as url:
        yield url
        page.goto("about:blank")


def points(page: Page) -> int:
    """How many markers the front's figure shows."""
    return page.locator(".scatterlayer .points path").count()


def test_overview_shows_the_sweep(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_role("heading", name="SmolLM2-135M with DFlash")).to_be_visible()
    expect(page.get_by_text("24 measured")).to_be_visible()


def test_front_is_drawn_and_a_click_opens_the_candidate(page: Page, address: str) -> None:
    page.goto(f"{address}front")
    expect(page.locator(".scatterlayer .points path").first).to_be_visible()
    assert points(page) == 24
    page.locator(".scatterlayer .points path").last.hover(force=True)
    expect(page.locator(".hovertext")).to_contain_text("K/V")
    page.locator(".scatterlayer .points path").last.click(force=True)
    page.wait_for_url("**/candidate?trial=*")
    expect(page.get_by_role("heading", name="Numbers")).to_be_visible()


def test_axes_are_drawn_in_both_kinds_of_graphics(page: Page, address: str) -> None:
    page.goto(f"{address}axes")
    expect(page.get_by_role("heading", name="How the front grew")).to_be_visible()
    expect(page.locator("#body .js-plotly-plot")).to_have_count(10)
    expect(page.locator(".heatmaplayer image").first).to_be_visible()
    expect(page.locator(".parcoords .axis-title").first).to_be_visible()


def test_a_cube_is_drawn_by_webgl(page: Page, address: str) -> None:
    page.goto(f"{address}front?z=mem_peak_mib")
    expect(page.locator("#scene canvas")).to_be_visible()


def test_failures_say_why_and_lead_to_the_candidate(page: Page, scripted: Path) -> None:
    with on(page, scripted) as url:
        page.goto(f"{url}failures")
        expect(page.get_by_text("cudaMalloc failed: out of memory")).to_be_visible()
        page.locator("#body table a").first.click()
        expect(page.get_by_text("Failed: out of memory.")).to_be_visible()


def test_two_rigs_stand_side_by_side(page: Page, two_rigs: Path) -> None:
    with on(page, two_rigs) as url:
        page.goto(f"{url}compare")
        expect(page.get_by_text("of 6 equal candidates")).to_be_visible()
        expect(page.locator(".scatterlayer .points path")).to_have_count(6)


def test_a_filter_goes_into_the_address_and_comes_back_from_it(page: Page, address: str) -> None:
    page.goto(f"{address}front")
    page.get_by_role("group", name="Colour").get_by_role("button").click()
    page.get_by_text("draft length", exact=True).click()
    page.wait_for_url("**/front?tint=n_max")
    expect(page.locator(".legend")).to_contain_text("draft length:")
    page.go_back()
    page.wait_for_url("**/front")
    expect(page.locator(".legend")).to_contain_text("model:")


def test_a_shared_address_shows_the_same(page: Page, browser: Browser, address: str) -> None:
    page.goto(f"{address}front?tint=kv&log=y&x=mem_peak_mib")
    expect(page.locator(".xtitle")).to_contain_text("memory at its peak")
    expect(page.locator(".legend")).to_contain_text("K/V types:")
    expect(page.get_by_role("checkbox", name="up")).to_be_checked()


def test_the_copy_button_copies_the_command(page: Page, address: str) -> None:
    page.goto(f"{address}candidate?trial=5")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "llama-server \\\n" in copied
    assert copied == page.locator("#export").text_content()


def test_views_are_reached_by_keyboard(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_role("link", name="Front", exact=True)).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to content")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Front", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/front")


@pytest.mark.parametrize("path", ["", "front", "axes", "failures", "compare", "candidate?trial=5"])
def test_nothing_is_wider_than_a_phone(page: Page, address: str, path: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address + path)
    expect(page.locator("#body > *").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_dark_is_dark(page: Page, address: str) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(f"{address}front")
    title = page.locator(".xtitle")
    expect(title).to_be_visible()
    assert title.evaluate("node => getComputedStyle(node).fill") == "rgb(154, 164, 180)"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 21, 26)"


def test_an_open_page_follows_a_sweep(page: Page, tmp_path: Path) -> None:
    storage = tmp_path / "live.db"
    open_database(str(storage)).close()
    with on(page, storage) as url:
        page.goto(url)
        expect(page.get_by_text("No sweep was started yet")).to_be_visible()
        scenes.sweep(storage, make_space("spec: [none], kv: [f16/f16, q8_0/q8_0]"))
        expect(page.get_by_text("2 measured")).to_be_visible()
        page.get_by_role("link", name="Front", exact=True).click()
        expect(page.locator(".scatterlayer .points path").first).to_be_visible()
        before = points(page)
        scenes.sweep(storage)
        expect(page.locator(".scatterlayer .points path")).not_to_have_count(before)


def test_another_address_needs_the_token(page: Page, demo: Path) -> None:
    with on(page, demo, "--host", "0.0.0.0") as printed:
        there = printed.replace("0.0.0.0", "127.0.0.1")
        bare = there.partition("?")[0]
        assert page.request.get(bare).status == 401
        page.goto(there)
        expect(page.get_by_text("24 measured")).to_be_visible()
        assert "token" not in page.url
        page.goto(f"{bare}front")
        expect(page.locator(".scatterlayer .points path").first).to_be_visible()
