"""A pass: every prompt once, in an order that nothing else follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_spaces.recipe import ThroughputRecipe
from tests.support.script import Script
from tests.support.scripted_server import serving
from tests.workers.facets.bench import QUICK
from tests.workers.gates.scenes import completion
from workers.facets.passes import one_pass, request_deadline_s
from workers.http.client import ServerClient
from workers.suites.load import Prompt

PROMPTS = tuple(Prompt(f"p{i}", "even" if i % 2 else "odd", f"prompt {i}") for i in range(8))


class Echo(ServerClient):
    """A client without a server: completions are made up here."""

    def __init__(self) -> None:
        super().__init__("http://127.0.0.1:9")

    def completion(self, prompt, n_predict, **how):  # type: ignore[no-untyped-def]
        return completion(predicted_n=n_predict)


ECHO = Echo()


def order(seed: int, launch: int = 0, repeat: int = 0) -> list[str]:
    made = one_pass(ECHO, PROMPTS, QUICK, launch, repeat, seed)
    return [sample.label for sample, _ in made]


@given(st.integers(0, 2**31), st.integers(0, 9), st.integers(0, 9))
def test_each_prompt_is_asked_once(seed: int, launch: int, repeat: int) -> None:
    assert Counter(order(seed, launch, repeat)) == Counter(p.id for p in PROMPTS)


@given(st.integers(0, 2**31), st.integers(0, 9), st.integers(0, 9))
def test_one_seed_gives_one_order(seed: int, launch: int, repeat: int) -> None:
    assert order(seed, launch, repeat) == order(seed, launch, repeat)


def test_launches_and_passes_differ_in_their_order() -> None:
    orders = {tuple(order(7, launch, repeat)) for launch in range(3) for repeat in range(3)}

    assert len(orders) == 9


def test_seeds_differ_in_their_order() -> None:
    assert len({tuple(order(seed)) for seed in range(10)}) == 10


def test_the_suite_itself_keeps_its_order() -> None:
    prompts = list(PROMPTS)

    list(one_pass(ECHO, prompts, QUICK, 0, 0, 1))

    assert tuple(prompts) == PROMPTS


def test_a_sample_says_where_it_comes_from() -> None:
    with serving(Script(), ["-m", "m.gguf"]) as served, ServerClient(served.url) as client:
        made = [sample for sample, _ in one_pass(client, PROMPTS, QUICK, 1, 2, seed=3)]

    assert {(s.launch, s.repeat) for s in made} == {(1, 2)}
    assert {s.label: s.group for s in made} == {p.id: p.group for p in PROMPTS}
    assert all(s.values["predicted_n"] == QUICK.predict for s in made)


@pytest.mark.parametrize("predict", [2, 128, 4096])
def test_a_longer_answer_may_take_longer(predict: int) -> None:
    recipes: Sequence[ThroughputRecipe] = [
        ThroughputRecipe(predict=predict),
        ThroughputRecipe(predict=predict * 2),
    ]

    first, second = map(request_deadline_s, recipes)

    assert second - first == predict / 0.2
