"""The shop's call for paying invoices, with its mock run (shop spec 7; rulings "Calls")."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import TypeAdapter
from sqlalchemy.ext.asyncio import AsyncSession

from api.billing.invoice_payments.bodies import PayInvoiceBody
from api.billing.invoice_payments.commands import choose_method
from api.billing.invoice_payments.paying import (
    Submit,
    begin,
    once_at_rest,
    pay_by_of,
    payer_code,
    payment_id_of,
    payment_of_key,
    payment_without_key,
    quoted,
    remember,
    submit_payment,
)
from api.partners.named_business import check_named
from api.platform.deps import IdempotencyKey, Portal, PortalDep, SignedIn
from api.platform.idempotency import answer_once
from api.platform.moves_money import MovesMoney
from api.platform.schemas import Camel
from db.base import reading
from db.platform.idempotency import StillUnderWay
from domain.billing.invoice_allocation import PaymentPlan
from domain.billing.invoice_payment import (
    NOT_SETTLED,
    InvoicePaymentDeclined,
    InvoicePaymentView,
    InvoiceStatus,
)
from domain.billing.payments import NOTHING, PayBy
from domain.checkout.draft import GatewayMismatch, PaymentChoice
from domain.identity.people import Actor
from domain.money import Money
from domain.runs.projection import FlowAnswer

router = APIRouter(tags=["invoice payments"])

Flag = Annotated[list[Literal["true", "false"]], Query(max_length=1)]
"""`true` or `false`, once. Anything else is refused: nobody is charged because a flag was not understood."""

_VIEW = TypeAdapter(InvoicePaymentView)


class InvoicePaid(Camel):
    """`attemptedPaymentAmount` is what is paid towards it, memos included; `isPaid` that the ERP has posted it; `detail`
    why it has not."""

    id: str
    attempted_payment_amount: Money
    is_paid: bool
    detail: str | None


class PayInvoiceAnswer(Camel):
    """`uuid` names the payment, null for a mock run. `charged` is what was taken less what was given back, or taken back by
    a bank."""

    uuid: str | None
    state: str
    charged: Money
    discount: Money
    invoices: list[InvoicePaid]


@router.post(
    "/api/pay-invoice",
    response_model=PayInvoiceAnswer,
    responses={202: {"model": PayInvoiceAnswer, "description": "Taken; the outcome comes later"}},
    dependencies=[MovesMoney],
)
async def pay_invoice(
    portal: PortalDep,
    actor: SignedIn,
    body: PayInvoiceBody,
    key: IdempotencyKey = None,
    validate: Flag = [],  # noqa: B006 (FastAPI copies defaults)
) -> Response:
    """Pay invoices: once, however often it is sent. With `validate=true` only the figures are worked out, and nothing is
    written. Repeated with another method after a decline, the same payment goes on."""
    payer_code(actor)
    async with reading(portal.sessions) as session:
        await check_named(session, actor, body.sap_bp_code)
        pay_by = await _pay_by(session, actor, body, cards=portal.features.card_payments)
        if validate == ["true"]:
            plan, _ = await quoted(session, actor, body.request)
            return _answer(200, _mock(plan))

    async def work() -> tuple[int, PayInvoiceAnswer]:
        return await _paid(portal, actor, body, pay_by, key)

    try:
        return await answer_once(portal.sessions, actor, key, "pay_invoice", body, work)
    except StillUnderWay:
        return _answer(*await work())


async def _paid(
    portal: Portal, actor: Actor, body: PayInvoiceBody, pay_by: PayBy | None, key: str | None
) -> tuple[int, PayInvoiceAnswer]:
    async with portal.sessions.begin() as session:
        if key is not None:
            id_ = await payment_of_key(session, actor, key)
        else:
            id_ = await payment_without_key(session, actor, body.request, pay_by)
    start = await submit_payment(portal, actor, Submit(id=id_, request=body.request, pay_by=pay_by))
    if start.id != id_:
        async with portal.sessions.begin() as session:
            await remember(session, actor, body.request, pay_by, key, start.id)
    own = payment_id_of(actor, key) if key else id_
    await begin(portal, start)
    seen = await once_at_rest(portal, start.id)
    if seen is not None and seen.state == "declined" and pay_by is not None and start.id != own:
        await choose_method(portal, actor, start.id, pay_by, key or f"{id_}-{seen.rev}")
        seen = await once_at_rest(portal, start.id)
    if seen is None:
        return 202, _mock(start.plan).model_copy(update={"uuid": start.id, "state": "checking"})
    if seen.state in ("declined", "expired", "cancelled", "returned"):
        raise _declined(seen)
    return 200 if seen.ended else 202, _outcome(seen)


async def _pay_by(
    session: AsyncSession, actor: Actor, body: PayInvoiceBody, *, cards: bool
) -> PayBy | None:
    chosen = body.selected_payment
    if chosen is None:
        return None
    pay_by = await pay_by_of(session, payer_code(actor), chosen.type, chosen.method_id, cards=cards)
    choice = PaymentChoice(type=chosen.type, method_id=chosen.method_id)
    if body.gateway is not None and body.gateway is not choice.gateway:
        raise GatewayMismatch
    return pay_by


def _declined(seen: FlowAnswer) -> InvoicePaymentDeclined:
    """Nothing is charged; with where the payment stands."""
    view = _VIEW.validate_python(seen.view)
    error = view.error
    return InvoicePaymentDeclined(
        error.detail if error else None,
        code=error.code if error else None,
        extra={"flow": {"kind": "invoice_payment", "id": seen.id, "state": seen.state}},
    )


def _mock(plan: PaymentPlan) -> PayInvoiceAnswer:
    return PayInvoiceAnswer(
        uuid=None,
        state="quoted",
        charged=plan.charged,
        discount=plan.discount,
        invoices=[
            InvoicePaid(
                id=one.number, attempted_payment_amount=one.amount, is_paid=False, detail=None
            )
            for one in plan.allocations
        ],
    )


def _outcome(seen: FlowAnswer) -> PayInvoiceAnswer:
    view = _VIEW.validate_python(seen.view)
    granted = [one.discount for one in view.lines if one.status not in NOT_SETTLED]
    return PayInvoiceAnswer(
        uuid=seen.id,
        state=seen.state,
        charged=view.charged - view.refunded - view.taken_back,
        discount=sum(granted, NOTHING),
        invoices=[
            InvoicePaid(
                id=one.number,
                attempted_payment_amount=one.amount,
                is_paid=one.status is InvoiceStatus.POSTED,
                detail=one.detail,
            )
            for one in view.lines
        ],
    )


def _answer(status: int, answer: PayInvoiceAnswer) -> Response:
    return Response(answer.model_dump_json(by_alias=True), status, media_type="application/json")
