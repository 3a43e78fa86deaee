"""The calls of the card provider: `/cards/v1/…`, as at api.stripe.com, and what tests read and turn."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import ValidationError

from simulators.cards import banks, disputes, intents, objects
from simulators.cards.desk import Form, Problem, desk_of, nested
from simulators.cards.lists import page_of

router = APIRouter(prefix="/cards")

_CUSTOMER = {"name", "email", "description", "metadata"}
_METHOD = {"type", "card", "us_bank_account", "acss_debit", "billing_details", "metadata"}
_INTENT = {
    "amount",
    "capture_method",
    "confirm",
    "confirmation_method",
    "currency",
    "customer",
    "description",
    "metadata",
    "off_session",
    "payment_method",
    "payment_method_types",
    "return_url",
}


@router.post("/v1/customers")
async def create_customer(request: Request) -> Response:
    desk = desk_of(request)
    return await desk.change(
        request, "customer", _CUSTOMER, lambda form: objects.create_customer(desk, form)
    )


@router.get("/v1/customers/{id}")
async def read_customer(request: Request, id: str) -> Response:
    desk = desk_of(request)
    return await desk.read(request, lambda _: objects.customer(desk, id))


@router.get("/v1/customers/{id}/payment_methods")
async def customer_methods(request: Request, id: str) -> Response:
    return await _methods_of(request, id)


@router.get("/v1/payment_methods")
async def methods(request: Request, customer: str = "") -> Response:
    return await _methods_of(request, customer)


async def _methods_of(request: Request, customer: str) -> Response:
    desk = desk_of(request)

    def work(_: Form) -> dict[str, Any]:
        objects.customer(desk, customer)
        found = [one for one in desk.paying.all("method") if one["customer"] == customer]
        data = [objects.shown(one) for one in reversed(found)]
        return {"object": "list", "url": "/v1/payment_methods", "has_more": False, "data": data}

    return await desk.read(request, work)


@router.post("/v1/payment_methods")
async def create_method(request: Request) -> Response:
    """The browser's frame may call this with the public key."""
    desk = desk_of(request)
    return await desk.change(
        request,
        "method",
        _METHOD,
        lambda form: objects.shown(objects.create_method(desk, form)),
        public=True,
    )


@router.get("/v1/payment_methods/{id}")
async def read_method(request: Request, id: str) -> Response:
    desk = desk_of(request)
    return await desk.read(request, lambda _: objects.shown(objects.method(desk, id)))


@router.post("/v1/payment_methods/{id}")
async def update_method(request: Request, id: str) -> Response:
    desk = desk_of(request)
    return await desk.change(
        request,
        "method updated",
        _METHOD,
        lambda form: objects.shown(objects.update_method(desk, id, form)),
    )


@router.post("/v1/payment_methods/{id}/attach")
async def attach(request: Request, id: str) -> Response:
    desk = desk_of(request)
    return await desk.change(
        request,
        "attached",
        {"customer"},
        lambda form: objects.shown(objects.attach(desk, id, form)),
    )


@router.post("/v1/payment_methods/{id}/detach")
async def detach(request: Request, id: str) -> Response:
    desk = desk_of(request)
    return await desk.change(
        request, "detached", set(), lambda _: objects.shown(objects.detach(desk, id))
    )


@router.post("/v1/tokens")
async def create_token(request: Request) -> Response:
    desk = desk_of(request)
    return await desk.change(
        request,
        "token",
        {"card"},
        lambda form: objects.shown(objects.create_token(desk, form)),
        public=True,
    )


@router.post("/v1/setup_intents")
async def create_setup(request: Request) -> Response:
    desk = desk_of(request)
    fields = {
        "customer",
        "payment_method",
        "payment_method_types",
        "payment_method_options",
        "mandate_data",
        "confirm",
        "usage",
        "metadata",
    }
    return await desk.change(
        request, "setup", fields, lambda form: objects.create_setup(desk, form)
    )


@router.get("/v1/setup_intents/{id}")
async def read_setup(request: Request, id: str) -> Response:
    desk = desk_of(request)

    def work(_: Form) -> dict[str, Any]:
        found = desk.paying.find("setup", id)
        if found is None:
            raise intents.missing("setupintent", id, "intent")
        return found

    return await desk.read(request, work)


@router.get("/v1/setup_intents")
async def list_setups(request: Request) -> Response:
    desk = desk_of(request)
    return await desk.read(
        request,
        lambda form: page_of(desk, "setup", "/v1/setup_intents", form, narrowed="payment_method"),
    )


@router.post("/v1/setup_intents/{id}/verify_microdeposits")
async def verify_setup(request: Request, id: str) -> Response:
    desk = desk_of(request)
    return await desk.change(
        request,
        "verified",
        {"amounts", "descriptor_code"},
        lambda form: banks.verify(desk, id, form),
    )


@router.post("/v1/payment_intents")
async def create_intent(request: Request) -> Response:
    desk = desk_of(request)
    return await desk.change(
        request,
        "created",
        _INTENT,
        lambda form: intents.expanded(desk, intents.create(desk, form), form),
        reference=lambda form: (
            str((nested(form, "metadata") or {}).get("reference", ""))
            if form.get("confirm") == "true"
            else ""
        ),
    )


@router.get("/v1/payment_intents")
async def list_intents(request: Request) -> Response:
    desk = desk_of(request)

    def work(form: Form) -> dict[str, Any]:
        intents.advance(desk)
        return page_of(desk, "intent", "/v1/payment_intents", form, narrowed="customer")

    return await desk.read(request, work)


@router.get("/v1/payment_intents/search")
async def search_intents(request: Request) -> Response:
    desk = desk_of(request)
    return await desk.read(request, lambda form: intents.searched(desk, form))


@router.get("/v1/payment_intents/{id}")
async def read_intent(request: Request, id: str) -> Response:
    desk = desk_of(request)
    return await desk.read(
        request,
        lambda form: intents.expanded(desk, intents.intent(desk, id), form),
        reference=intents.reference_of(desk, id),
    )


@router.post("/v1/payment_intents/{id}")
async def update_intent(request: Request, id: str) -> Response:
    desk = desk_of(request)
    return await desk.change(
        request, "updated", _INTENT, lambda form: intents.update(desk, id, form)
    )


@router.post("/v1/payment_intents/{id}/confirm")
async def confirm_intent(request: Request, id: str) -> Response:
    desk = desk_of(request)
    return await desk.change(
        request,
        "confirmed",
        {"payment_method", "return_url", "off_session", "mandate"},
        lambda form: intents.expanded(desk, intents.confirm(desk, id, form), form),
        reference=lambda _: intents.reference_of(desk, id),
    )


@router.post("/v1/payment_intents/{id}/capture")
async def capture_intent(request: Request, id: str) -> Response:
    desk = desk_of(request)
    key = request.headers.get("idempotency-key")
    return await desk.change(
        request,
        "captured",
        {"amount_to_capture"},
        lambda form: intents.expanded(desk, intents.capture(desk, id, form, key), form),
        reference=lambda _: intents.reference_of(desk, id),
    )


@router.post("/v1/payment_intents/{id}/cancel")
async def cancel_intent(request: Request, id: str) -> Response:
    desk = desk_of(request)
    return await desk.change(
        request,
        "canceled",
        {"cancellation_reason"},
        lambda form: intents.expanded(desk, intents.cancel(desk, id, form), form),
        reference=lambda _: intents.reference_of(desk, id),
    )


@router.post("/v1/refunds")
async def create_refund(request: Request) -> Response:
    desk = desk_of(request)
    key = request.headers.get("idempotency-key")
    return await desk.change(
        request,
        "refunded",
        {"payment_intent", "amount", "reason", "metadata"},
        lambda form: intents.refund(desk, form, key),
        reference=lambda form: intents.reference_of(desk, str(form.get("payment_intent", ""))),
    )


@router.get("/v1/refunds/{id}")
async def read_refund(request: Request, id: str) -> Response:
    desk = desk_of(request)
    return await desk.read(request, lambda _: disputes.refund(desk, id))


@router.get("/v1/disputes/{id}")
async def read_dispute(request: Request, id: str) -> Response:
    desk = desk_of(request)
    return await desk.read(request, lambda _: disputes.dispute(desk, id))


@router.get("/_disputes")
async def all_disputes(request: Request, payment_intent: str | None = None) -> dict[str, Any]:
    return {"results": disputes.listed(desk_of(request), payment_intent, 100)["data"]}


@router.post("/_disputes")
async def open_dispute(request: Request, new: disputes.NewDispute) -> dict[str, Any]:
    """The holder of a card disputes a payment."""
    desk = desk_of(request)
    with desk.paying.state.transaction():
        return _or_http_error(lambda: disputes.disputed(desk, new))


@router.post("/_disputes/{id}")
async def decide_dispute(request: Request, id: str, decision: disputes.Decision) -> dict[str, Any]:
    """The bank decides."""
    desk = desk_of(request)
    with desk.paying.state.transaction():
        return _or_http_error(lambda: disputes.decided(desk, id, decision))


@router.post("/_debits")
async def hurry_debits(request: Request, flow_id: Annotated[str, Query()]) -> dict[str, Any]:
    """The banks answer what is on its way of one run."""
    desk = desk_of(request)
    with desk.paying.state.transaction():
        under_way = [
            one["id"] for one in desk.paying.all("intent", flow_id) if one["status"] == "processing"
        ]
        for id in under_way:
            banks.hurry(desk, id)
    return {"results": under_way}


def _or_http_error(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return work()
    except Problem as problem:
        raise HTTPException(problem.status, problem.body["error"]) from None


@router.get("/_ledger")
async def ledger(
    request: Request, flow_id: Annotated[str | None, Query()] = None
) -> dict[str, Any]:
    """Cents: `intents`, `captures`, `refunds`, all `entries` in order, and `sums` by operation; narrowed to one flow."""
    desk = desk_of(request)
    paying = desk.paying
    with paying.state.transaction():
        intents.advance(desk)
    return {
        "intents": paying.all("intent", flow_id),
        "captures": paying.entries(flow_id, ["captured"]),
        "refunds": paying.entries(flow_id, ["refunded"]),
        "entries": paying.entries(flow_id),
        "sums": paying.sums(flow_id),
    }


@router.post("/_control")
async def control(request: Request, changes: dict[str, Any]) -> dict[str, Any]:
    """Turns the knobs of `PayingKnobs`; only what is given changes. `forget_key` forgets one idempotency key."""
    desk = desk_of(request)
    key = changes.pop("forget_key", None)
    if key is not None:
        desk.paying.forget_key(str(key))
    try:
        knobs = desk.paying.turn(changes)
    except ValidationError as error:
        raise HTTPException(422, error.errors(include_url=False)) from None
    return knobs.model_dump()
