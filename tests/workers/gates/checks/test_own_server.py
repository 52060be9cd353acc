"""own_server and right_model: whose server answers, and with which weights."""

from __future__ import annotations

import pytest

from tests.workers.gates.scenes import MODEL, is_fatal, is_flag, scene, verdict_of
from workers.gates.checks.own_server import GATE as OWN
from workers.gates.checks.right_model import GATE as RIGHT

OURS = {"model_path": str(MODEL)}
THEIRS = {"model_path": "/models/theirs.gguf"}


def test_our_process_on_the_port_passes() -> None:
    assert verdict_of(OWN, scene(pid_owns_port=True)).verdict.passed


def test_another_process_on_the_port_fails_whatever_it_serves() -> None:
    assert is_fatal(verdict_of(OWN, scene(pid_owns_port=False, props=OURS)))


def test_where_the_system_does_not_tell_the_model_decides() -> None:
    assert verdict_of(OWN, scene(props=OURS)).verdict.passed
    assert is_fatal(verdict_of(OWN, scene(props=THEIRS)))


def test_where_nothing_tells_the_numbers_are_flagged() -> None:
    assert is_flag(verdict_of(OWN, scene()))


def test_our_process_with_our_model_is_right() -> None:
    assert verdict_of(RIGHT, scene(pid_owns_port=True, props=OURS)).verdict.passed


def test_our_process_with_another_model_is_fatal_and_names_both() -> None:
    finding = verdict_of(RIGHT, scene(pid_owns_port=True, props=THEIRS))

    assert is_fatal(finding)
    assert str(MODEL) in finding.verdict.detail
    assert "theirs.gguf" in finding.verdict.detail


@pytest.mark.parametrize(("owner", "props"), [(True, {}), (None, THEIRS), (False, THEIRS)])
def test_the_model_is_no_question_where_the_server_is(
    owner: bool | None, props: dict[str, str]
) -> None:
    assert RIGHT.check(scene(pid_owns_port=owner, props=props)) is None
