"""Reading a help text: names, values, and what a value may be."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from tests.workers.dialects.texts import TEXTS, text
from workers.dialects.help_text import parse_help

MAINLINE = parse_help(text("mainline"))
IK = parse_help(text("ik_llama"))


def test_every_name_of_an_option_leads_to_it() -> None:
    names = {MAINLINE.options[name].names for name in ("-ngl", "--gpu-layers", "--n-gpu-layers")}
    assert names == {("-ngl", "--gpu-layers", "--n-gpu-layers")}


def test_a_description_is_joined_over_its_lines() -> None:
    assert "use --list-devices to see" in MAINLINE.options["-dev"].text


def test_a_value_that_stands_between_names_is_no_name() -> None:
    assert IK.options["-ctx-ckpt"] is IK.options["--ctx-checkpoints"]


def test_a_list_in_a_description_is_no_option() -> None:
    assert not [name for name in MAINLINE.options if name.strip("-") in ("none", "mmap", "auto")]


def test_a_switch_takes_no_value() -> None:
    assert MAINLINE.supports("--metrics")
    assert not MAINLINE.supports("--metrics on")
    assert not MAINLINE.supports("-c")


def test_a_value_must_be_among_the_listed_ones() -> None:
    assert MAINLINE.supports("-fit off")
    assert not MAINLINE.supports("-fit maybe")


def test_a_value_may_stand_in_the_description() -> None:
    assert MAINLINE.supports("-ngl all")
    assert not IK.supports("-ngl all")


def test_a_number_fits_where_a_value_is_taken() -> None:
    assert MAINLINE.supports("-np 1")


def test_a_placeholder_of_parts_is_no_list_of_values() -> None:
    assert MAINLINE.options["-dev"].choices == ()
    assert MAINLINE.supports("-dev none")


def test_removed_arguments_are_not_known() -> None:
    assert "--draft-max" not in MAINLINE
    assert "--draft-max" in parse_help(text("legacy"))


def test_kv_types_are_listed() -> None:
    assert MAINLINE.options["-ctk"].choices[:4] == ("f32", "f16", "bf16", "q8_0")


def test_all_recorded_texts_have_many_options() -> None:
    assert all(len(parse_help(text(name)).options) > 40 for name in TEXTS)


@given(st.text())
@example("-")
@example("--spec-type")
@example("-a b, ")
def test_any_text_can_be_read(garbage: str) -> None:
    for name, option in parse_help(garbage).options.items():
        assert name in option.names
