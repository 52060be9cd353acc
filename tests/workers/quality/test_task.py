"""Tasks are data: what comes with the project, and what is wrong with others."""

from __future__ import annotations

from pathlib import Path

import pytest

from workers.quality.errors import TaskError
from workers.quality.scorers.registry import all_scorers
from workers.quality.task import builtin_tasks, load_tasks, tasks_hash, tasks_of

OWN = """
task: add
group: mine
licence: Apache-2.0
language: python
scorer: functions
function: add
prompt: Write add(a, b).
cases:
  - {args: [1, 2], gives: 3}
"""


def own(folder: Path, *changes: tuple[str, str], name: str = "add.yaml") -> str:
    text = OWN
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_every_task_of_the_project_is_ours_and_has_a_scorer() -> None:
    assert {task.licence for task in builtin_tasks()} == {"Apache-2.0"}
    assert {task.scorer for task in builtin_tasks()} == set(all_scorers())


def test_a_group_stands_for_its_tasks_and_none_is_asked_twice() -> None:
    names = [task.task for task in load_tasks(["tetris", "to_roman", "functions"])]
    assert names[:3] == ["tetris_html", "tetris_terminal", "to_roman"]
    assert len(names) == len(set(names)) == len(builtin_tasks())


def test_a_task_of_ones_own_is_a_file(tmp_path: Path) -> None:
    (task,) = tasks_of(own(tmp_path))
    assert (task.task, task.cases[0].gives) == ("add", 3)


def test_another_prompt_is_another_hash(tmp_path: Path) -> None:
    one = tasks_hash(own(tmp_path))
    assert tasks_hash(own(tmp_path)) == one
    assert tasks_hash(own(tmp_path, ("Write add(a, b).", "Write add."))) != one


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("licence: Apache-2.0\n", ""), "add.yaml: licence"),
        (("language: python", "language: cobol"), "language"),
        (("scorer: functions", "scorer: functons"), "no scorer 'functons'"),
        (("gives: 3", "gives: 3, raises: ValueError"), "gives something or raises"),
        (("function: add\n", ""), "no function"),
        (("group: mine", "grup: mine"), "group"),
        (("prompt: Write", "prompt: [Write"), "add.yaml"),
    ],
)
def test_a_malformed_task_is_named(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    with pytest.raises(TaskError) as caught:
        tasks_of(own(tmp_path, change))
    assert said in str(caught.value)


def test_a_name_that_is_none_is_answered_with_the_nearest() -> None:
    with pytest.raises(TaskError, match="Did you mean 'tetris_html'"):
        tasks_of("tetris_htm")


def test_two_tasks_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = own(tmp_path / "other", ("Write add(a, b).", "Write add."))
    with pytest.raises(TaskError, match="Two tasks are called 'add'"):
        load_tasks([own(tmp_path), other])
