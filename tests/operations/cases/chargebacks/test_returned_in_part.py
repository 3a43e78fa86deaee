"""What a buyer owes again after a bank returned a debit: what was delivered for it, and was not paid in another way."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Sessions
from db.billing.disputes import record_dispute
from db.billing.payments import (
    PaymentRow,
    PaymentSource,
    begin_payment,
    payments_of_flow,
    record_provider_state,
)
from db.operations.cases.lists import cases_of, find_case
from db.operations.cases.opening import open_case, open_missing
from db.operations.cases.starts import find_start
from db.operations.never_sent import not_sent
from db.orders.progress import store
from db.runs.flows import FlowRow
from domain.billing.disputes import Dispute, DisputeStatus
from domain.billing.payments import (
    PayingFlow,
    PaymentRequest,
    PaymentStatus,
    ProviderPayment,
    RefundRequest,
)
from domain.operations.cases import (
    BelongsTo,
    CaseCause,
    CaseStart,
    Lowered,
    let_go,
    on_order,
    put_off,
    refused_refund,
)
from tests.billing.invoice_payments import runs as invoices
from tests.billing.payments.factories import a_payment_request
from tests.checkout.placements.buying import turn
from tests.drivers.factories import a_name, a_partner
from tests.drivers.stage import Stage
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole
from tests.operations.cases.factories import case_on
from tests.orders.factories import a_new_order
from tests.plans.purchases import runs as purchases
from tests.plans.purchases.runs import PATIENT, SECOND, a_hopeless_line, a_line, a_stubborn_line
from workflows import ids

NOW = datetime.now(UTC)
ALL, PART = Decimal("104.99"), Decimal("40.00")
REST = ALL - PART


@dataclass(frozen=True)
class Sold:
    """An order that was paid by a debit, in a transaction that nobody sees."""

    session: AsyncSession
    request: PaymentRequest
    order_id: str

    @property
    def about(self) -> dict[str, Any]:
        return {"at": NOW, "dealer_id": None, "site": "ca"}

    def put_off(self, key: str = "part") -> CaseStart:
        refund = RefundRequest(payment_id=self.request.payment_id, amount=PART, key=key)
        stands_on = on_order(self.order_id, "T-1", self.request.flow_id)
        return put_off(stands_on, self.request, refund, "", **self.about)

    def withdrawn(self) -> CaseStart:
        update = {
            "cause": CaseCause.SHIPMENT_CANCELLED,
            "payment_id": None,
            "refund_key": None,
        }
        return self.put_off("withdrawn").model_copy(update=update)

    async def opened(self, *cases: CaseStart) -> None:
        for case in cases:
            assert await open_case(self.session, case)

    async def stands(
        self, case: CaseStart, state: str, given_back: str, lowered: tuple[Lowered, ...] = ()
    ) -> None:
        view = await find_case(self.session, case.id)
        assert view is not None
        shown = view.model_copy(
            update={"state": state, "given_back": Decimal(given_back), "lowered": lowered}
        )
        self.session.add(
            FlowRow(
                id=case.id,
                kind="case",
                version=1,
                workflow_id=ids.case_id(case.id),
                run_id=case.id,
                rev=1,
                seq=0,
                state=state,
                allowed=[],
                view=shown.model_dump(mode="json"),
                site="ca",
                owner_id=case.person_id,
                partner=case.partner_code,
                created_at=NOW,
                updated_at=NOW,
                ended_at=NOW,
            )
        )
        await self.session.flush()

    async def owed(self, *, refunded: str = "0.00") -> list[Decimal | None]:
        """What is owed again once the bank has returned the rest."""
        told = {"provider_id": "", "captured": self.request.amount, "refunded": refunded}
        for status in (PaymentStatus.CAPTURED, PaymentStatus.RETURNED):
            at_provider = ProviderPayment.model_validate({**told, "status": status})
            await record_provider_state(self.session, self.request.payment_id, at_provider)
        await open_missing(self.session)
        found = await cases_of(self.session, "order", self.order_id)
        return [one.amount for one in found if one.cause is CaseCause.DEBIT_RETURNED]

    async def charged_back(self, amount: Decimal, *, refunded: str = "0.00") -> CaseStart:
        """The case of it, a day later."""
        told = {"provider_id": a_name(), "captured": self.request.amount, "refunded": refunded}
        at_provider = ProviderPayment.model_validate({**told, "status": PaymentStatus.CAPTURED})
        await record_provider_state(self.session, self.request.payment_id, at_provider)
        dispute = Dispute(
            id=a_name(),
            provider_id=at_provider.provider_id,
            status=DisputeStatus.LOST,
            amount=amount,
            currency="USD",
        )
        assert await record_dispute(self.session, dispute)
        update = {
            "id": a_name(),
            "cause": CaseCause.CHARGEBACK,
            "dispute_id": dispute.id,
            "amount": amount,
            "opened_at": NOW + timedelta(days=1),
        }
        case = self.withdrawn().model_copy(update=update)
        await self.opened(case)
        return case

    async def paid_again(self, amount: Decimal) -> "Sold":
        """By another debit, of the case."""
        again = self.request.model_copy(update={"key": a_name(), "attempt": 2, "amount": amount})
        await begin_payment(self.session, again, PaymentSource())
        return Sold(self.session, again, self.order_id)


@pytest.fixture
async def sold(sessions: Sessions) -> AsyncGenerator[Sold]:
    code = await a_partner(sessions)
    async with sessions() as session:
        request = a_payment_request(partner_code=code, capture=True)
        order = await store(session, a_new_order(code, token=request.flow_id))
        await begin_payment(session, request, PaymentSource())
        yield Sold(session, request, order.id)
        await session.rollback()


async def test_all_of_it_is_owed_again(sold: Sold) -> None:
    assert await sold.owed() == [ALL]


@pytest.mark.parametrize("later", list(PaymentStatus))
async def test_a_debit_that_was_paid_anew_is_owed_by_nobody(
    sold: Sold, later: PaymentStatus
) -> None:
    """Unless nothing came of that either. What the bank returned first was known before anything was sold for it."""
    other = sold.request.model_copy(update={"key": a_name(), "attempt": 2})
    await begin_payment(sold.session, other, PaymentSource())
    await sold.session.execute(
        update(PaymentRow).where(PaymentRow.id == other.payment_id).values(status=later)
    )
    came_to_nothing = later in (PaymentStatus.DECLINED, PaymentStatus.VOIDED)
    assert await sold.owed() == ([ALL] if came_to_nothing else [])


async def test_what_somebody_else_paid_leaves_a_debit_owed(sold: Sold) -> None:
    """By a run of its own, as a case has."""
    other = sold.request.model_copy(update={"key": a_name(), "attempt": 2, "workflow_id": a_name()})
    await begin_payment(sold.session, other, PaymentSource())
    assert await sold.owed() == [ALL]


async def test_nothing_of_what_was_let_go_is_owed_again(sold: Sold) -> None:
    stands_on = on_order(sold.order_id, "T-1", sold.request.flow_id)
    await sold.opened(let_go(stands_on, sold.request, **sold.about))
    assert await sold.owed() == []


async def test_nothing_is_owed_again_that_was_to_be_given_back_whole(sold: Sold) -> None:
    stands_on = on_order(sold.order_id, "T-1", sold.request.flow_id)
    await sold.opened(refused_refund(stands_on, sold.request, None, "", **sold.about))
    assert await sold.owed() == []


async def test_a_part_that_is_not_given_back_yet_is_not_owed_again(sold: Sold) -> None:
    await sold.opened(sold.put_off())
    assert await sold.owed() == [REST]


async def test_a_part_that_nobody_could_give_back_is_not_owed_again(sold: Sold) -> None:
    case = sold.put_off()
    await sold.opened(case)
    await sold.stands(case, "solved", "0.00")
    assert await sold.owed() == [REST]


async def test_a_part_that_was_given_back_counts_once(sold: Sold) -> None:
    case = sold.put_off()
    await sold.opened(case)
    await sold.stands(case, "solved", str(PART))
    assert await sold.owed(refunded=str(PART)) == [REST]


async def test_a_part_that_a_person_gave_back_is_owed_again(sold: Sold) -> None:
    case = sold.put_off()
    await sold.opened(case)
    await sold.stands(case, "resolved", "0.00")
    assert await sold.owed() == [ALL]


async def test_what_is_never_sent_is_not_owed_again(sold: Sold) -> None:
    await sold.opened(sold.put_off(), sold.withdrawn())
    assert await sold.owed() == [ALL - 2 * PART]


async def test_nothing_is_owed_again_where_nothing_was_delivered(sold: Sold) -> None:
    await sold.opened(sold.withdrawn().model_copy(update={"amount": ALL}))
    assert await sold.owed() == []


async def test_what_was_not_paid_again_is_not_taken_off_twice(sold: Sold) -> None:
    early = {"opened_at": NOW - timedelta(days=1)}
    await sold.opened(sold.withdrawn().model_copy(update=early))
    assert await sold.owed() == [REST]
    again = await sold.paid_again(REST)
    assert await again.owed() == [REST, REST]


async def test_what_was_not_asked_for_again_is_not_taken_off_twice_either(sold: Sold) -> None:
    """A part was withdrawn while all was owed: that much less was paid again, and all of it came back once more."""
    assert await sold.owed() == [ALL]
    late = sold.withdrawn().model_copy(update={"opened_at": NOW + timedelta(days=1)})
    await sold.opened(late)
    found = await cases_of(sold.session, "order", sold.order_id)
    first = next(one for one in found if one.cause is CaseCause.DEBIT_RETURNED)
    start = await find_start(sold.session, first.id)
    assert start is not None
    lowered = (Lowered(case_id=late.id, amount=PART),)
    await sold.stands(start, "solved", "0.00", lowered=lowered)
    again = await sold.paid_again(REST)
    assert await again.owed() == [ALL, REST]


@pytest.mark.parametrize(
    ("state", "given_back", "less"),
    [("solved", "0.00", [PART]), ("solved", str(PART), []), ("resolved", "0.00", [])],
)
async def test_a_chargeback_asks_for_nothing_that_was_withdrawn_before_it(
    sold: Sold, state: str, given_back: str, less: list[Decimal]
) -> None:
    """The bank took the whole before the part could be given back; what a person resolved was given back in another way."""
    part = sold.withdrawn()
    await sold.opened(part)
    await sold.stands(part, state, given_back)
    taken = await sold.charged_back(ALL - Decimal(given_back))
    told = await not_sent(sold.session, taken.id)
    assert [(one.case_id, one.amount) for one in told.withdrawn] == [(part.id, a) for a in less]
    await sold.stands(taken, "owed", "0.00", lowered=told.withdrawn)
    assert (await not_sent(sold.session, taken.id)).withdrawn == ()


async def test_a_chargeback_asks_for_nothing_that_had_been_given_back(sold: Sold) -> None:
    """The bank took the whole although a part was there again."""
    part = sold.withdrawn()
    await sold.opened(part)
    await sold.stands(part, "solved", str(PART))
    taken = await sold.charged_back(ALL, refunded=str(PART))
    told = await not_sent(sold.session, taken.id)
    assert told.withdrawn == (Lowered(case_id=taken.id, amount=PART),)


async def test_what_an_earlier_debit_did_not_ask_for_is_not_taken_off_a_chargeback(
    sold: Sold,
) -> None:
    early = sold.withdrawn().model_copy(update={"opened_at": NOW - timedelta(days=1)})
    await sold.opened(early)
    assert await sold.owed() == [REST]
    await sold.stands(early, "solved", "0.00")
    again = await sold.paid_again(REST)
    taken = await again.charged_back(REST)
    assert (await not_sent(sold.session, taken.id)).withdrawn == ()


async def test_plans_that_were_paid_otherwise_rest_for_no_debit_that_comes_back(
    whole: Whole, stage: Stage
) -> None:
    """The debit was let go of while its bank was on its way with it; its case follows it to the end."""
    policy = PATIENT.model_copy(update={"brief": 30 * SECOND})
    await turn(whole, "cards", bank_days=1)
    try:
        run = await purchases.begun(stage, bank="unanswered", at_once=True, policy=policy)
        await until(run.processing)
    finally:
        await turn(whole, "cards", bank_days=0)
    assert await run.pay("visa") is None
    await purchases.ended(run, "confirmed")
    async with stage.sessions.begin() as session:
        (first, *_) = await payments_of_flow(session, "purchase", run.start.id)
        await record_provider_state(
            session,
            first.id,
            ProviderPayment(
                provider_id="", status=PaymentStatus.RETURNED, captured=first.request.amount
            ),
        )
        await open_missing(session)
        found = await cases_of(session, "purchase", run.start.id)
    assert [one.cause for one in found] == [CaseCause.LET_GO]


async def test_of_plans_that_failed_in_part_only_what_was_set_up_is_owed_again(
    whole: Whole, stage: Stage
) -> None:
    """The refund waited for the debit to arrive, which never did."""
    policy = PATIENT.model_copy(update={"brief": 30 * SECOND})
    await turn(whole, "cards", bank_days=6)
    try:
        lines = (a_line(), await a_hopeless_line(stage))
        run = await purchases.begun(stage, *lines, bank="insufficient", at_once=True, policy=policy)
        await purchases.ended(run, "confirmed")
    finally:
        await turn(whole, "cards", bank_days=0)
    good = (await run.view()).lines[0]

    async def owed() -> list[Decimal]:
        async with stage.sessions() as session:
            found = await cases_of(session, "purchase", run.start.id)
        return [one.owed for one in found if one.cause is CaseCause.DEBIT_RETURNED]

    assert await until(owed, lambda all_: all_ != [] and all_[0] > 0, within=40) == [good.total]


async def test_of_plans_that_are_still_tried_only_what_was_set_up_is_owed_again(
    whole: Whole, stage: Stage
) -> None:
    """The debit comes back while a device waits for its next try: that one is neither set up nor owed."""
    await turn(whole, "cards", bank_days=6)
    try:
        lines = (a_line(), await a_stubborn_line(stage, 1_000_000))
        run = await purchases.begun(stage, *lines, bank="insufficient", at_once=True)
        await purchases.ended(run, "confirmed")
    finally:
        await turn(whole, "cards", bank_days=0)
    good, failed = (await run.view()).lines
    assert (failed.status, failed.paid, failed.refunded) == ("unpaid", 0, 0)
    case = await case_on(stage, "purchase", run.start.id, "owed")
    assert (case.cause, case.owed) == (CaseCause.DEBIT_RETURNED, good.total)


async def test_invoices_that_were_paid_otherwise_stay_paid(stage: Stage) -> None:
    run = await invoices.begun(stage)
    await invoices.ended(run, "confirmed")
    about: dict[str, Any] = {"flow": PayingFlow.INVOICE_PAYMENT, "flow_id": run.start.id}
    request = a_payment_request(partner_code=run.start.payer.partner_code).model_copy(update=about)
    stands_on = BelongsTo(kind="invoice_payment", id=run.start.id, name="Invoices", **about)
    returned = ProviderPayment(
        provider_id="", status=PaymentStatus.RETURNED, captured=request.amount
    )
    async with stage.sessions.begin() as session:
        await begin_payment(session, request, PaymentSource())
        await open_case(session, let_go(stands_on, request, at=NOW, dealer_id=None, site="ca"))
        await record_provider_state(session, request.payment_id, returned)
        await open_missing(session)
        found = await cases_of(session, "invoice_payment", run.start.id)
    assert [one.cause for one in found] == [CaseCause.LET_GO]
    assert (await run.invoice()).balance == 0


async def test_invoices_that_were_paid_anew_once_their_debit_had_come_back_stay_paid(
    stage: Stage,
) -> None:
    """Nobody had told the run of it: it was still being asked for when its payer chose another method."""
    patient = {"charge": SECOND, "look": timedelta(hours=1)}
    run = await invoices.begun(
        stage, card="away", policy=invoices.PATIENT.model_copy(update=patient)
    )
    await run.until("needs_attention")
    async with stage.sessions.begin() as session:
        (first,) = await payments_of_flow(session, "invoice_payment", run.start.id)
        told = {"provider_id": a_name(), "captured": first.request.amount}
        for status in (PaymentStatus.CAPTURED, PaymentStatus.RETURNED):
            at_provider = ProviderPayment.model_validate({**told, "status": status})
            await record_provider_state(session, first.id, at_provider)
    assert await run.pay("visa") is None
    await invoices.ended(run, "confirmed")
    async with stage.sessions.begin() as session:
        await open_missing(session)
        found = await cases_of(session, "invoice_payment", run.start.id)
    assert found == ()
    assert (await run.invoice()).balance == 0
