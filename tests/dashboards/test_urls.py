"""A page as a URL, and back."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dashboards.urls import VIEWS, State, read

WORDS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=40)
LISTS = st.lists(WORDS, max_size=4, unique=True).map(tuple)
STATES = st.builds(
    State,
    view=st.sampled_from(VIEWS),
    sweep=LISTS,
    rig=LISTS,
    engine=LISTS,
    model=LISTS,
    prompts=LISTS,
    ctx=LISTS,
    x=st.just("") | WORDS,
    log=LISTS,
    trial=st.just("") | WORDS,
)


@given(STATES)
def test_what_goes_into_a_url_comes_out(state: State) -> None:
    assert read(state.path, state.search) == state


@given(st.text(), st.text())
def test_any_text_is_some_page(path: str, search: str) -> None:
    assert read(path, search).view in VIEWS


def test_the_usual_page_has_a_bare_url() -> None:
    assert State().url == "/"
    assert State("front").url == "/front"


def test_unknown_names_are_left_out() -> None:
    assert read("/front", "?nonsense=1&x=ppl") == State("front", x="ppl")


def test_a_value_without_end_is_left_out() -> None:
    assert read("/front", f"?x={'a' * 10_000}") == State("front")


def test_another_view_keeps_the_filters_and_drops_the_rest() -> None:
    state = State("front", sweep=("key",), rig=("cpu",), x="ppl")
    assert state.to("axes") == State("axes", sweep=("key",), rig=("cpu",))


def test_an_emptied_control_means_the_usual() -> None:
    state = State("front", rig=("cpu",), x="ppl")
    assert state.having("rig", None).having("x", None) == State("front")
    assert state.having("rig", ["a", "b"]) == replace(state, rig=("a", "b"))
