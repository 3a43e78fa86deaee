"""The signpost finds what asking every route finds (decision 86)."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from fastapi.routing import iter_route_contexts
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from api.main import routes
from api.platform.border.signposts import Signpost

NONE = Match.NONE
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
A_TOKEN = "0123456789abcdef0123"
VALUES = (A_TOKEN, "self", "é\n")
"""What stands where a path has a parameter: what every one takes, a word that may be a part of another path, and neither."""


def test_each_operation_is_found_as_by_asking_all() -> None:
    every, signpost = routes(), Signpost(routes())
    found = set[int]()
    for path in set(_paths(every)):
        taking = [route for route in every if route.matches(_scope(path, "GET"))[0] is not NONE]
        for method in METHODS:
            wanted = _one_by_one(taking, path, method)
            assert _at(signpost, path, method) == wanted, (method, path)
            found.add(id(wanted[1]))
    assert found >= set(map(id, every))


def test_each_operation_is_asked_for_its_own_path() -> None:
    """None is shadowed by another one, and few others are asked before it."""
    signpost = Signpost(routes())
    for route in signpost.routes:
        (told,) = iter_route_contexts([route])
        path = _filled(told.path or "", A_TOKEN)
        fitting = signpost.fitting(_scope(path, "GET"))
        assert any(one is route for one in fitting)
        assert len(fitting) <= 8, (path, len(fitting))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "",
        "/v1",
        "/v1/",
        "/v1//activations",
        "//v1/activations",
        "/v1/activations/",
        "/v1/activations\n",
        "/healthz\n",
        "/healthz\n\n",
        "/V1/activations",
        "/v1/no-such-thing",
        "/v1/user/{id}",
        "/v1/user/a/b/c/d/e/f/g",
    ],
)
def test_odd_paths_are_found_as_by_asking_all(path: str, method: str) -> None:
    every = routes()
    match, route, _ = _at(Signpost(every), path, method)
    wanted = _one_by_one(every, path, method)
    assert match is wanted[0]
    assert route is wanted[1]


def test_the_order_of_routes_counts() -> None:
    """A parameter that comes first takes the word of a later route, as it always did."""
    said = [_route("/a/{x}", "GET"), _route("/a/b", "GET"), _route("/a/b", "POST")]
    signpost = Signpost(said)
    assert _at(signpost, "/a/b", "GET")[1] is said[0]
    assert _at(signpost, "/a/b", "POST")[1] is said[2]
    assert _at(signpost, "/a/b", "PUT") == (Match.PARTIAL, said[0], {"x": "b"})


def test_behind_a_prefix_every_route_is_asked() -> None:
    said = [_route("/a/b", "GET")]
    scope = {**_scope("/portal/a/b", "GET"), "root_path": "/portal"}
    assert Signpost(said).matches(scope)[0] is Match.FULL


def test_a_parameter_of_several_parts_is_refused() -> None:
    with pytest.raises(ValueError, match="several parts"):
        Signpost([_route("/files/{name:path}", "GET")])


async def test_a_router_is_found_by_the_paths_of_its_operations() -> None:
    router = APIRouter(prefix="/v1")

    @router.get("/things/{id}")
    async def thing(id: int) -> int:  # pyright: ignore[reportUnusedFunction]
        return id

    whole = APIRouter()
    whole.include_router(router)
    app = FastAPI(redirect_slashes=False)
    app.router.routes.append(Signpost(whole.routes))
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://portal"
    ) as browser:
        assert (await browser.get("/v1/things/7")).status_code == 200
        assert (await browser.post("/v1/things/7")).status_code == 405
        assert (await browser.get("/v1/things/7/parts")).status_code == 404


def _paths(every: Sequence[BaseRoute]) -> Iterator[str]:
    for told in iter_route_contexts(every):
        for value in VALUES:
            path = _filled(told.path or "", value)
            yield path
        yield from (f"{told.path}/", f"{told.path}/more", (told.path or "").rpartition("/")[0])


def _filled(template: str, value: str) -> str:
    return re.sub(r"\{[^}]+\}", value, template)


def _at(signpost: Signpost, path: str, method: str) -> tuple[Match, BaseRoute | None, Any]:
    match, child = signpost.matches(_scope(path, method))
    return match, child.get("turnkey.route"), child.get("path_params")


def _one_by_one(
    every: Sequence[BaseRoute], path: str, method: str
) -> tuple[Match, BaseRoute | None, Any]:
    """As the framework does it."""
    partial: tuple[Match, BaseRoute | None, Any] = (NONE, None, None)
    for route in every:
        match, child = route.matches(_scope(path, method))
        if match is Match.FULL:
            return match, route, child.get("path_params")
        if match is Match.PARTIAL and partial[1] is None:
            partial = (match, route, child.get("path_params"))
    return partial


def _scope(path: str, method: str) -> Scope:
    return {"type": "http", "path": path, "method": method, "root_path": "", "headers": []}


def _route(path: str, method: str) -> Route:
    async def nothing(_: Any) -> None: ...

    return Route(path, nothing, methods=[method])
