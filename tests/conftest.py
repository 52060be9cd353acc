"""Hypothesis profiles: `--hypothesis-profile=quick` looks less long, `thorough` much longer.

The usual one draws the same examples every time, so that a failure is the change's and not luck's.
"""

from hypothesis import settings

settings.register_profile("quick", max_examples=10, deadline=None, derandomize=True)
settings.register_profile("usual", max_examples=100, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=2_000, deadline=None)
settings.load_profile("usual")
