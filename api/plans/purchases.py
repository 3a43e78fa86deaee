"""Purchases of plans that are under way: how they stand, and what their buyer may say to them (workflows 1.7)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, Field, StringConstraints

from api.plans.purchase_start import check_agrees, pay_by_of
from api.platform.border.queries import counted
from api.platform.deps import PortalDep, SignedIn
from api.platform.moves_money import MovesMoney
from api.runs.command import RunCommand
from api.runs.flow_answers import PurchaseAnswer, Transitions
from api.runs.flows import FlowId, answer_of, authorize_run, look_at_run
from api.runs.messages import ANSWERS, RequiredKey
from db.base import plain_reading, reading
from db.plans.purchases import open_purchases
from db.runs import flows
from domain.base import Body, Frozen
from domain.billing.payment_methods import MethodId
from domain.billing.payments import PaymentType
from domain.checkout.approvals import NotApprover, is_approver
from domain.checkout.placement import Reason
from domain.devices.devices import DeviceKey, UnknownDevice
from domain.errors import NotFound
from domain.plans.plans import MOST_LINES, check_may_buy_plans
from domain.plans.purchases import (
    OpenPurchase,
    PayBy,
    PurchaseEnded,
    PurchaseMessage,
    about_purchase,
    check_type,
)
from workflows.plans.purchase import PurchaseWorkflow

router = APIRouter(prefix="/v1/purchases", tags=["purchases"])

Note = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
QuoteHash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class ConfirmBody(Body):
    """`quote_hash` is that of the figures which the buyer has seen. Without a method the main one pays. `reason` is for the
    owner, where one must approve it."""

    quote_hash: QuoteHash
    type: PaymentType | None = None
    method_id: MethodId | None = None
    reason: Reason = ""


class PaymentBody(Body):
    type: PaymentType
    method_id: MethodId


class RetryBody(Body):
    """No keys: every device that failed."""

    device_keys: Annotated[tuple[DeviceKey, ...], Field(max_length=MOST_LINES)] = ()


class EmptyBody(Body):
    """Nothing more is said."""


class ApprovePurchaseBody(Body):
    """`note` is a word for the buyer."""

    note: Reason = ""


class RejectPurchaseBody(Body):
    """`note` says why."""

    note: Note


class AgreePurchaseBody(Body):
    """`quote_hash` is that of the figures which are agreed to."""

    quote_hash: QuoteHash


class PurchaseCommand(RunCommand):
    kind = "purchase"
    audited = frozenset({"note"})

    def check_sender(self) -> None:
        check_may_buy_plans(self.actor)

    async def pay_by(self, method_id: str | None, kind: PaymentType | None) -> PayBy | None:
        """The saved method of the business that the purchase is for. Raises MethodMissing, PaymentTypeRefused."""
        if kind is not None:
            check_type(kind)
        run = await self.run()
        if run.ended:
            raise PurchaseEnded(extra=about_purchase(run.id))
        code = run.partner or check_may_buy_plans(self.actor)
        async with reading(self.portal.sessions) as session:
            cards = self.portal.features.card_payments
            return await pay_by_of(session, code, method_id, kind, cards=cards)

    async def check_agrees(self) -> None:
        """Raises NotOwnPurchase."""
        async with reading(self.portal.sessions) as session:
            await check_agrees(session, self.actor, await self.run())

    async def again(self, device_keys: tuple[str, ...]) -> PurchaseMessage:
        """For devices of its own alone: nothing else that is typed comes into its history. Raises UnknownDevice."""
        stands = await answer_of(self.portal, "purchase", (await self.run()).id)
        if not {line["device_key"] for line in stands.view["lines"]}.issuperset(device_keys):
            raise UnknownDevice
        return PurchaseMessage(**self.sender, device_keys=device_keys)

    async def agreement(self, quote_hash: str) -> PurchaseMessage:
        """Of its buyer alone. Raises NotFound for another one's purchase."""
        if (await self.run()).owner_id != self.actor.person.id:
            raise NotFound
        return PurchaseMessage(**self.sender, quote_hash=quote_hash)

    async def answer(self, note: str) -> PurchaseMessage:
        """An owner's. Raises NotFound for a purchase of another dealer, NotApprover for one's own."""
        run, actor = await self.run(), self.actor
        if run.dealer_id is None or run.dealer_id != actor.dealer_id:
            raise NotFound
        if actor.is_acting or not is_approver(
            actor.person, dealer_id=run.dealer_id, requester_id=run.owner_id or ""
        ):
            raise NotApprover
        return PurchaseMessage(**self.sender, reason=note)


async def purchase_command(
    request: Request, portal: PortalDep, actor: SignedIn, id: FlowId, key: RequiredKey
) -> PurchaseCommand:
    return PurchaseCommand(request, portal, actor, id, key)


OnPurchase = Annotated[PurchaseCommand, Depends(purchase_command)]


class OpenPurchases(Frozen):
    """The latest change first."""

    results: tuple[OpenPurchase, ...]


@router.get("")
async def list_open_purchases(portal: PortalDep, actor: SignedIn) -> OpenPurchases:
    """What the caller has begun to pay for the business that they work for, and not seen the end of."""
    if actor.business_code is None:
        return OpenPurchases(results=())
    async with reading(portal.sessions) as session:
        found = await open_purchases(session, actor.person.id, actor.business_code)
    return OpenPurchases(results=tuple(found))


@router.get("/{id}", response_model=PurchaseAnswer)
async def get_purchase(portal: PortalDep, actor: SignedIn, id: FlowId) -> Response:
    """The purchase as it stands."""
    async with plain_reading(portal.sessions) as connection:
        return stored(await look_at_run(connection, actor, "purchase", id))


@router.get("/{id}/transitions")
async def list_purchase_transitions(
    portal: PortalDep,
    actor: SignedIn,
    id: FlowId,
    after: Annotated[int, Query(ge=-1, le=1_000_000), counted(-1, least=-1, most=1_000_000)] = -1,
    limit: Annotated[int, Query(ge=1, le=100), counted(100, most=100)] = 100,
) -> Transitions:
    """What happened, by whom and when."""
    async with reading(portal.sessions) as session:
        await authorize_run(session, actor, "purchase", id)
        moves = await flows.transitions_of(session, id, after=after, limit=limit)
    return Transitions(results=list(moves))


@router.post(
    "/{id}/confirm", response_model=PurchaseAnswer, responses=ANSWERS, dependencies=[MovesMoney]
)
async def confirm_purchase(command: OnPurchase, body: ConfirmBody) -> Response:
    """Agree to the quote and pay it: once, for the lines without a problem."""
    pay_by = await command.pay_by(body.method_id, body.type)
    await command.check_agrees()
    ask = PurchaseMessage(
        **command.sender, quote_hash=body.quote_hash, pay_by=pay_by, reason=body.reason
    )
    return await command.send(
        PurchaseWorkflow.confirm, ask, body, audit="bought plans", begins=True
    )


@router.post(
    "/{id}/payment", response_model=PurchaseAnswer, responses=ANSWERS, dependencies=[MovesMoney]
)
async def choose_purchase_payment(command: OnPurchase, body: PaymentBody) -> Response:
    """Another method after a decline, and while a charge is under way or nobody knows what became of it: that one is let go.
    The figures stay as they were agreed to."""
    pay_by = await command.pay_by(body.method_id, body.type)
    ask = PurchaseMessage(**command.sender, pay_by=pay_by)
    return await command.send(
        PurchaseWorkflow.choose_payment, ask, body, audit="chose another payment for plans"
    )


@router.post(
    "/{id}/retry", response_model=PurchaseAnswer, responses=ANSWERS, dependencies=[MovesMoney]
)
async def retry_purchase(command: OnPurchase, body: RetryBody) -> Response:
    """Try the devices that failed again; nothing is charged for it."""
    again = command.again(body.device_keys)
    return await command.send(
        PurchaseWorkflow.retry, again, body, audit="tried plans again", begins=True
    )


@router.post(
    "/{id}/give-up", response_model=PurchaseAnswer, responses=ANSWERS, dependencies=[MovesMoney]
)
async def give_up_purchase(command: OnPurchase, body: EmptyBody) -> Response:
    """Have the devices that failed paid back."""
    ask = PurchaseMessage(**command.sender)
    return await command.send(
        PurchaseWorkflow.give_up, ask, body, audit="gave up plans that failed"
    )


@router.post(
    "/{id}/approve", response_model=PurchaseAnswer, responses=ANSWERS, dependencies=[MovesMoney]
)
async def approve_purchase(command: OnPurchase, body: ApprovePurchaseBody) -> Response:
    """Say yes to a purchase of the dealer's: its figures are worked out once more, then it is paid and set up."""
    return await command.send(
        PurchaseWorkflow.approve,
        command.answer(body.note),
        body,
        audit="approved a purchase of plans",
    )


@router.post(
    "/{id}/reject", response_model=PurchaseAnswer, responses=ANSWERS, dependencies=[MovesMoney]
)
async def reject_purchase(command: OnPurchase, body: RejectPurchaseBody) -> Response:
    """Say no to a purchase of the dealer's. Nothing is charged."""
    return await command.send(
        PurchaseWorkflow.reject,
        command.answer(body.note),
        body,
        audit="rejected a purchase of plans",
    )


@router.post(
    "/{id}/agree", response_model=PurchaseAnswer, responses=ANSWERS, dependencies=[MovesMoney]
)
async def agree_to_purchase(command: OnPurchase, body: AgreePurchaseBody) -> Response:
    """The buyer's yes to prices that changed while the purchase waited. An owner is asked again."""
    return await command.send(
        PurchaseWorkflow.agree,
        command.agreement(body.quote_hash),
        body,
        audit="agreed to new prices of plans",
    )


@router.post(
    "/{id}/cancel", response_model=PurchaseAnswer, responses=ANSWERS, dependencies=[MovesMoney]
)
async def cancel_purchase(command: OnPurchase, body: EmptyBody) -> Response:
    """Give the purchase up before it is paid."""
    ask = PurchaseMessage(**command.sender)
    return await command.send(
        PurchaseWorkflow.cancel, ask, body, audit="cancelled a purchase of plans"
    )


def stored(answer: BaseModel) -> Response:
    """Views go out as the run itself wrote them."""
    return Response(answer.model_dump_json(), media_type="application/json")
