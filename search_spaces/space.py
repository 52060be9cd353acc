"""The space: what a YAML file says, validated. Reading files is in `load`, walking in `walk`."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from search_spaces.axis import Axis
from search_spaces.builds import BUILDS
from search_spaces.candidate import Value, digest
from search_spaces.expressions import Expression
from search_spaces.metrics import METRICS, Direction, Facet
from search_spaces.recipe import Recipe, Strict, Text
from search_spaces.rigs import Name, RigRef
from search_spaces.variants import named, problem_of

SCHEMA = 1


class EngineRef(Strict):
    """An engine by name. `path` is a binary, a directory that holds one, or a name on PATH.

    `like` says what kind of build it is (a name of `search_spaces.builds`): what to look for
    where it is missing, and what to assume where a plan is made for a rig that is not here.
    """

    kind: Literal["embedded", "llama_server", "replay"] = "llama_server"
    path: Text | None = None
    like: Literal[*BUILDS] | None = None  # type: ignore[valid-type]

    @model_validator(mode="after")
    def _path_where_needed(self) -> EngineRef:
        if (self.path is None) != (self.kind == "embedded"):
            need = "takes no path" if self.kind == "embedded" else "needs a path"
            raise ValueError(f"an engine of kind {self.kind} {need}")
        return self


class Budget(Strict):
    """When a sweep has had enough: `trials` per rig, and minutes of wall time if set."""

    trials: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] = 32
    minutes: Annotated[float, Field(strict=True, gt=0)] | None = None


class Drift(Strict):
    """How drift is looked for: the baseline is measured again after `every` measured candidates
    (None: never), each time on `launches` launches."""

    every: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] | None = 8
    launches: Annotated[int, Field(strict=True, ge=1, le=100)] = 1


class Baseline(Strict):
    """What speed-ups and deltas refer to: `fix` these settings, one baseline `per` these.

    A parameter that is neither fixed nor listed in `per` takes its axis' first value.
    """

    fix: dict[str, bool | int | float | str] = {}
    per: tuple[str, ...] = ("rig", "model")


def _named(value: Any, variants: dict[str, str]) -> Any:
    """One value of `flags`, a list of them, or `{values: [...]}`."""
    if isinstance(value, dict) and isinstance(value.get("values"), list):
        return {**value, "values": _named(value["values"], variants)}
    if isinstance(value, list):
        return [named(one, variants) for one in value]
    return named(value, variants)


class Space(Strict):
    """One search: its axes, its goals, how to measure, and for how long."""

    schema_version: Annotated[int, Field(strict=True)] = Field(default=SCHEMA, alias="schema")
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]
    title: str = ""
    engines: dict[str, EngineRef] = {"embedded": EngineRef(kind="embedded")}
    variants: dict[str, str] = {}
    fixed: dict[str, bool | int | float | str] = {}
    parameters: dict[str, Axis] = {}
    forbid: tuple[str, ...] = ()
    baseline: Baseline = Baseline(fix={"spec": "none"})
    objectives: dict[str, Direction]
    constraints: tuple[str, ...] = ()
    measure: Recipe = Recipe()
    budget: Budget = Budget()
    rigs: dict[Name, RigRef] = {}
    exclude_cards: tuple[Text, ...] = ()
    drift: Drift = Drift()

    @model_validator(mode="before")
    @classmethod
    def _flags_by_name(cls, data: Any) -> Any:
        """Values of `flags` that name a variant get its flags: they are what is launched."""
        variants = data.get("variants") if isinstance(data, dict) else None
        if not isinstance(variants, dict) or not all(isinstance(v, str) for v in variants.values()):
            return data
        data = dict(data)
        for place in ("fixed", "parameters"):
            if isinstance(data.get(place), dict) and "flags" in data[place]:
                data[place] = {**data[place], "flags": _named(data[place]["flags"], variants)}
        base = data.get("baseline")
        if isinstance(base, dict) and isinstance(base.get("fix"), dict) and "flags" in base["fix"]:
            fix = {**base["fix"], "flags": _named(base["fix"]["flags"], variants)}
            data["baseline"] = {**base, "fix": fix}
        return data

    @field_validator("variants")
    @classmethod
    def _usable_variants(cls, variants: dict[str, str]) -> dict[str, str]:
        problem = problem_of(variants)
        if problem:
            raise ValueError(problem)
        return variants

    @field_validator("schema_version")
    @classmethod
    def _known_schema(cls, version: int) -> int:
        if version != SCHEMA:
            raise ValueError(f"this version reads schema {SCHEMA}")
        return version

    @field_validator("objectives", mode="before")
    @classmethod
    def _objective_list(cls, data: Any) -> Any:
        if isinstance(data, dict):
            return data
        if not isinstance(data, list) or not all(isinstance(name, str) for name in data):
            raise ValueError("list metrics by name, or map each to maximize or minimize")
        if len(set(data)) != len(data):
            raise ValueError("an objective is listed twice")
        return {n: METRICS[n].direction if n in METRICS else Direction.MAXIMIZE for n in data}

    @field_validator("drift", mode="before")
    @classmethod
    def _drift_off(cls, data: Any) -> Any:
        return {"every": None} if data == "off" else data

    @property
    def key(self) -> str:
        """Content hash: two files that mean the same search have the same key.

        The order of axes is part of it (it is the order of the walk), and that of objectives
        (it is the order in which values are told to the sampler); the order of other keys is not.
        What the rigs are called and how their cards are found is no part of the search, nor is
        how often drift is looked for, nor what an engine is said to be like.
        """
        left_out = {"title", "rigs", "exclude_cards", "drift", "variants"}
        meaning = self.model_dump(mode="json", by_alias=True, exclude=left_out)
        for engine in meaning["engines"].values():
            engine.pop("like")
        meaning["parameters"] = list(meaning["parameters"].items())
        meaning["objectives"] = list(meaning["objectives"].items())
        if Facet.CEILING not in self.facets:  # spaces of before keep their key
            del meaning["measure"]["ceiling"]
        meaning["facets"] = sorted(self.facets)  # naming a facet asks for it, defaults or not
        return digest(meaning)

    @cached_property
    def conditions(self) -> dict[str, Expression]:
        """The parsed `when` of each axis that has one."""
        axes = self.parameters.items()
        return {n: Expression.parse(a.when) for n, a in axes if a.when is not None}

    @cached_property
    def forbidden(self) -> tuple[Expression, ...]:
        """The parsed `forbid` list."""
        return tuple(Expression.parse(text) for text in self.forbid)

    @cached_property
    def limits(self) -> tuple[Expression, ...]:
        """The parsed constraints, over metrics, parameters and `rig`."""
        return tuple(Expression.parse(text) for text in self.constraints)

    @property
    def facets(self) -> frozenset[Facet]:
        """Every facet to measure: named by the recipe, or needed by a goal."""
        wanted = set(self.objectives) | {name for limit in self.limits for name in limit.names}
        return self.measure.named() | {METRICS[n].facet for n in wanted if n in METRICS}

    def default(self, name: str) -> Value | None:
        """The fixed or first value of a parameter, None when the space does not mention it."""
        if name in self.fixed:
            return self.fixed[name]
        return self.parameters[name][0] if name in self.parameters else None
