"""What each section shows, and what it is left out for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from db.rows import QuarantineRow
from db.states import ClaimVerdict
from db.verification_rows import ClaimRow
from orchestrator.analysis.records import Again, Role, Verification
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Command, Number, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.registry import section_makers
from orchestrator.analysis.report.selection import picked
from orchestrator.analysis.truth import NO_DIFFERENCE
from tests.orchestrator.analysis.report.making import (
    NOON,
    at_contexts,
    build,
    column,
    facts,
    records,
    table,
)
from tests.orchestrator.analysis.test_depth import filled
from workers.contract.outcome import Estimate, Sample
from workers.statistics.scores import quality

PAYS = facts()


def texts(name: str) -> str:
    return " ".join(block.text for block in build(name, PAYS) if isinstance(block, Text))


def test_sections_have_names_and_places_of_their_own() -> None:
    makers = section_makers()
    assert len({maker.name for maker in makers}) == len(makers)
    assert len({maker.order for maker in makers}) == len(makers)


def test_each_goal_has_its_candidate_and_the_runner_up() -> None:
    found = table("recommendation", PAYS)
    assert column(found, "goal") == [
        "Best balance",
        "Maximum speed",
        "Maximum quality",
        "Best with a draft",
    ]
    assert all(isinstance(cell, Number) for cell in column(found, "tok_s"))
    assert NO_DIFFERENCE in str(column(found, "runner_up"))


def test_goals_without_an_answer_are_told_with_the_reason() -> None:
    assert "Lowest energy: energy was not measured" in texts("recommendation")


def test_speculation_goes_from_so_many_to_so_many_tokens_for_each_model() -> None:
    found = table("speculation", PAYS)
    assert column(found, "model") == [f"smollm2-135m-{q}" for q in ("Q4_1", "Q8_0", "Q2_K")]
    assert column(found, "verdict") == ["gains"] * 3
    gain = column(found, "speedup")[0]
    assert isinstance(gain, Number) and gain.low is not None and gain.low > 1


def test_a_loss_is_called_a_loss() -> None:
    assert set(column(table("speculation", facts(records(gain=-0.3))), "verdict")) == {"loses"}


def test_the_front_has_its_members_and_the_baselines_beside_it() -> None:
    places = column(table("front", PAYS), "place")
    assert places[0] == "front"
    assert [place for place in places if place and "baseline" in str(place)]


def test_each_kv_pair_is_judged_beside_the_baselines_pair_of_the_same_speculation() -> None:
    found = table("kv", PAYS)
    rows = dict(
        zip(
            zip(column(found, "model"), column(found, "kv"), column(found, "spec"), strict=True),
            column(found, "verdict"),
            strict=True,
        )
    )
    assert rows["smollm2-135m-Q4_1", "f16/f16", "none"] == "reference"
    assert rows["smollm2-135m-Q4_1", "f16/f16", "draft-dflash, n_max 3"] == "reference"
    verdict = next(v for (m, kv, s), v in rows.items() if kv == "q4_0/q4_0" and s == "none")
    assert "quality: worse" in str(verdict)


def test_weights_are_compared_with_the_finest_and_each_with_its_own_baseline() -> None:
    found = table("weights", with_vocabularies("same"))
    assert column(found, "verdict") == ["worse", "finest", "worse"]
    assert all(isinstance(cell, Number) for cell in column(found, "speedup"))


def test_perplexities_of_other_vocabularies_are_not_compared() -> None:
    assert column(table("weights", with_vocabularies("")), "verdict") == ["finest"] * 3


def with_vocabularies(name: str) -> Facts:
    """The facts with models of one vocabulary, or each of its own."""
    host = PAYS.hosts[0]
    models = tuple(
        replace(model, header={"vocab_hash": name or model.reference}) for model in host.models
    )
    return replace(PAYS, hosts=(replace(host, models=models),))


def test_of_draft_lengths_the_shortest_that_is_fast_enough_is_advised() -> None:
    found = table("draft_length", PAYS)
    verdicts = [str(v) for v in column(found, "verdict")[:7]]
    assert column(found, "n_max")[:7] == [str(n) for n in range(1, 8)]
    assert sum("fastest" in v for v in verdicts) == 1
    assert sum("advised" in v for v in verdicts) == 1


def test_capacities_stand_beside_the_shortest() -> None:
    found = table("context", facts(at_contexts(2048, 8192)))
    assert column(found, "ctx")[:2] == ["2,048", "8,192"]
    assert column(found, "verdict")[:2] == ["shortest", NO_DIFFERENCE]


def test_speed_is_shown_at_every_depth() -> None:
    found = table("depth", facts([filled(record, 200) for record in records()[:4]]))
    assert column(found, "depth")[:2] == ["100", "900"]
    assert column(found, "tokens")[:2] == ["100", "900"]
    shallow, deep = (cell for cell in column(found, "tok_s")[:2] if isinstance(cell, Number))
    assert shallow.low is not None and deep.high is not None
    assert deep.high < shallow.low


def test_programs_are_scored_by_task() -> None:
    plain, other, *_ = records()
    scored = [
        Sample(task, {"score": points}, repeat=i)
        for task, given in {"tetris_html": (3.0, 2.0), "tetris_terminal": (1.0, 1.0)}.items()
        for i, points in enumerate(given)
    ]
    graded = replace(plain, scores=tuple(scored)).with_estimates(quality(scored))
    found = table("quality", facts([graded, other]))
    assert [c.key for c in found.columns][2:] == ["tetris_html", "tetris_terminal"]
    (row,) = found.rows
    values = [cell.value for cell in row if isinstance(cell, Number)]
    assert values == [1.75, 2.5, 1.0]


def test_classes_are_shown_for_what_was_picked_and_for_each_winner() -> None:
    assert column(table("classes", PAYS), "class")[:3] == ["all", "code", "prose"]
    assert column(table("classes", PAYS, 1), "class") == ["code", "prose"]


def test_failures_have_evidence_and_advice_and_are_counted() -> None:
    (row,) = table("failures", PAYS).rows
    assert row[:2] == ("out of memory", "3")
    assert row[3:] == ("cudaMalloc failed: out of memory", "Lower ctx.", "yes")


def test_gates_are_counted_by_what_they_said_of_candidates() -> None:
    assert table("integrity", PAYS).rows == (
        ("own_server", "91", "0", "0"),
        ("quiet_host", "0", "91", "0"),
    )


def test_a_baseline_that_drifted_is_told_and_so_is_one_that_was_not_looked_at_again() -> None:
    assert "whether the rig drifted is not known" in texts("integrity")
    base = next(record for record in records() if record.role is Role.BASELINE)
    slow = tuple(
        replace(s, values={**s.values, "predicted_ms": 1.3 * s.values["predicted_ms"]})
        for s in base.throughput
    )
    again = replace(base, again=(Again(NOON, slow),), measured_at=NOON)
    found = facts([again if r.trial_id == base.trial_id else r for r in records()])
    (row,) = next(
        t for t in build("integrity", found) if isinstance(t, Table) and t.name == "drift"
    ).rows
    assert row[:2] == ("rtx", "2026-11-30 12:00")
    assert isinstance(row[2], Number) and row[2].high is not None and row[2].high < 0.9
    assert row[3] == "drifted"


def test_no_member_of_a_front_is_dominated_and_the_report_has_looked() -> None:
    fronts = next(
        t for t in build("integrity", PAYS) if isinstance(t, Table) and t.name == "fronts"
    )
    assert column(fronts, "dominated") == ["0"]


def test_what_is_recommended_and_not_verified_is_named() -> None:
    assert "0 of 91 candidates are verified" in texts("verification")
    assert "(best balance" in texts("verification")
    done = facts([replace(record, verified=True) for record in records()])
    assert "Every candidate was verified" in str(build("verification", done))


def test_a_claim_that_was_refuted_is_shown_with_what_was_found() -> None:
    first = records()[0]
    claim = ClaimRow("rtx", first.trial_id, "rate", ClaimVerdict.REFUTED, "50 tok/s (49 to 51)")
    looked_at = replace(first, verification=Verification(NOON, (claim,)))
    (row,) = table("verification", facts([looked_at])).rows
    assert row[2:] == ("rate agrees", "REFUTED", "50 tok/s (49 to 51)", "2026-11-30")


def test_the_fingerprint_names_build_files_card_protocol_and_texts() -> None:
    rows = dict(table("fingerprint", PAYS).rows)  # type: ignore[arg-type]
    assert rows["orchestrate"] == "9.9.9"
    assert "driver 580.1" in rows["rig rtx"] and "power limit not told" in rows["rig rtx"]
    assert rows["engine embedded, server"] == f"b11434; embedded-{'a' * 55}"
    assert "hash-of-coding" in rows["speed"]
    assert "-b 512 -ub 512" in rows["perplexity"]


def test_the_command_of_every_pick_is_there_to_paste() -> None:
    picks = picked(PAYS)
    found = replace(PAYS, commands={pick.record.trial_id: ("llama-server",) for pick in picks})
    commands = [block for block in build("fingerprint", found) if isinstance(block, Command)]
    assert [command.argv for command in commands] == [("llama-server",)] * len(picks)
    assert commands[0].title.endswith("(rtx)")


def test_rigs_that_were_left_out_are_named() -> None:
    row = QuarantineRow("left", "Rig left is left out: its driver is gone.", NOON)
    found = build("integrity", replace(PAYS, left_out=(row,)))
    assert Text("Rig left is left out: its driver is gone.") in found


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("context", "one context capacity"),
        ("depth", "filled context was not measured"),
        ("quality", "no generated programs"),
        ("kv", "one K/V pair"),
        ("weights", "one model"),
        ("speculation", "no candidate speculates"),
        ("draft_length", "no two candidates differ"),
        ("failures", "no candidate failed"),
    ],
)
def test_a_section_without_data_says_why(name: str, why: str) -> None:
    plain = next(r for r in records() if not r.candidate.drafts)
    with pytest.raises(NothingToShow, match=why):
        build(name, facts([plain]))


def test_a_sweep_in_which_all_failed_recommends_nothing() -> None:
    failed = facts([r for r in records() if r.failure])
    with pytest.raises(NothingToShow):
        build("recommendation", failed)
    assert table("failures", failed).rows


def test_energy_is_shown_where_a_card_told_it() -> None:
    energy = Estimate("joules_per_token", 0.2, 0.19, 0.21)
    found = facts([r.with_estimates(energy) if r.throughput else r for r in records()])
    assert isinstance(column(table("resources", found), "joules_per_token")[0], Number)
