"""Tasks: each YAML file asks for one program and names the scorer that judges what it does."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from search_spaces.candidate import digest
from search_spaces.errors import SpaceError
from search_spaces.names import did_you_mean
from search_spaces.recipe import Strict, Text
from search_spaces.source import parse
from workers.quality.errors import TaskError

TASKS = Path(__file__).with_name("tasks")


class Case(Strict):
    """One call of a function: its arguments, and what it gives or the exception it raises."""

    args: tuple[Any, ...]
    gives: Any = None
    raises: Text | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> Case:
        if ("gives" in self.model_fields_set) == (self.raises is not None):
            raise ValueError("a case either gives something or raises something")
        return self


class Task(Strict):
    """One request to a model. `prompt` is all that it sees.

    `scorer` is a module of `workers.quality.scorers`. `function` and `cases` are for the scorer
    of functions; the model is never shown the cases.
    """

    task: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    group: Text
    licence: Text
    language: Literal["python", "html"]
    scorer: Text
    prompt: Text
    function: str = ""
    cases: tuple[Case, ...] = ()

    @property
    def file_name(self) -> str:
        """What its program is called."""
        return "program.py" if self.language == "python" else "program.html"


@cache
def builtin_tasks() -> tuple[Task, ...]:
    """The tasks that come with the project, by name."""
    return tuple(_load(path) for path in sorted(TASKS.glob("*.yaml")))


def tasks_of(reference: str) -> tuple[Task, ...]:
    """A builtin task by its name, a group of them, or one of your own by its path.

    Raises TaskError.
    """
    found = tuple(task for task in builtin_tasks() if reference in (task.task, task.group))
    if found:
        return found
    path = Path(reference).expanduser()
    if path.is_file():
        return (_load(path),)
    known = {name for task in builtin_tasks() for name in (task.task, task.group)}
    raise TaskError(
        f"There is no task {reference!r}.",
        f"{did_you_mean(reference, sorted(known))} Or name a .yaml file of your own.",
    )


def load_tasks(references: Iterable[str]) -> tuple[Task, ...]:
    """Every task that is asked for, once. Raises TaskError; two of one name are one too many."""
    tasks: dict[str, Task] = {}
    for task in (task for reference in references for task in tasks_of(reference)):
        if tasks.setdefault(task.task, task) != task:
            raise TaskError(f"Two tasks are called {task.task!r}.", "Give each a name of its own.")
    return tuple(tasks.values())


def tasks_hash(reference: str) -> str:
    """Content hash of what a reference stands for. Raises TaskError."""
    return digest([task.model_dump(mode="json") for task in tasks_of(reference)], length=64)


def _load(path: Path) -> Task:
    from workers.quality.scorers.registry import all_scorers

    try:
        task = Task.model_validate(parse(path.read_text(encoding="utf-8"), path.name).data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, first["loc"])) or "the task"
        raise TaskError(f"{path.name}: {key}: {first['msg']}.", _hint()) from None
    except SpaceError as error:
        raise TaskError(str(error), _hint()) from None
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"{path} cannot be read: {error}.", _hint()) from None
    if task.scorer not in all_scorers():
        raise TaskError(
            f"{path.name}: there is no scorer {task.scorer!r}.",
            did_you_mean(task.scorer, sorted(all_scorers())),
        )
    if all_scorers()[task.scorer].needs_cases and not (task.function and task.cases):
        raise TaskError(f"{path.name}: no function, or no cases of it.", _hint())
    return task


def _hint() -> str:
    return "workers/quality/task.py says which keys there are; workers/quality/tasks has examples."
