"""Every KV type has a known size per element, or is not known at all."""

from __future__ import annotations

import pytest

from workers.memory import kv_types


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        ("f16", 16),
        ("q8_0", 8.5),
        ("q5_1", 6),
        ("q5_0", 5.5),
        ("q4_1", 5),
        ("q4_0", 4.5),
        ("iq4_nl", 4.5),
        ("turbo4", 4.125),
        ("turbo3", 3.125),
        ("turbo2", 2.125),
        ("turbo3_tcq", 3.25),
        ("turbo2_tcq", 2.25),
        ("q2_0", 2.5),
        ("kvarn4", 4.375),
    ],
)
def test_bits_per_element(name: str, bits: float) -> None:
    found = kv_types.find(name)
    assert found is not None
    assert found.bits == bits


def test_names_are_taken_as_people_write_them() -> None:
    assert kv_types.find(" Q8_0 ") is kv_types.KV_TYPES["q8_0"]


def test_an_unknown_type_has_no_size() -> None:
    assert kv_types.find("quantum7") is None


def test_a_row_that_does_not_fill_its_last_block_pays_for_it() -> None:
    assert kv_types.KV_TYPES["turbo4"].row_bytes(64) == 66


def test_every_type_names_its_source() -> None:
    assert all(one.source for one in kv_types.KV_TYPES.values())
