"""Results per class of prompts, beside the pooled ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orchestrator.analysis.classes import by_class
from orchestrator.analysis.records import Measured
from orchestrator.analysis.summary import summarise
from tests.orchestrator.analysis.synthetic import space, sweep
from workers.contract.outcome import Sample


def classed(record: Measured, slower: float = 1.0) -> Measured:
    """Prompts p0 to p2 become code, the others prose, which takes `slower` times as long."""

    def of(sample: Sample) -> Sample:
        if sample.label in ("p0", "p1", "p2"):
            return replace(sample, group="code")
        ms = sample.values["predicted_ms"] * slower
        return replace(sample, group="prose", values={**sample.values, "predicted_ms": ms})

    return replace(record, throughput=tuple(map(of, record.throughput)))


# Drafting is three times slower on prose than the pooled numbers say.
RECORDS = [classed(r, 3.0 if r.candidate.drafts else 1.0) for r in sweep(gain=0.9)]
CLASSES = by_class(RECORDS, space())
DRAFTING = next(r for r in RECORDS if r.candidate.n_max == 3)


def test_each_class_has_every_candidate_that_was_measured_on_it() -> None:
    measured = {r.trial_id for r in RECORDS if r.throughput}
    assert list(CLASSES) == ["code", "prose"]
    assert all(own.keys() == measured for own in CLASSES.values())


def test_a_rate_is_all_tokens_of_the_class_over_all_of_its_time() -> None:
    own = [s for s in DRAFTING.throughput if s.group == "prose"]
    tokens = sum(s.values["predicted_n"] - 1 for s in own)
    ms = sum(s.values["predicted_ms"] for s in own)
    found = CLASSES["prose"][DRAFTING.trial_id].estimates["tok_s"]
    assert found.value == pytest.approx(1000 * tokens / ms)
    assert found.low is not None and found.low < found.value


def test_the_speed_up_is_against_the_baseline_on_the_same_class() -> None:
    code, prose = (CLASSES[name][DRAFTING.trial_id].estimates["speedup"] for name in CLASSES)
    assert code.value > 1.2
    assert prose.high is not None and prose.high < 1


def test_what_belongs_to_no_prompt_is_left_out() -> None:
    estimates = CLASSES["code"][DRAFTING.trial_id].estimates
    assert {"tok_s", "speedup", "acceptance"} <= estimates.keys()
    assert estimates.keys().isdisjoint({"ppl", "mem_peak_mib"})


def test_one_class_is_not_shown_as_classes() -> None:
    assert summarise(sweep(), space()).classes == {}


def test_prompts_without_a_class_are_called_so() -> None:
    some = [
        replace(
            r,
            throughput=tuple(replace(s, group=s.group.replace("prose", "")) for s in r.throughput),
        )
        for r in RECORDS
    ]
    assert list(by_class(some, space())) == ["(no class)", "code"]
