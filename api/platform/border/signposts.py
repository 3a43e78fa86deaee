"""Which operations a path may belong to, so that a call is not held against every one of them (decision 86).

The framework asks one route after the other, by a regular expression each: with some 400 that costs more than a small read.
A signpost knows them by the parts of their paths and asks only those that a path may belong to, in their order: it finds
what asking all of them finds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fastapi.routing import iter_route_contexts
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

_CHOSEN = "turnkey.route"
"""Where the scope of a call keeps the route that was found."""


@dataclass
class _Fork:
    """`here` are the places of the routes that end here, `any` is the way on of a part that is a parameter."""

    here: list[int] = field(default_factory=list[int])
    named: "dict[str, _Fork]" = field(default_factory=dict[str, "_Fork"])
    any: "_Fork | None" = None

    def toward(self, part: str) -> "_Fork":
        if "{" not in part:
            return self.named.setdefault(part, _Fork())
        if self.any is None:
            self.any = _Fork()
        return self.any

    def ends_of(self, parts: Sequence[str]) -> Iterator[int]:
        if not parts:
            yield from self.here
            return
        if (named := self.named.get(parts[0])) is not None:
            yield from named.ends_of(parts[1:])
        if self.any is not None:
            yield from self.any.ends_of(parts[1:])


class Signpost(BaseRoute):
    """All of `routes` as one route: HTTP routes, and routers of such. A parameter of theirs is within one part of a path.

    Raises ValueError for a route with a parameter that takes several parts.
    """

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        self.routes = tuple(routes)
        self._root = _Fork()
        for place, route in enumerate(self.routes):
            for path in {context.path for context in iter_route_contexts([route])}:
                self._add(path or "", place)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """The first route that takes path and method, else the first that takes the path."""
        refusing: tuple[BaseRoute, Scope] | None = None
        for route in self.fitting(scope):
            match, child_scope = route.matches(scope)
            if match is Match.FULL:
                return match, {**child_scope, _CHOSEN: route}
            if match is Match.PARTIAL and refusing is None:
                refusing = (route, child_scope)
        if refusing is None:
            return Match.NONE, {}
        route, child_scope = refusing
        return Match.PARTIAL, {**child_scope, _CHOSEN: route}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        route: BaseRoute = scope.pop(_CHOSEN)
        await route.handle(scope, receive, send)

    def _add(self, path: str, place: int) -> None:
        if ":path}" in path:
            raise ValueError(f"{path} has a parameter of several parts")
        fork = self._root
        for part in path.split("/"):
            fork = fork.toward(part)
        fork.here.append(place)

    def fitting(self, scope: Scope) -> Sequence[BaseRoute]:
        if scope.get("root_path"):  # part of the path, which the routes do not have
            return self.routes
        # a regular expression lets a line break pass at the end
        parts = scope["path"].removesuffix("\n").split("/")
        return [self.routes[place] for place in sorted(set(self._root.ends_of(parts)))]
