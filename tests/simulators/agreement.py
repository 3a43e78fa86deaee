"""Requests to the device network and its answers, held against the document in `docs/`."""

import re
from collections.abc import Mapping
from typing import Any

import httpx
import jsonschema_rs
import orjson
import yaml

from dev.places import ROOT

DOCUMENT: dict[str, Any] = yaml.safe_load((ROOT / "docs" / "device-network.yaml").read_text())
BASE = "/device-cloud/v1"
_METHODS = frozenset({"get", "put", "post", "patch", "delete"})


def operations() -> set[tuple[str, str]]:
    """Method and path of each."""
    paths: dict[str, dict[str, Any]] = DOCUMENT["paths"]
    return {
        (method.upper(), path) for path, item in paths.items() for method in _METHODS & set(item)
    }


def operation_of(request: httpx.Request) -> tuple[str, str]:
    """Raises AssertionError for one that the document does not have; an address without a name in it goes first."""
    path = request.url.path.removeprefix(BASE)
    for method, known in sorted(operations(), key=lambda one: one[1].count("{")):
        if method == request.method and re.fullmatch(re.sub(r"{\w+}", "[^/]+", known), path):
            return method, known
    raise AssertionError(f"{request.method} {path} is not in the document")


def hold(request: httpx.Request, response: httpx.Response) -> tuple[str, str]:
    """The operation; raises AssertionError where request or answer is not as agreed. Bodies are those of a whole exchange."""
    method, path = operation_of(request)
    item = DOCUMENT["paths"][path]
    operation = item[method.lower()]
    where = f"{method} {path}"
    _hold_parameters(
        where, [*item.get("parameters", ()), *operation.get("parameters", ())], request
    )
    body = operation.get("requestBody")
    assert (body is not None) == bool(request.content), f"{where}: a body or none"
    if body is not None:
        _hold_json(f"{where} asks", _resolved(body), request.content)
    answers = operation["responses"]
    _hold_json(
        f"{where} answers {response.status_code}",
        _resolved(answers.get(str(response.status_code), answers["default"])),
        response.content,
    )
    return method, path


def _hold_parameters(where: str, named: list[dict[str, Any]], request: httpx.Request) -> None:
    parameters = [_resolved(one) for one in named]
    known = {one["name"] for one in parameters if one["in"] == "query"}
    assert set(request.url.params) <= known, f"{where}: {set(request.url.params) - known}"
    assert "X-Api-Key" in request.headers, where
    for one in parameters:
        if one["in"] == "header" and one.get("required"):
            assert one["name"] in request.headers, f"{where}: {one['name']}"
        if one["in"] == "query" and one.get("required"):
            assert one["name"] in request.url.params, f"{where}: {one['name']}"


def _hold_json(what: str, content: Mapping[str, Any], body: bytes) -> None:
    schema = content["content"]["application/json"]["schema"]
    whole = {**schema, "components": DOCUMENT["components"]}
    try:
        jsonschema_rs.validate(whole, orjson.loads(body))
    except jsonschema_rs.ValidationError as error:
        raise AssertionError(f"{what}: {error.message} at {error.instance_path}") from None


def _resolved(named: dict[str, Any]) -> dict[str, Any]:
    found = named
    while "$ref" in found:
        place: Any = DOCUMENT
        for part in found["$ref"].removeprefix("#/").split("/"):
            place = place[part]
        found = place
    return found
