"""The space itself: goals, what to measure, and the key that says two files mean one search."""

from __future__ import annotations

import copy
import pickle

import pytest

from search_spaces.candidate import Candidate
from search_spaces.errors import SpaceError
from search_spaces.load import loads
from search_spaces.metrics import METRICS, Direction, Facet
from search_spaces.space import Space
from tests.search_spaces.spaces import axes, problem_in, space

TEXT = """
name: tiny
title: A title
engines: {embedded: {kind: embedded}, fast: {path: /opt/llama-server}}
fixed: {model: m, drafter: d}
parameters:
  engine: [embedded, fast]
  spec: [none, draft-dflash]
  n_max: {values: [1, 2, 4], when: spec != 'none'}
forbid: [n_max > 2]
objectives: [tok_s, ppl]
constraints: [mem_peak_mib <= 9000]
measure: {throughput: {prompts: 3}}
budget: {trials: 9}
"""


def key(text: str) -> str:
    return loads(text).key


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title: A title", "title: Another"),
        ("title: A title\n", ""),
        ("name: tiny", "# a comment\nname: tiny   # and more"),
        ("[1, 2, 4]", "[\n    1,  # one\n    2, 4\n  ]"),
        ("engine: [embedded, fast]", "engine: {values: [embedded, fast]}"),
        ("{model: m, drafter: d}", "{drafter: d, model: m}"),
        ("objectives: [tok_s, ppl]", "objectives: {tok_s: maximize, ppl: minimize}"),
        ("name: tiny", "name: tiny\nschema: 1"),
        ("name: tiny", "name: tiny\nbaseline: {fix: {spec: none}}"),
        ("{prompts: 3}", "{prompts: 3, predict: 128}"),
        ("[mem_peak_mib <= 9000]", "['mem_peak_mib <= 9000']"),
    ],
)
def test_what_means_the_same_has_the_same_key(old: str, new: str) -> None:
    assert old in TEXT
    assert key(TEXT.replace(old, new)) == key(TEXT)


def test_the_order_of_top_level_keys_means_nothing() -> None:
    assert key("budget: {trials: 9}\n" + TEXT.replace("budget: {trials: 9}\n", "")) == key(TEXT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: tiny", "name: other"),
        ("[1, 2, 4]", "[2, 1, 4]"),
        ("[1, 2, 4]", "[1, 2, 4, 8]"),
        ("spec != 'none'", "spec == 'draft-dflash'"),
        ("[tok_s, ppl]", "[ppl, tok_s]"),
        ("[tok_s, ppl]", "{tok_s: maximize, ppl: maximize}"),
        ("forbid: [n_max > 2]\n", ""),
        ("9000", "9001"),
        ("prompts: 3", "prompts: 4"),
        ("{throughput: {prompts: 3}}", "{throughput: {prompts: 3}, divergence: {}}"),
        ("trials: 9", "trials: 10"),
        ("/opt/llama-server", "/opt/llama-server2"),
        ("name: tiny", "name: tiny\nbaseline: {per: [rig]}"),
        (
            "  engine: [embedded, fast]\n  spec: [none, draft-dflash]\n",
            "  spec: [none, draft-dflash]\n  engine: [embedded, fast]\n",
        ),
    ],
)
def test_what_means_something_else_has_another_key(old: str, new: str) -> None:
    assert old in TEXT
    assert key(TEXT.replace(old, new)) != key(TEXT)


def test_a_list_of_objectives_takes_each_metrics_own_direction() -> None:
    listed = loads("name: x\nfixed: {model: m}\nobjectives: [ppl, tok_s, ctx]").objectives
    assert list(listed.items()) == [
        ("ppl", Direction.MINIMIZE),
        ("tok_s", Direction.MAXIMIZE),
        ("ctx", Direction.MAXIMIZE),
    ]


def test_a_mapping_of_objectives_sets_the_direction_and_the_order() -> None:
    given = loads("name: x\nfixed: {model: m}\nobjectives: {ctx: minimize, tok_s: maximize}")
    assert list(given.objectives.items()) == [
        ("ctx", Direction.MINIMIZE),
        ("tok_s", Direction.MAXIMIZE),
    ]


def test_facets_are_those_that_goals_need_and_those_that_measure_names() -> None:
    assert space().facets == {Facet.THROUGHPUT}
    given = space("constraints: [ppl < 9 and ctx > 1]\nmeasure: {memory: {}}")
    assert given.facets == {Facet.THROUGHPUT, Facet.PERPLEXITY, Facet.MEMORY}
    assert given.measure.named() == {Facet.MEMORY}


def test_every_metric_is_an_objective_that_needs_its_facet() -> None:
    for metric in METRICS.values():
        given = loads(f"name: x\nfixed: {{model: m}}\nobjectives: [{metric.name}]")
        assert given.facets == {metric.facet}
        assert given.objectives == {metric.name: metric.direction}


def test_the_worst_value_of_a_metric_is_on_its_worse_side() -> None:
    for metric in METRICS.values():
        assert (metric.worst > 0) is (metric.direction is Direction.MINIMIZE)


def test_a_default_is_the_fixed_or_the_first_value() -> None:
    given = axes("ctx: [4096, 64]")
    assert [given.default(name) for name in ("model", "ctx", "batch")] == ["m", 4096, None]


def test_what_is_not_said_has_a_default() -> None:
    given = space()
    assert given.budget.trials == 32
    assert given.budget.minutes is None
    assert given.baseline.fix == {"spec": "none"}
    assert given.baseline.per == ("rig", "model")
    assert set(given.engines) == {"embedded"}


def test_a_budget_counts_trials_and_minutes() -> None:
    budget = space("budget: {trials: 5, minutes: 90}").budget
    assert (budget.trials, budget.minutes) == (5, 90.0)


def test_a_constraint_may_ask_for_metrics_parameters_and_the_rig() -> None:
    (limit,) = space("constraints: [mem_peak_mib <= 0.9 * rig.vram_mib - ctx / 64]").limits
    assert limit.names == {"mem_peak_mib", "rig", "ctx"}


def test_a_space_is_not_changed_after_it_was_read() -> None:
    with pytest.raises(ValueError, match="frozen"):
        space().name = "other"


def test_a_space_survives_copies_processes_and_storage() -> None:
    given = loads(TEXT)
    assert given.conditions and given.forbidden and given.limits
    stored = given.model_dump(mode="json", by_alias=True, exclude_unset=True)
    for again in (
        pickle.loads(pickle.dumps(given)),
        copy.deepcopy(given),
        Space.model_validate(stored),
    ):
        assert again == given
        assert (again.key, again.facets) == (given.key, given.facets)
        assert again.conditions == given.conditions


@pytest.mark.parametrize(
    ("measure", "key"),
    [
        ("throughput: {passes: 4, max_passes: 3}", "measure.throughput"),
        ("throughput: {precision: 1}", "measure.throughput.precision"),
        ("throughput: {fill: 1}", "measure.throughput.fill"),
        ("throughput: {warmups: 1}", "measure.throughput.warmups"),
        ("throughput: {prompts: true}", "measure.throughput.prompts"),
        ("throughput: {budget_s: 0}", "measure.throughput.budget_s"),
        ("perplexity: {n_ctx: 512, batch: 768}", "measure.perplexity"),
        ("perplexity: {chunks: -1}", "measure.perplexity.chunks"),
        ("divergence: {n_ctx: 512, batch: 768}", "measure.divergence"),
        ("memory: {interval_ms: 9}", "measure.memory.interval_ms"),
    ],
)
def test_a_recipe_that_cannot_be_followed_is_refused(measure: str, key: str) -> None:
    assert problem_in(f"measure: {{{measure}}}").key == key


def test_a_recipe_is_read_as_written() -> None:
    measure = space(
        "measure: {throughput: {prompts: 6, precision: 0.05, budget_s: 30, fill: 0.5}, "
        "perplexity: {n_ctx: 512, chunks: 0, batch: 1024}, divergence: {reference: f16/f16}}"
    ).measure
    assert (measure.throughput.prompts, measure.throughput.precision) == (6, 0.05)
    assert (measure.throughput.budget_s, measure.throughput.fill) == (30.0, 0.5)
    assert (measure.perplexity.chunks, measure.perplexity.batch) == (0, 1024)
    assert measure.divergence.reference == "f16/f16"


def test_an_error_of_a_space_can_be_sent_between_processes() -> None:
    error = SpaceError("is odd.", file="a.yaml", line=3, key="b", hint="Do c.")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) == "a.yaml:3: b: is odd. Do c."
    assert Candidate(model="m") == pickle.loads(pickle.dumps(Candidate(model="m")))
