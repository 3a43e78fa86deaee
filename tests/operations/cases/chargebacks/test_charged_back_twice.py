"""Several chargebacks of one payment: what had been given back is taken off once (decision 51)."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Sessions
from db.billing.disputes import DisputeRow, record_dispute
from db.billing.payments import PaymentSource, begin_payment, record_provider_state
from db.operations.cases.opening import open_case
from db.operations.cases.starts import mark_begun
from db.operations.never_sent import not_sent
from db.orders.progress import store
from domain.billing.disputes import Dispute, DisputeStatus
from domain.billing.payments import PaymentRequest, PaymentStatus, ProviderPayment
from domain.operations.cases import CaseCause, CaseStart, chargeback_case, on_order
from tests.billing.payments.factories import a_payment_request
from tests.drivers.factories import a_name, a_partner
from tests.orders.factories import a_new_order

NOW = datetime.now(UTC)
GIVEN_BACK, FIRST, SECOND = Decimal("60.00"), Decimal("52.49"), Decimal("52.50")
"""Of 104.99: what the bank took beyond what was left is all of what had been given back."""


@dataclass(frozen=True)
class ChargedBack:
    """An order whose card payment was given back in part, and then disputed in two parts; no run looks after the cases."""

    sessions: Sessions
    request: PaymentRequest
    order_id: str
    disputes: tuple[Dispute, ...]

    async def record(
        self, session: AsyncSession, dispute: Dispute, status: DisputeStatus = DisputeStatus.LOST
    ) -> None:
        assert await record_dispute(session, dispute.model_copy(update={"status": status}))

    async def decided(self, dispute: Dispute, status: DisputeStatus = DisputeStatus.LOST) -> None:
        async with self.sessions.begin() as session:
            await self.record(session, dispute, status)

    async def taken_off(self, dispute: Dispute) -> Decimal:
        """By which the case of this chargeback asks for less."""
        async with self.sessions() as session:
            told = await not_sent(session, chargeback_case(dispute.id))
        return sum((one.amount for one in told.withdrawn), Decimal(0))


@pytest.fixture
async def charged_back(sessions: Sessions) -> ChargedBack:
    code = await a_partner(sessions)
    request, provider_id = a_payment_request(partner_code=code, capture=True), a_name()
    disputes = tuple(
        Dispute(
            id=a_name(),
            provider_id=provider_id,
            status=DisputeStatus.OPEN,
            amount=amount,
            currency="USD",
        )
        for amount in (FIRST, SECOND)
    )
    async with sessions.begin() as session:
        order = await store(session, a_new_order(code, token=request.flow_id))
        await begin_payment(session, request, PaymentSource())
        at_provider = ProviderPayment(
            provider_id=provider_id,
            status=PaymentStatus.CAPTURED,
            captured=request.amount,
            refunded=GIVEN_BACK,
        )
        await record_provider_state(session, request.payment_id, at_provider)
        here = ChargedBack(sessions, request, order.id, disputes)
        for minutes, dispute in enumerate(disputes):
            await here.record(session, dispute, DisputeStatus.OPEN)
            await open_case(session, _case_of(here, dispute, NOW + timedelta(minutes=minutes)))
        ids = [chargeback_case(one.id) for one in disputes]
        await mark_begun(session, ids)
        for dispute, case_id in zip(disputes, ids, strict=True):
            row = update(DisputeRow).where(DisputeRow.id == dispute.id)
            await session.execute(row.values(case_id=case_id))
    return here


def _case_of(here: ChargedBack, dispute: Dispute, at: datetime) -> CaseStart:
    return CaseStart(
        id=chargeback_case(dispute.id),
        cause=CaseCause.CHARGEBACK,
        belongs_to=on_order(here.order_id, "T-1", here.request.flow_id),
        payment_id=here.request.payment_id,
        dispute_id=dispute.id,
        amount=dispute.amount,
        partner_code=here.request.partner_code,
        person_id=here.request.person_id,
        site="ca",
        opened_at=at,
    )


@pytest.mark.parametrize("is_first_lost_first", [True, False])
async def test_what_had_been_given_back_is_taken_off_once(
    charged_back: ChargedBack, is_first_lost_first: bool
) -> None:
    """In whichever order the bank decides, and however often it tells of it again."""
    earlier, later = charged_back.disputes
    if not is_first_lost_first:
        earlier, later = later, earlier
    await charged_back.decided(earlier)
    before = await charged_back.taken_off(earlier)
    assert before == GIVEN_BACK + earlier.amount - charged_back.request.amount
    await charged_back.decided(later)
    await charged_back.decided(earlier)
    assert await charged_back.taken_off(earlier) == before
    assert await charged_back.taken_off(later) == GIVEN_BACK - before


async def test_what_had_been_given_back_is_taken_off_once_where_all_is_lost_at_one_moment(
    charged_back: ChargedBack,
) -> None:
    await asyncio.gather(*map(charged_back.decided, charged_back.disputes))
    taken = await asyncio.gather(*map(charged_back.taken_off, charged_back.disputes))
    assert sum(taken) == GIVEN_BACK


async def test_what_the_bank_gives_back_had_not_been_given_back_twice(
    charged_back: ChargedBack,
) -> None:
    """What another chargeback may still bring back does not make this one ask for less."""
    lost, won = charged_back.disputes
    await charged_back.decided(lost)
    undecided = await charged_back.taken_off(lost)
    await charged_back.decided(won, DisputeStatus.WON)
    assert undecided == await charged_back.taken_off(lost) == Decimal("7.50")
    assert await charged_back.taken_off(won) == 0
