"""Calls that move money or a car: one that is not understood word by word moves none (decision 37).

`MovesMoney` or `MovesCar` stands at the route of each of them. Values are judged by their own types, and bodies
refuse unknown fields.
"""

import re

from fastapi import Depends, Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from domain.errors import Invalid

UNKNOWN = "Unknown field"

_WORD = re.compile(r"[A-Za-z_]{1,40}")


async def only_known_names(request: Request) -> None:
    """Raises Invalid for a query name that the operation does not know, a misspelt one too."""
    route = request.scope["route"]
    assert isinstance(route, APIRoute)
    known = names_of(route.dependant)
    unknown = [name for name in request.query_params if name not in known]
    if unknown:
        raise Invalid(fields=[(_named(name), UNKNOWN) for name in unknown[:20]])


MovesMoney = MovesCar = Depends(only_known_names)


def names_of(dependant: Dependant) -> frozenset[str]:
    """The query names that an operation and what it depends on know."""
    own = frozenset(field.alias for field in dependant.query_params)
    return own.union(*(names_of(inner) for inner in dependant.dependencies))


def _named(name: str) -> str:
    """A word is named, so that its sender finds the slip; anything else is not repeated."""
    return name if _WORD.fullmatch(name) else "query"
