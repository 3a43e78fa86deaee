"""Calls that only read drop the fields that they do not know; all others refuse them (rulings "Later rulings")."""

import re
from typing import Any

from fastapi import FastAPI

WRITES = re.compile(
    r"^/api/(?:products-checkout/.+|(?:attach|change|create|pay|update|verify)-.+|iot/send-command)$"
)
"""Of the documents' calls; all others of them only read."""
OWN_READS = {"/v1/quick-orders/check", "/v1/vehicle-fit"}


def test_each_call_that_reads_by_post_drops_what_it_does_not_know(portal: FastAPI) -> None:
    document = portal.openapi()
    asked = {
        path: _bodies(document, methods["post"])
        for path, methods in document["paths"].items()
        if "requestBody" in methods.get("post", {})
        and ((path.startswith("/api/") and not WRITES.match(path)) or path in OWN_READS)
    }
    assert len(asked) >= 30, sorted(asked)
    strict = {
        path
        for path, bodies in asked.items()
        if any(body.get("additionalProperties") is False for body in bodies)
    }
    assert strict == set()


def test_a_call_that_writes_refuses_it(portal: FastAPI) -> None:
    document = portal.openapi()
    path = "/api/products-checkout/create-b2b"
    (body,) = _bodies(document, document["paths"][path]["post"])
    assert body["additionalProperties"] is False


def _bodies(document: dict[str, Any], operation: dict[str, Any]) -> list[dict[str, Any]]:
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    named = [one for one in (schema, *schema.get("anyOf", ())) if "$ref" in one]
    schemas: dict[str, dict[str, Any]] = document["components"]["schemas"]
    return [schemas[one["$ref"].rpartition("/")[2]] for one in named]
