"""A space in the database: everything it says, defaults written out.

Which facets `measure:` named is a fact of its own: once the defaults are written out, all of
them look named, and a restored space would measure facets that nobody asked for.
"""

from __future__ import annotations

from typing import Any

from db.codec import from_json
from search_spaces.recipe import Recipe
from search_spaces.space import Space


def space_to_json(space: Space) -> tuple[dict[str, Any], list[str]]:
    """The whole space as JSON, and the names under `measure:`."""
    named = sorted(facet.value for facet in space.measure.named())
    return space.model_dump(mode="json", by_alias=True), named


def space_from_json(data: Any, named: list[str]) -> Space:
    """The inverse; raises DatabaseError for a space of another version."""
    space = from_json(Space, data)
    values = {name: getattr(space.measure, name) for name in Recipe.model_fields}
    measure = Recipe.model_construct(_fields_set=set(named), **values)
    return space.model_copy(update={"measure": measure})
