"""Calls that only read drop the fields that they do not know; all others refuse them (rulings "Later rulings")."""

import re
from collections.abc import Iterator

from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import BaseModel

from api.platform.schemas import AskedBody

READS = re.compile(
    r"^/api/(?:[a-z0-9-]+-cursor|invoices?|credit-memos?|order-transactions?|search-products|products-by-ids"
    r"|business-partners|users-payment-methods)$"
)


def test_each_call_that_reads_by_post_drops_what_it_does_not_know(portal: FastAPI) -> None:
    asked = {route.path: body for route, body in _bodies(portal)}
    reads = {path: body for path, body in asked.items() if READS.match(path)}
    assert len(reads) >= 9, sorted(reads)
    strict = {path for path, body in reads.items() if body.model_config.get("extra") != "ignore"}
    assert strict == set()


def test_no_call_that_writes_does(portal: FastAPI) -> None:
    lenient = {
        route.path
        for route, body in _bodies(portal)
        if issubclass(body, AskedBody) and route.methods != {"POST"}
    }
    assert lenient == set()


def _bodies(portal: FastAPI) -> Iterator[tuple[APIRoute, type[BaseModel]]]:
    for route in portal.routes:
        if isinstance(route, APIRoute) and route.body_field is not None:
            body = route.body_field.field_info.annotation
            if isinstance(body, type) and issubclass(body, BaseModel):
                yield route, body
