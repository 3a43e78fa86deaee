"""A page that is older than a run: its chart lacks a state, a way, or something to ask for that the server has."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from domain.base import Body
from domain.runs.projection import FlowKind

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9/_-]{1,60}$")]


class Drift(Body):
    """`name` is the state, the event or what is allowed that the page does not know, `state` where the run then stood."""

    kind: FlowKind
    id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    version: Annotated[int, Field(ge=1, le=1000)]
    rev: Annotated[int, Field(ge=0, le=1_000_000)]
    state: Name
    what: Literal["state", "edge", "allowed"]
    name: Name
