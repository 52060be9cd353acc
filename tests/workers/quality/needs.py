"""What tests of generated programs need, and the reason to skip where it is not there."""

from __future__ import annotations

import pytest

from workers.quality.browser.page import BROWSERS, browser_path
from workers.quality.sandbox.base import Sandbox
from workers.quality.sandbox.choose import found_sandbox, sandbox_problem


def sandbox() -> Sandbox:
    """The sandbox of this machine; skips where it has none (user namespaces forbidden, …)."""
    problem = sandbox_problem()
    if problem is not None:
        pytest.skip(problem)
    return found_sandbox()


def browser() -> None:
    """Skips where there is no browser."""
    if browser_path() is None:
        pytest.skip(f"none of {', '.join(BROWSERS)} is installed")
