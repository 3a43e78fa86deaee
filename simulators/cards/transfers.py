"""Transfers to connected accounts, and their reversals, after Stripe Connect. Amounts are whole cents.

What becomes of one goes by words in the name of the business that it is for:

TRANSFER-REFUSED   always refused with `balance_insufficient`
TRANSFER-ONCE      the first one refused so
TRANSFER-RETURNED  the first one reversed as soon as it was made

The words of `Faults` work there too. `POST /cards/_transfers/{id}/return` reverses any other, as somebody at the provider's
own page does; `POST /cards/_transfers` {destination, amount} makes one that we never asked for.
"""

from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import BaseModel, ConfigDict

from simulators.cards.accounts import account, name_of
from simulators.cards.desk import (
    Desk,
    Form,
    Problem,
    amount_of,
    desk_of,
    missing,
    new_id,
    now,
    required,
)
from simulators.cards.events import queue_event
from simulators.cards.lists import page_of

router = APIRouter(prefix="/cards")

_TRANSFER = {"amount", "currency", "destination", "description", "metadata", "transfer_group"}


class Stray(BaseModel):
    model_config = ConfigDict(extra="forbid")

    destination: str
    amount: int
    transfer_group: str | None = None


def transfer(desk: Desk, id: str) -> dict[str, Any]:
    """Raises Problem."""
    found = desk.paying.find("transfer", id)
    if found is None:
        raise missing("transfer", id, "transfer")
    return found


@router.post("/v1/transfers")
async def create_transfer(request: Request) -> Response:
    desk = desk_of(request)
    key = request.headers.get("idempotency-key")
    return await desk.change(
        request,
        "transferred",
        _TRANSFER,
        lambda form: _transferred(desk, form, key),
        reference=lambda form: (
            f"{name_of(desk, str(form.get('destination', '')))} {form.get('transfer_group', '')}"
        ),
    )


@router.get("/v1/transfers")
async def list_transfers(request: Request) -> Response:
    desk = desk_of(request)

    def work(form: Form) -> dict[str, Any]:
        narrowed = "transfer_group" if "transfer_group" in form else "destination"
        return page_of(desk, "transfer", "/v1/transfers", form, narrowed=narrowed)

    return await desk.read(request, work)


@router.get("/v1/transfers/{id}")
async def read_transfer(request: Request, id: str) -> Response:
    desk = desk_of(request)
    return await desk.read(request, lambda _: transfer(desk, id))


@router.post("/v1/transfers/{id}/reversals")
async def create_reversal(request: Request, id: str) -> Response:
    desk = desk_of(request)
    return await desk.change(
        request,
        "reversed",
        {"amount", "description", "metadata"},
        lambda form: _reversed(desk, id, form),
    )


@router.post("/_transfers")
async def stray(request: Request, new: Stray) -> dict[str, Any]:
    """Somebody sends money at the provider's own page."""
    desk = desk_of(request)
    form: Form = {
        "amount": str(new.amount),
        "currency": "usd",
        "destination": new.destination,
        **({"transfer_group": new.transfer_group} if new.transfer_group else {}),
    }
    with desk.paying.state.transaction():
        return _or_http_error(lambda: _transferred(desk, form, None))


@router.post("/_transfers/{id}/return")
async def give_back(request: Request, id: str) -> dict[str, Any]:
    desk = desk_of(request)
    with desk.paying.state.transaction():
        _or_http_error(lambda: _reversed(desk, id, {}))
        return transfer(desk, id)


def _or_http_error(work: Any) -> dict[str, Any]:
    try:
        return work()
    except Problem as problem:
        raise HTTPException(problem.status, problem.body["error"]) from None


def _transferred(desk: Desk, form: Form, key: str | None) -> dict[str, Any]:
    """Raises Problem."""
    amount, group = amount_of(form, "amount"), form.get("transfer_group")
    to = account(desk, required(form, "destination"))
    if to["capabilities"]["transfers"] != "active":
        raise Problem(
            400,
            "Your destination account needs to have at least one of the following capabilities enabled: transfers,"
            " crypto_transfers, legacy_payments",
            code="insufficient_capabilities_for_transfer",
        )
    name = to["business_profile"]["name"] or ""
    earlier = [one for one in desk.paying.all("transfer_try") if one["to"] == to["id"]]
    desk.paying.put("transfer_try", {"id": new_id("try"), "to": to["id"]})
    if "TRANSFER-REFUSED" in name or ("TRANSFER-ONCE" in name and not earlier):
        desk.paying.enter(
            "transfer_refused", to["id"], amount, flow_id=group, key=key, detail="balance_insufficient"
        )  # fmt: skip
        raise Problem(
            400,
            "You have insufficient available funds in your Stripe account.",
            code="balance_insufficient",
            stored=True,
        )
    made: dict[str, Any] = {
        "id": new_id("tr"),
        "object": "transfer",
        "amount": amount,
        "amount_reversed": 0,
        "balance_transaction": new_id("txn"),
        "created": now(),
        "currency": required(form, "currency"),
        "description": form.get("description"),
        "destination": to["id"],
        "destination_payment": new_id("py"),
        "livemode": False,
        "metadata": form.get("metadata", {}),
        "reversals": {"object": "list", "data": [], "has_more": False, "url": "/v1/transfers"},
        "reversed": False,
        "source_transaction": None,
        "source_type": "card",
        "transfer_group": group,
    }
    desk.paying.put("transfer", made, group)
    desk.paying.enter("transferred", made["id"], amount, flow_id=group, key=key, detail=to["id"])
    queue_event(desk, "transfer.created", made)
    if "TRANSFER-RETURNED" in name and not earlier:
        _reversed(desk, made["id"], {})
    return made


def _reversed(desk: Desk, id: str, form: Form) -> dict[str, Any]:
    """Raises Problem."""
    found = transfer(desk, id)
    left = found["amount"] - found["amount_reversed"]
    amount = amount_of(form, "amount", left) if left else 0
    if not 0 < amount <= left:
        raise Problem(
            400,
            f"Reversal amount is greater than unreversed amount on transfer {id}.",
            param="amount",
        )
    made = {
        "id": new_id("trr"),
        "object": "transfer_reversal",
        "amount": amount,
        "created": now(),
        "currency": found["currency"],
        "metadata": form.get("metadata", {}),
        "transfer": id,
    }
    found["amount_reversed"] += amount
    found["reversed"] = found["amount_reversed"] == found["amount"]
    found["reversals"]["data"].append(made)
    desk.paying.put("transfer", found)
    desk.paying.enter("transfer_reversed", id, amount, flow_id=found["transfer_group"])
    queue_event(desk, "transfer.reversed", found)
    return made
