"""Lists of the card provider, newest first, as at api.stripe.com: `limit` (10, at most 100), `starting_after`, `created[gte]`
and `created[lt]`."""

from typing import Any

from fastapi import APIRouter, Request, Response

from simulators.cards import disputes
from simulators.cards.desk import (
    Desk,
    Form,
    Problem,
    amount_of,
    desk_of,
    nested,
)
from simulators.cards.objects import shown

router = APIRouter(prefix="/cards")

MOST = 100


@router.get("/v1/refunds")
async def list_refunds(request: Request) -> Response:
    desk = desk_of(request)

    def work(form: Form) -> dict[str, Any]:
        disputes.advance_refunds(desk)
        return page_of(desk, "refund", "/v1/refunds", form, narrowed="payment_intent")

    return await desk.read(request, work)


@router.get("/v1/disputes")
async def list_disputes(request: Request) -> Response:
    return await _list(request, "dispute", "/v1/disputes", narrowed="payment_intent")


def page_of(
    desk: Desk, kind: str, url: str, form: Form, *, narrowed: str | None = None
) -> dict[str, Any]:
    """Raises Problem for a list that begins after something unknown."""
    limit = min(amount_of(form, "limit", 10), MOST)
    created = nested(form, "created") or {}
    found = [
        one
        for one in reversed(desk.paying.all(kind))
        if narrowed is None or narrowed not in form or one[narrowed] == form[narrowed]
        if int(created.get("gte", 0)) <= one["created"] < int(created.get("lt", 1 << 40))
    ]
    after = form.get("starting_after")
    if after is not None:
        places = [place for place, one in enumerate(found) if one["id"] == after]
        if not places:
            raise Problem(400, f"No such {kind}: '{after}'", param="starting_after")
        found = found[places[0] + 1 :]
    return {
        "object": "list",
        "url": url,
        "has_more": len(found) > limit,
        "data": [_with_charge(desk, one, form) for one in found[:limit]],
    }


async def _list(request: Request, kind: str, url: str, *, narrowed: str) -> Response:
    desk = desk_of(request)
    return await desk.read(request, lambda form: page_of(desk, kind, url, form, narrowed=narrowed))


def _with_charge(desk: Desk, one: dict[str, Any], form: Form) -> dict[str, Any]:
    wanted = nested(form, "expand") or {}
    charge = desk.paying.find("charge", one.get("latest_charge") or "")
    is_wanted = "data.latest_charge" in wanted.values() and charge is not None
    return one | {"latest_charge": shown(charge)} if is_wanted and charge else one
