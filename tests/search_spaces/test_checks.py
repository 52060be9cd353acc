"""What a schema cannot say: names that must exist, and conditions that can hold."""

from __future__ import annotations

import pytest

from tests.search_spaces.spaces import axes, problem, problem_in, problem_of, space, walked

DRAFTING = "model: m, drafter: d, spec: draft-dflash"


@pytest.mark.parametrize(
    ("body", "key", "message", "hint"),
    [
        ("fixed: {model: m, n_mx: 3}", "fixed.n_mx", "unknown parameter 'n_mx'.", "n_max"),
        ("parameters: {kv_x: [a]}", "parameters.kv_x", "unknown parameter 'kv_x'.", "kv_"),
        ("forbid: [nmax > 3]", "forbid.0", "unknown parameter 'nmax'.", "n_max"),
        ("forbid: [tok_s > 3]", "forbid.0", "unknown parameter 'tok_s'.", "Valid names: "),
        ("forbid: [rig.name == 'a']", "forbid.0", "unknown parameter 'rig'.", "Valid names: "),
        ("constraints: [pppl < 9]", "constraints.0", "unknown metric or parameter 'pppl'.", "ppl"),
        ("baseline: {fix: {spc: none}}", "baseline.fix.spc", "unknown parameter 'spc'.", "spec"),
        ("baseline: {per: [rig, modl]}", "baseline.per.1", "unknown parameter 'modl'.", "model"),
    ],
)
def test_an_unknown_name_names_the_nearest(body: str, key: str, message: str, hint: str) -> None:
    fixed = "" if body.startswith("fixed") else "fixed: {model: m}"
    error = problem(f"name: x\nobjectives: [tok_s]\n{fixed}\n{body}")
    assert (error.file, error.line, error.key) == ("my.yaml", 4, key)
    assert error.message == message
    assert hint in error.hint


def test_a_metric_of_a_mapping_is_known_too() -> None:
    error = problem("name: x\nfixed: {model: m}\nobjectives:\n  tok_s: maximize\n  pp: minimize\n")
    assert (error.key, error.line) == ("objectives.pp", 5)


@pytest.mark.parametrize("listed", ["[]", "{}"])
def test_a_space_without_an_objective_is_refused(listed: str) -> None:
    error = problem(f"name: x\nfixed: {{model: m}}\nobjectives: {listed}")
    assert (error.message, error.line) == ("no objective is named.", 3)


@pytest.mark.parametrize("listed", ["tok_s", "[5]", "[[tok_s]]", "null", "[{tok_s: maximize}]"])
def test_objectives_are_names(listed: str) -> None:
    error = problem(f"name: x\nfixed: {{model: m}}\nobjectives: {listed}")
    assert error.message == "list metrics by name, or map each to maximize or minimize."
    assert error.line == 3


def test_an_objective_is_named_once() -> None:
    error = problem("name: x\nfixed: {model: m}\nobjectives: [tok_s, ppl, tok_s]")
    assert error.message == "an objective is listed twice."


def test_a_parameter_is_fixed_or_an_axis() -> None:
    error = problem_of("ctx: [64, 128]", fixed="model: m, ctx: 64")
    assert (error.message, error.key, error.line) == ("both fixed and an axis.", "fixed.ctx", 3)


def test_a_space_names_a_model() -> None:
    assert problem_of("ctx: [64]", fixed="").message == "no model is named."


def test_a_model_has_no_condition() -> None:
    error = problem_of("ctx: [64, 128], model: {values: [m], when: ctx > 64}", fixed="")
    assert error.key == "parameters.model.when"


@pytest.mark.parametrize(
    ("parameters", "fixed", "key"),
    [
        ("kv: [f16/f16], kv_k: [f16]", "model: m", "parameters.kv_k"),
        ("kv: [f16/f16]", "model: m, kv_v: f16", "fixed.kv_v"),
        ("kv_k: [f16]", "model: m, kv: f16/f16", "parameters.kv_k"),
        ("draft_kv: [f16/f16], draft_kv_v: [f16]", DRAFTING, "parameters.draft_kv_v"),
    ],
)
def test_a_pair_and_its_parts_exclude_each_other(parameters: str, fixed: str, key: str) -> None:
    error = problem_of(parameters, fixed=fixed)
    assert "is already part of" in error.message
    assert error.key == key


def test_a_condition_refers_to_earlier_parameters_only() -> None:
    error = problem_of("batch: {values: [512, 1024], when: ctx > 64}, ctx: [64, 128]")
    assert error.message == "refers to 'ctx', which comes later."
    assert (error.key, error.hint) == ("parameters.batch.when", "Put ctx first.")
    error = problem_of("ctx: {values: [64, 128], when: ctx > 64}")
    assert error.message == "refers to 'ctx', which comes later."


@pytest.mark.parametrize(
    ("when", "later"),
    [
        ("kv_k == 'f16'", "kv: [f16/f16]"),
        ("draft_kv == 'f16/f16'", "draft_kv_k: [f16]"),
    ],
)
def test_pairs_and_parts_that_come_later_come_later(when: str, later: str) -> None:
    error = problem_of(f'batch: {{values: [512], when: "{when}"}}, {later}', fixed=DRAFTING)
    assert error.message == f"refers to {later.split(':')[0]!r}, which comes later."


@pytest.mark.parametrize(
    ("parameters", "fixed"),
    [
        ("ctx: [64], batch: {values: [512], when: ctx > 64}", "model: m"),
        ("batch: {values: [512], when: ctx > 64}", "model: m, ctx: 64"),
        ("batch: {values: [512], when: ctx > 64}", "model: m"),
        ("kv: [f16/f16], batch: {values: [512], when: kv_k == 'q8_0'}", "model: m"),
        ("kv_k: [f16], kv_v: [f16], batch: {values: [512], when: kv == 'f16/q8_0'}", "model: m"),
        ("ctx: [64, 128], batch: {values: [512], when: ctx == 64 and ctx == 128}", "model: m"),
        ("ctx: [64], batch: {values: [512], when: 'False'}", "model: m"),
    ],
)
def test_a_condition_that_can_never_hold_is_refused(parameters: str, fixed: str) -> None:
    error = problem_of(parameters, fixed=fixed)
    assert "can never hold with the values of this space." in error.message
    assert error.key == "parameters.batch.when"


@pytest.mark.parametrize(
    "parameters",
    [
        "kv: [f16/f16, q8_0/q5_1], batch: {values: [512], when: kv_v == 'q5_1'}",
        "kv_k: [f16], batch: {values: [512], when: kv_k == 'f16'}, kv_v: [f16, q8_0]",
        "kv_k: [f16, q8_0], kv_v: [f16], batch: {values: [512], when: kv == 'q8_0/f16'}",
        "kv: [f16/f16, a/b], ctx: {values: [64], when: kv == 'a/b'}, "
        "batch: {values: [512], when: ctx == None}",
        "ctx: {min: 64, max: 900000}, batch: {values: [512], when: ctx < 0}",
    ],
)
def test_a_condition_that_may_hold_is_taken(parameters: str) -> None:
    assert axes(parameters)


def test_the_error_of_a_condition_is_at_its_own_line() -> None:
    error = problem_in(
        "parameters:\n  ctx: [64, 128]\n  batch: {values: [512], when: ctx > 64}\n"
        "  ubatch:\n    values: [512]\n    when: ctx >\n"
    )
    assert (error.key, error.line) == ("parameters.ubatch.when", 9)


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ("parameters: {ctx: [64], batch: {values: [512], when: ''}}", "parameters.batch.when"),
        ("parameters: {ctx: [64], batch: {values: [1], when: ctx > 'a'}}", "parameters.batch.when"),
        ("forbid: [spec == 'none' and ctx == '64']", "forbid.0"),
        ("forbid: [ctx > 64, ctx()]", "forbid.1"),
        ("constraints: [tok_s > 0 or ppl > 'a']", "constraints.0"),
        ("constraints: [tok_s.__class__ == 1]", "constraints.0"),
        ("constraints: [rig.vram_mb > 1]", "constraints.0"),
        ("constraints: [ppl < 9, 'ppl <']", "constraints.1"),
    ],
)
def test_a_rule_that_could_fail_during_a_sweep_is_refused_before(body: str, key: str) -> None:
    error = problem_in(body, fixed="model: m" if "ctx: [" in body else "model: m, ctx: 64")
    assert (error.key, error.line) == (key, 4)


@pytest.mark.parametrize(
    ("parameters", "fixed"),
    [
        ("n_max: [1, 2]", "model: m"),
        ("spec: [none], n_max: [1, 2]", "model: m"),
        ("n_max: [1, 2], spec: [none]", "model: m"),
        ("draft_kv: [f16/f16]", "model: m, spec: ngram-mod"),
    ],
)
def test_an_axis_that_every_launch_would_ignore_is_refused(parameters: str, fixed: str) -> None:
    assert "has no effect with spec" in problem_of(parameters, fixed=fixed).message


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ("fixed: {model: m, engine: fatst}", "fixed.engine"),
        ("fixed: {model: m}\nparameters: {engine: [fast, fatst]}", "parameters.engine.values.1"),
        (
            "fixed: {model: m, engine: fast}\nbaseline: {fix: {engine: fatst}}",
            "baseline.fix.engine",
        ),
    ],
)
def test_an_engine_is_one_of_the_spaces(body: str, key: str) -> None:
    error = problem(f"name: x\nobjectives: [tok_s]\nengines: {{fast: {{path: x}}}}\n{body}")
    assert error.message == "unknown engine 'fatst'."
    assert (error.key, error.hint) == (key, "Did you mean 'fast'?")


def test_the_embedded_engine_is_needed_only_where_none_is_named() -> None:
    engines = "engines: {fast: {path: x}}"
    assert problem_in(engines).message == "unknown engine 'embedded'."
    error = problem_in(
        f"{engines}\nparameters: {{ctx: [64, 128], engine: {{values: [fast], when: ctx > 64}}}}"
    )
    assert error.message == "unknown engine 'embedded'."
    assert walked(space(engines, fixed="model: m, engine: fast"))[0].engine == "fast"


def test_the_reference_of_divergence_is_a_pair() -> None:
    error = problem_in("measure: {divergence: {reference: f16}}")
    assert (error.message, error.key) == (
        "'f16' is not a K/V pair.",
        "measure.divergence.reference",
    )
