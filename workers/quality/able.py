"""Whether this machine can score the tasks of a recipe."""

from __future__ import annotations

from search_spaces.recipe import QualityRecipe
from workers.quality.errors import SandboxError
from workers.quality.sandbox.base import Sandbox
from workers.quality.sandbox.choose import sandbox_for
from workers.quality.scorers.registry import all_scorers
from workers.quality.task import Task, load_tasks


def able(recipe: QualityRecipe) -> tuple[tuple[Task, ...], Sandbox]:
    """The tasks, and the sandbox for their programs.

    Raises TaskError for tasks that cannot be used, SandboxError for what this machine lacks.
    """
    tasks = load_tasks(recipe.tasks)
    sandbox = sandbox_for(recipe.allow_unconfined)
    for task in tasks:
        problem = all_scorers()[task.scorer].problem()
        if problem is not None:
            raise SandboxError(
                f"The task {task.task} cannot be scored here: {problem}.",
                "Install it, or leave the task out of the recipe's `quality: {tasks: [...]}`.",
            )
    return tasks, sandbox
