"""Requests to third parties without a public protocol, and their answers, held against the documents in `docs/`."""

import re
from collections.abc import Mapping
from typing import Any

import httpx
import jsonschema_rs
import orjson
import yaml

from dev.places import ROOT

_METHODS = frozenset({"get", "put", "post", "patch", "delete"})

Operation = tuple[str, str]
"""Method and path, from the root of the stand-ins."""


class Agreement:
    """One document, and in `asked` the operations that were asked as it says."""

    def __init__(self, name: str) -> None:
        self.document: dict[str, Any] = yaml.safe_load((ROOT / "docs" / name).read_text())
        self.asked = set[Operation]()
        self._items: dict[str, dict[str, Any]] = {
            f"{self._address(item)}{path}": item for path, item in self.document["paths"].items()
        }
        self.addresses = {self._address(item) for item in self.document["paths"].values()}
        """Before the paths."""
        schemes = self.document["components"].get("securitySchemes", {}).values()
        self._credentials = {one.get("name", "Authorization") for one in schemes}

    def operations(self) -> set[Operation]:
        return {
            (method.upper(), path)
            for path, item in self._items.items()
            for method in _METHODS & set(item)
        }

    def check_schemas(self) -> None:
        """Raises where one is no schema."""
        components = self.document["components"]
        for schema in components["schemas"].values():
            jsonschema_rs.validator_for({**schema, "components": components})

    async def look(self, response: httpx.Response) -> None:
        """For the hooks of a client: raises AssertionError where anything that names itself is not as agreed."""
        request = response.request
        is_theirs = any(request.url.path.startswith(one) for one in self.addresses)
        if is_theirs and all(one in request.headers for one in self._credentials):
            await response.aread()
            self.asked.add(self.hold(request, response))

    def hold(self, request: httpx.Request, response: httpx.Response) -> Operation:
        """The operation; raises AssertionError where request or answer is not as agreed. Bodies are those of a whole exchange."""
        method, path = self._operation_of(request)
        item = self._items[path]
        operation = item[method.lower()]
        where = f"{method} {path}"
        self._hold_parameters(
            where, [*item.get("parameters", ()), *operation.get("parameters", ())], request
        )
        body = operation.get("requestBody")
        assert (body is not None) == bool(request.content), f"{where}: a body or none"
        if body is not None:
            self._hold_json(f"{where} asks", self._resolved(body), request.content)
        answers = operation["responses"]
        self._hold_json(
            f"{where} answers {response.status_code}",
            self._resolved(answers.get(str(response.status_code), answers["default"])),
            response.content,
        )
        return method, path

    def hold_event(self, body: bytes) -> None:
        """What they tell by themselves. Raises AssertionError."""
        (event,) = self.document["webhooks"].values()
        self._hold_json("tells", self._resolved(event["post"]["requestBody"]), body)

    def _address(self, item: dict[str, Any]) -> str:
        (server,) = item.get("servers") or self.document["servers"]
        return server["url"]

    def _operation_of(self, request: httpx.Request) -> Operation:
        """Raises AssertionError for one that the document does not have; an address without a name in it goes first."""
        path = request.url.path
        for method, known in sorted(self.operations(), key=lambda one: one[1].count("{")):
            if method == request.method and re.fullmatch(re.sub(r"{\w+}", "[^/]+", known), path):
                return method, known
        raise AssertionError(f"{request.method} {path} is not in the document")

    def _hold_parameters(
        self, where: str, named: list[dict[str, Any]], request: httpx.Request
    ) -> None:
        parameters = [self._resolved(one) for one in named]
        known = {one["name"] for one in parameters if one["in"] == "query"}
        assert set(request.url.params) <= known, f"{where}: {set(request.url.params) - known}"
        assert all(one in request.headers for one in self._credentials), where
        for one in parameters:
            if one["in"] == "header" and one.get("required"):
                assert one["name"] in request.headers, f"{where}: {one['name']}"
            if one["in"] == "query" and one.get("required"):
                assert one["name"] in request.url.params, f"{where}: {one['name']}"

    def _hold_json(self, what: str, content: Mapping[str, Any], body: bytes) -> None:
        schema = content["content"]["application/json"]["schema"]
        whole = {**schema, "components": self.document["components"]}
        try:
            jsonschema_rs.validate(whole, orjson.loads(body))
        except jsonschema_rs.ValidationError as error:
            raise AssertionError(f"{what}: {error.message} at {error.instance_path}") from None

    def _resolved(self, named: dict[str, Any]) -> dict[str, Any]:
        found = named
        while "$ref" in found:
            place: Any = self.document
            for part in found["$ref"].removeprefix("#/").split("/"):
                place = place[part]
            found = place
        return found
