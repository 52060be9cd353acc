"""Every rule fires on its fault, and on nothing that is healthy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.workers.doctor.server.metrics import llama_scene, slot, vllm_scene
from workers.doctor.finding import Confidence, Severity
from workers.doctor.server.base import Scene
from workers.doctor.server.command import read_command
from workers.doctor.server.run import all_rules, judge

IDLE: Mapping[str, float] = {"prompt_tokens_total": 500, "tokens_predicted_total": 900}
QUEUE = {"requests_processing": 1, "requests_deferred": 3}
ENGAGED = "llama-server -m m.gguf --spec-type draft-dflash --spec-draft-n-max 12"
LOADED = "llama-server -m m.gguf -md drafter.gguf -c 122880"

# 400 tokens in 4 s, 100 short prompts' tokens, 120 drafted of which 80 were accepted.
SERVED: Mapping[str, float] = {
    "prompt_tokens_total": 600,
    "prompt_tokens_cached_total": 900,
    "prompt_seconds_total": 0.4,
    "tokens_predicted_total": 1300,
    "tokens_predicted_seconds_total": 4,
    "spec_decode_num_draft_tokens_total": 120,
    "spec_decode_num_accepted_tokens_total": 80,
    "spec_decode_num_drafts_total": 30,
    "requests_processing": 1,
}
VLLM_SERVED: Mapping[str, float] = {
    "num_requests_running": 4,
    "kv_cache_usage_perc": 0.4,
    "prefix_cache_queries_total": 4000,
    "prefix_cache_hits_total": 3000,
    "prompt_tokens_total": 4000,
    "generation_tokens_total": 900,
    "spec_decode_num_drafts_total": 100,
    "spec_decode_num_draft_tokens_total": 300,
    "spec_decode_num_accepted_tokens_total": 200,
    "time_to_first_token_seconds_sum": 1,
    "time_to_first_token_seconds_count": 8,
    "request_time_per_output_token_seconds_sum": 0.2,
    "request_time_per_output_token_seconds_count": 8,
}

HEALTHY = {
    "idle llama-server": llama_scene(IDLE, IDLE, IDLE, slots=[[slot(busy=False)]] * 3),
    "llama-server that serves": llama_scene(IDLE, SERVED, slots=[[slot()], [slot(decoded=90)]]),
    "llama-server that drafts as asked": llama_scene(
        IDLE,
        SERVED,
        slots=[[slot(speculative=True)]] * 2,
        command="llama-server -m m.gguf --spec-type draft-dflash --spec-draft-n-max 4",
        accepted_at=(30, 25, 20, 5),
    ),
    "a burst": llama_scene(IDLE, IDLE | QUEUE, IDLE, IDLE),
    "different prompts": llama_scene(IDLE, IDLE | {"prompt_tokens_total": 90_000}),
    "idle vLLM": vllm_scene({}, {}),
    "vLLM that serves": vllm_scene({}, VLLM_SERVED),
}

FAULTS: dict[str, tuple[str, Scene]] = {
    "llama-server's queue": ("queue_pressure", llama_scene(IDLE | QUEUE, IDLE | QUEUE)),
    "vLLM's queue": (
        "queue_pressure",
        vllm_scene({"num_requests_waiting": 7}, {"num_requests_waiting": 9}),
    ),
    "long prompts": (
        "slow_first_token",
        llama_scene(
            {}, {"prompt_seconds_total": 12, "prompt_tokens_total": 900}, slots=[[slot()]] * 2
        ),
    ),
    "late first tokens": (
        "slow_first_token",
        vllm_scene(
            {}, {"time_to_first_token_seconds_sum": 30, "time_to_first_token_seconds_count": 10}
        ),
    ),
    "slow answers": (
        "slow_tokens",
        llama_scene({}, {"tokens_predicted_total": 30, "tokens_predicted_seconds_total": 15}),
    ),
    "slow answers that have not ended": (
        "slow_tokens",
        llama_scene({}, {}, slots=[[slot(decoded=2)], [slot(decoded=3)]]),
    ),
    "slow answers of vLLM": (
        "slow_tokens",
        vllm_scene(
            {},
            {
                "request_time_per_output_token_seconds_sum": 5,
                "request_time_per_output_token_seconds_count": 10,
            },
        ),
    ),
    "a full slot": ("kv_pressure", llama_scene({}, {}, slots=[[slot(4000)], [slot(4010)]])),
    "a full cache": (
        "kv_pressure",
        vllm_scene({"kv_cache_usage_perc": 0.9}, {"kv_cache_usage_perc": 0.98}),
    ),
    "preempted requests": ("preemption", vllm_scene({}, {"num_preemptions_total": 3})),
    "rejected drafts": (
        "low_acceptance",
        llama_scene(
            {},
            {
                "spec_decode_num_draft_tokens_total": 200,
                "spec_decode_num_accepted_tokens_total": 30,
                "spec_decode_num_drafts_total": 40,
            },
        ),
    ),
    "a drafter that is not used": (
        "draft_not_engaged",
        llama_scene({}, {"tokens_predicted_total": 99}, slots=[[slot(speculative=True)]] * 2),
    ),
    "speculation given up": (
        "draft_not_engaged",
        llama_scene({}, {}, slots=[[slot(speculative=False)]] * 2, command=ENGAGED),
    ),
    "a drafter without a kind of speculation": (
        "draft_not_engaged",
        llama_scene({}, {}, slots=[[slot(speculative=False)]] * 2, command=LOADED),
    ),
    "a drafter that no slot tells of": (
        "draft_not_engaged",
        llama_scene({}, {"tokens_predicted_total": 99}, command=LOADED),
    ),
    "clamped drafts": (  # seen on a drafter that was trained for blocks of 8
        "draft_clamped",
        llama_scene(
            {},
            {
                "spec_decode_num_draft_tokens_total": 87,
                "spec_decode_num_accepted_tokens_total": 72,
                "spec_decode_num_drafts_total": 15,
            },
            command=ENGAGED,
            accepted_at=(15, 12, 12, 12, 12, 6, 3),
        ),
    ),
    "a cache that no longer serves": (
        "cache_thrash",
        llama_scene(
            {"prompt_tokens_total": 1000, "prompt_tokens_cached_total": 9000},
            {"prompt_tokens_total": 9000, "prompt_tokens_cached_total": 9100},
        ),
    ),
    "vLLM's cache that no longer serves": (
        "cache_thrash",
        vllm_scene(
            {"prefix_cache_queries_total": 9000, "prefix_cache_hits_total": 8000},
            {"prefix_cache_queries_total": 19_000, "prefix_cache_hits_total": 8100},
        ),
    ),
    "a server that came back": ("restarted", replace(llama_scene({}, {}), restarted=True)),
}


def fired(scene: Scene) -> set[str]:
    return {finding.rule for finding in judge(scene)[0]}


@pytest.mark.parametrize("what", HEALTHY)
def test_no_rule_fires_on_a_healthy_server(what: str) -> None:
    assert fired(HEALTHY[what]) == set()


@pytest.mark.parametrize("what", FAULTS)
def test_the_rule_of_a_fault_fires_and_no_other(what: str) -> None:
    rule, scene = FAULTS[what]
    assert fired(scene) == {rule}


def test_every_rule_has_a_fault_here() -> None:
    assert {rule for rule, _ in FAULTS.values()} == {rule.name for rule in all_rules()}


@pytest.mark.parametrize("what", FAULTS)
def test_every_finding_has_numbers_and_advice(what: str) -> None:
    (finding,) = judge(FAULTS[what][1])[0]
    assert finding.severity is Severity.WARNING
    assert finding.evidence.endswith(".") and finding.recommendation.endswith(".")


def test_a_server_that_never_drafted_has_no_draft_length_to_judge() -> None:
    assert "draft_clamped" not in {one.rule for one in judge(llama_scene({}, {}))[1]}


def test_a_draft_that_p_min_may_end_is_only_suspected() -> None:
    rule, scene = FAULTS["clamped drafts"]
    argv = (*scene.command.argv, "--spec-draft-p-min", "0.5") if scene.command else ()
    (finding,) = judge(replace(scene, command=read_command(argv)))[0]
    assert (finding.rule, finding.confidence) == (rule, Confidence.LOW)


def test_what_a_server_does_not_tell_is_not_judged() -> None:
    drafted = {"spec_decode_num_draft_tokens_total": 9}
    _, unchecked = judge(llama_scene(drafted, drafted))
    reasons = {one.rule: one.reason for one in unchecked}
    assert reasons["preemption"] == "the server does not tell preemptions"
    assert "draft length" in reasons["draft_clamped"]


def test_one_look_is_too_few_for_counters() -> None:
    _, unchecked = judge(vllm_scene({}))
    assert "preemption" in {one.rule for one in unchecked}
