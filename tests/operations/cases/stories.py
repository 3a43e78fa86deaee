"""What can happen to a case: together these take every edge of its transitions."""

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from db.operations.cases.lists import find_case
from db.operations.cases.opening import open_case
from db.operations.cases.starts import find_start, mark_begun
from domain.billing.disputes import Dispute, DisputeStatus
from domain.billing.payments import PaymentType, Provider, RefundRequest
from domain.identity.people import User
from domain.kinds import CASE as KIND
from domain.operations.cases import (
    UNANSWERED,
    BelongsTo,
    CaseCause,
    CasePayment,
    CasePolicy,
    CaseStart,
    on_order,
)
from tests.billing.payments.factories import a_method, a_payment_driver, a_payment_request
from tests.drivers.factories import Dealer, a_name, an_owner
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.until import asked_again
from tests.operations.cases.factories import Handle, case_in, kept, send_command
from tests.orders.factories import an_order
from workflows.client import begun_as
from workflows.operations.case import CaseWorkflow

Story = Callable[[Stage], Awaitable[Handle]]

PATIENT = CasePolicy(tries=3, pause=timedelta(minutes=10), soon=timedelta(milliseconds=50))
QUICK = PATIENT.model_copy(update={"pause": timedelta(milliseconds=50)})
HASTY = PATIENT.model_copy(update={"grace": timedelta(milliseconds=200)})
ONCE = PATIENT.model_copy(update={"tries": 1})


@dataclass(frozen=True)
class Owing:
    """A case of a debit that came back, and who may pay it."""

    stage: Stage
    handle: Handle
    buyer: User

    async def pay(self, card: str = "visa") -> str | None:
        code = self.buyer.partner_code
        method = await a_method(self.stage.sessions, card=card, partner_code=code)
        request = {"type": PaymentType.CARD, "method_id": method.id}
        return await send_command(self.handle, "pay", actor_id=self.buyer.id, **request)


async def owing(
    stage: Stage, policy: CasePolicy = PATIENT, *, dealer: Dealer | None = None
) -> Owing:
    """The order is there, and its money came back."""
    buyer = await an_owner(stage.sessions, dealer)
    handle = await opened(
        stage,
        amount="104.99",
        policy=policy,
        is_paid=False,
        cause=CaseCause.DEBIT_RETURNED,
        buyer=buyer,
    )
    return Owing(stage, handle, buyer)


async def opened(
    stage: Stage,
    *,
    card: str = "visa",
    bank: str | None = None,
    amount: str | None = None,
    policy: CasePolicy = PATIENT,
    is_paid: bool = True,
    cause: CaseCause = CaseCause.ORDER_CANCELLED,
    buyer: User | None = None,
    belongs_to: BelongsTo | None = None,
    is_disputed: bool = False,
    refund_key: str | None = None,
    given_back_under: str | None = None,
    tried: int = 0,
) -> Handle:
    """A case of somebody's order that was paid by this card, or from such a `bank` account at the card provider; its run
    begins at once. Of the payment 60.00 were given back already, under the key `given_back_under`. `tried` are the ways to pay
    that were declined by an earlier run of the case."""
    buyer, flow = buyer or await an_owner(stage.sessions), a_name()
    await an_order(stage.sessions, buyer.partner_code or "", token=flow, placed_by=buyer.id)
    if is_paid:
        method = await a_method(stage.sessions, card=card, bank=bank, bank_at=Provider.CARDS)
        async with a_payment_driver(stage.sessions, Path(), simulators=stage.app) as driver:
            paid = await driver.pay.authorise(a_payment_request(method, flow_id=flow, capture=True))
            if given_back_under is not None:
                made = RefundRequest(
                    payment_id=paid.payment_id, amount=Decimal(60), key=given_back_under
                )
                await driver.pay.refund(made)
        assert paid.captured == Decimal("104.99")
    start = CaseStart(
        id=uuid.uuid4().hex,
        cause=cause,
        dispute_id=await disputed(stage, flow, amount) if is_disputed else None,
        refund_key=refund_key,
        belongs_to=belongs_to or on_order(flow, "T-1", flow),
        amount=None if amount is None else Decimal(amount),
        detail="The warehouse lost the goods.",
        partner_code=buyer.partner_code or "",
        person_id=buyer.id,
        dealer_id=buyer.dealer_id,
        site="ca",
        opened_at=datetime.now(UTC),
        policy=policy,
    )
    async with stage.sessions.begin() as session:
        await open_case(session, start)
        await mark_begun(session, [start.id])
        before = await find_case(session, start.id)
    if tried and before is not None:
        last = CasePayment(type=PaymentType.CARD, method_id="none", attempt=tried)
        resume = before.model_copy(update={"payment": last, "state": "owed"})
        start = start.model_copy(update={"resume": resume})
    return await stage.client.start_workflow(  # pyright: ignore[reportUnknownMemberType]
        CaseWorkflow.run,
        start,
        id=KIND.workflow_id(start),
        task_queue=stage.task_queue,
        **begun_as(KIND, start),
    )


async def disputed(stage: Stage, flow_id: str, amount: str | None) -> str:
    """By the holder of the card; the provider's name of it."""
    wanted = {"flow_id": flow_id} | ({"amount": round(Decimal(amount) * 100)} if amount else {})
    answer = await stage.http.post(f"{SIMULATED}/cards/_disputes", json=wanted)
    return answer.json()["id"]


async def decided(stage: Stage, dispute_id: str, status: str) -> None:
    url = f"{SIMULATED}/cards/_disputes/{dispute_id}"
    (await stage.http.post(url, json={"status": status})).raise_for_status()


async def arrived(stage: Stage, flow_id: str) -> None:
    """The bank pays the debits of this run that were on their way."""
    answer = await stage.http.post(f"{SIMULATED}/cards/_debits", params={"flow_id": flow_id})
    assert answer.json()["results"], answer.text


def id_of(handle: Handle) -> str:
    return handle.id.removeprefix("case-")


async def until(stage: Stage, handle: Handle, state: str) -> None:
    await case_in(stage, id_of(handle), state)


async def ended(stage: Stage, handle: Handle, state: str, *, cents: int) -> Handle:
    """Its end, and what the payment still holds."""
    await handle.result()
    case = await case_in(stage, id_of(handle), state)
    assert await kept(stage, case.belongs_to.flow_id) == cents
    return handle


async def all_given_back(stage: Stage) -> Handle:
    return await ended(stage, await opened(stage), "solved", cents=0)


async def a_part_given_back(stage: Stage) -> Handle:
    return await ended(stage, await opened(stage, amount="4.99"), "solved", cents=10_000)


async def nothing_to_give_back(stage: Stage) -> Handle:
    return await ended(stage, await opened(stage, is_paid=False), "solved", cents=0)


async def given_back_before(stage: Stage) -> Handle:
    """More than half was given back, and nobody was told: what is left would not do for the same again."""
    key = a_name()
    handle = await opened(stage, amount="60.00", refund_key=key, given_back_under=key)
    await ended(stage, handle, "solved", cents=4_499)
    case = await case_in(stage, id_of(handle), "solved")
    assert case.given_back == Decimal("60.00")
    return handle


async def given_back_for_something_else(stage: Stage) -> Handle:
    """What was given back is not what this case is about: what is left goes back, and no more."""
    handle = await opened(stage, amount="60.00", refund_key=a_name(), given_back_under=a_name())
    await ended(stage, handle, "solved", cents=0)
    case = await case_in(stage, id_of(handle), "solved")
    assert case.given_back == Decimal("44.99")
    return handle


async def refused_twice(stage: Stage) -> Handle:
    handle = await opened(stage, card="refundRefusedTwice", policy=QUICK)
    return await ended(stage, handle, "solved", cents=0)


async def refused_for_good(stage: Stage) -> Handle:
    """An administrator takes it, has it tried again, and pays the buyer in another way."""
    handle = await opened(stage, card="refundRefused", policy=ONCE)
    await until(stage, handle, "needs_attention")
    assert await send_command(handle, "assign", owner_id="anna", owner="Anna Admin") is None
    assert await send_command(handle, "add_note", note="The bank was called.") is None
    assert await send_command(handle, "retry", note="The bank says it works now.") is None
    await until(stage, handle, "needs_attention")
    assert await send_command(handle, "resolve", note="A cheque was sent.") is None
    return await ended(stage, handle, "resolved", cents=10_499)


async def looked_after_while_it_waits(stage: Stage) -> Handle:
    handle = await opened(stage, card="refundRefusedTwice")
    await until(stage, handle, "waiting")
    assert await send_command(handle, "assign", owner_id="anna", owner="Anna Admin") is None
    assert await send_command(handle, "add_note", note="The bank was called.") is None
    assert await send_command(handle, "retry", note="Now.") is None
    await until(stage, handle, "waiting")
    assert await send_command(handle, "retry", note="Once more.") is None
    return await ended(stage, handle, "solved", cents=0)


async def resolved_while_it_waits(stage: Stage) -> Handle:
    handle = await opened(stage, card="refundRefused")
    await until(stage, handle, "waiting")
    assert await send_command(handle, "resolve", note="A cheque was sent.") is None
    return await ended(stage, handle, "resolved", cents=10_499)


async def for_a_person(stage: Stage) -> Handle:
    """Nothing is given back before somebody says so."""
    handle = await opened(stage, cause=CaseCause.RUN_LOST)
    await until(stage, handle, "needs_attention")
    assert await send_command(handle, "retry", note="Nothing was delivered.") is None
    return await ended(stage, handle, "solved", cents=0)


async def paid_again(stage: Stage) -> Handle:
    case = await owing(stage)
    await until(stage, case.handle, "owed")
    assert await case.pay("transactionDeclined") is None
    await until(stage, case.handle, "owed")
    assert await send_command(case.handle, "assign", owner_id="anna", owner="Anna Admin") is None
    assert await send_command(case.handle, "add_note", note="The buyer was called.") is None
    assert await case.pay() is None
    return await ended(stage, case.handle, "solved", cents=10_499)


async def paid_late(stage: Stage) -> Handle:
    case = await owing(stage, HASTY)
    await until(stage, case.handle, "suspended")
    assert await send_command(case.handle, "assign", owner_id="anna", owner="Anna Admin") is None
    assert await send_command(case.handle, "add_note", note="The buyer was called.") is None
    assert await case.pay() is None
    return await ended(stage, case.handle, "solved", cents=10_499)


async def paid_by_hand(stage: Stage) -> Handle:
    case = await owing(stage)
    await until(stage, case.handle, "owed")
    assert (
        await send_command(case.handle, "pay", type="CARD", method_id="none", actor_id="nobody")
        is None
    )
    await until(stage, case.handle, "owed")
    assert await send_command(case.handle, "resolve", note="A cheque came.") is None
    return await ended(stage, case.handle, "solved", cents=0)


async def paid_late_by_hand(stage: Stage) -> Handle:
    case = await owing(stage, HASTY)
    await until(stage, case.handle, "suspended")
    assert await send_command(case.handle, "resolve", note="A cheque came.") is None
    return await ended(stage, case.handle, "solved", cents=0)


async def paid_otherwise_while_nobody_answers(stage: Stage) -> Handle:
    """Its provider is away: the buyer waits for moments, and what may be taken by the first payment another case lets go of."""
    case = await owing(stage, PATIENT.model_copy(update={"brief": timedelta(seconds=1)}))
    await until(stage, case.handle, "owed")
    assert await case.pay("away") is None
    await until(stage, case.handle, "owed")
    payment = (await case.handle.query(CaseWorkflow.view)).payment
    assert payment is not None
    assert payment.detail == UNANSWERED
    assert await case.pay() is None
    return await ended(stage, case.handle, "solved", cents=10_499)


async def charged_back(stage: Stage, policy: CasePolicy = PATIENT) -> tuple[Handle, str]:
    """A case that somebody has to answer, and its dispute."""
    handle = await opened(
        stage, amount="104.99", cause=CaseCause.CHARGEBACK, is_disputed=True, policy=policy
    )
    await until(stage, handle, "needs_attention")
    async with stage.sessions() as session:
        start = await find_start(session, id_of(handle))
    assert start is not None
    assert start.dispute_id is not None
    return handle, start.dispute_id


async def charged_back_and_won(stage: Stage) -> Handle:
    handle, dispute_id = await charged_back(stage)
    await decided(stage, dispute_id, "under_review")
    assert await send_command(handle, "retry", note="The evidence was sent.") is None
    await until(stage, handle, "needs_attention")
    await decided(stage, dispute_id, "won")
    dispute = Dispute(
        id=dispute_id,
        provider_id="",
        status=DisputeStatus.WON,
        amount=Decimal("104.99"),
        currency="USD",
    )
    await handle.signal("dispute_heard", dispute)
    return await ended(stage, handle, "solved", cents=10_499)


async def charged_back_and_lost(stage: Stage) -> Handle:
    handle, dispute_id = await charged_back(stage)
    await decided(stage, dispute_id, "lost")
    assert await send_command(handle, "retry", note="It is lost.") is None
    await until(stage, handle, "owed")
    assert await send_command(handle, "resolve", note="A cheque came.") is None
    return await ended(stage, handle, "solved", cents=0)


async def lost_and_never_paid(stage: Stage) -> Handle:
    """The days to pay begin when the bank has decided, however long that took."""
    handle, dispute_id = await charged_back(stage, HASTY)
    await decided(stage, dispute_id, "lost")
    assert await send_command(handle, "retry", note="It is lost.") is None
    await until(stage, handle, "suspended")
    assert await send_command(handle, "resolve", note="A cheque came.") is None
    return await ended(stage, handle, "solved", cents=0)


async def charged_back_and_accepted(stage: Stage) -> Handle:
    handle, _ = await charged_back(stage)
    assert await send_command(handle, "resolve", note="We accept it.") is None
    return await ended(stage, handle, "resolved", cents=0)


async def followed_until_it_arrived(stage: Stage) -> Handle:
    """A bank takes its time, which costs no try; nobody has to look after it."""
    handle = await opened(stage, bank="slow", policy=ONCE)
    await asked_again(handle, "look_up_payment")
    case = await case_in(stage, id_of(handle), "waiting")
    await arrived(stage, case.belongs_to.flow_id)
    await ended(stage, handle, "solved", cents=0)
    case = await case_in(stage, id_of(handle), "solved")
    assert case.given_back == Decimal("104.99")
    return handle


async def sent_back_while_it_was_followed(stage: Stage) -> Handle:
    """Nothing ever arrives, so that nothing is given back."""
    handle = await opened(stage, bank="insufficient", policy=ONCE)
    await ended(stage, handle, "solved", cents=0)
    case = await case_in(stage, id_of(handle), "solved")
    assert case.given_back == 0
    return handle


CASE: dict[str, Story] = {
    "all-given-back": all_given_back,
    "a-part-given-back": a_part_given_back,
    "nothing-to-give-back": nothing_to_give_back,
    "given-back-before": given_back_before,
    "given-back-for-something-else": given_back_for_something_else,
    "followed-until-it-arrived": followed_until_it_arrived,
    "sent-back-while-it-was-followed": sent_back_while_it_was_followed,
    "refused-twice": refused_twice,
    "refused-for-good": refused_for_good,
    "looked-after-while-it-waits": looked_after_while_it_waits,
    "for-a-person": for_a_person,
    "paid-again": paid_again,
    "paid-late": paid_late,
    "paid-by-hand": paid_by_hand,
    "paid-late-by-hand": paid_late_by_hand,
    "resolved-while-it-waits": resolved_while_it_waits,
    "charged-back-and-won": charged_back_and_won,
    "charged-back-and-lost": charged_back_and_lost,
    "charged-back-and-accepted": charged_back_and_accepted,
    "lost-and-never-paid": lost_and_never_paid,
}

LET_GO: dict[str, Story] = {
    "paid-otherwise-while-nobody-answers": paid_otherwise_while_nobody_answers,
}
"""What runs have beside these since nobody waits for a provider that is away."""
