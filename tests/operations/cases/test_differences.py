"""What a provider holds is compared with what was asked for: a difference is a case for a person."""

from decimal import Decimal

import pytest

from db.billing.payments import payments_of_flow, record_provider_state
from db.orders.orders import order_of_token
from domain.billing.payments import Payment, PaymentStatus, ProviderPayment, difference
from tests.billing.payments.factories import a_payment_request
from tests.checkout.placements.runs import begun, ended
from tests.drivers.stage import Stage
from tests.operations.cases.factories import case_on, kept

REQUEST = a_payment_request(amount="10.00")
HELD = Payment(id=REQUEST.payment_id, request=REQUEST, status=PaymentStatus.AUTHORISED)
TAKEN = ProviderPayment(
    provider_id="pi_1",
    status=PaymentStatus.CAPTURED,
    captured=Decimal("10.00"),
    currency="USD",
    owner=HELD.id,
)


@pytest.mark.parametrize(
    ("told", "differs"),
    [
        ({}, False),
        ({"owner": None, "currency": None}, False),
        ({"captured": Decimal("9.99")}, True),
        ({"captured": Decimal("10.01")}, True),
        ({"currency": "CAD"}, True),
        ({"owner": "pay_of_somebody"}, True),
        ({"status": PaymentStatus.AUTHORISED, "captured": Decimal(0)}, False),
        ({"status": PaymentStatus.REFUNDED, "captured": Decimal("9.99")}, False),
    ],
)
def test_amount_currency_and_owner_are_compared(told: dict[str, object], differs: bool) -> None:
    assert (difference(HELD, TAKEN.model_copy(update=told)) is not None) is differs


async def test_a_cent_less_than_was_asked_for_is_a_case(stage: Stage) -> None:
    run = await begun(stage, po_number="PAY-LESS ERP-WAITS")
    await ended(run, "confirmed")
    async with stage.sessions() as session:
        order = await order_of_token(session, run.token)
    assert order is not None
    case = await case_on(stage, "order", order.id, "needs_attention")
    cents = int(order.total * 100)
    assert case.detail == f"{order.total - Decimal('0.01')} was taken instead of {order.total}."
    assert await kept(stage, run.token) == cents - 1


async def test_a_debit_in_another_currency_is_a_case(stage: Stage) -> None:
    run = await begun(stage, bank="good", po_number="PAY-CAD ERP-WAITS")
    await ended(run, "confirmed")
    async with stage.sessions() as session:
        order = await order_of_token(session, run.token)
    assert order is not None
    case = await case_on(stage, "order", order.id, "needs_attention")
    assert case.detail == "It was taken in CAD instead of USD."


async def test_money_under_the_name_of_another_payment_is_a_case(stage: Stage) -> None:
    run = await begun(stage, po_number="ERP-WAITS")
    await ended(run, "confirmed")
    async with stage.sessions() as session:
        order = await order_of_token(session, run.token)
        (payment,) = await payments_of_flow(session, "placement", run.token)
    assert order is not None
    told = await stage.systems.cards.payment(payment.provider_id or "")
    assert told.owner == payment.id
    async with stage.sessions.begin() as session:
        foreign = told.model_copy(update={"owner": "pay_of_somebody"})
        await record_provider_state(session, payment.id, foreign)
    case = await case_on(stage, "order", order.id, "needs_attention")
    assert case.detail == "It belongs to another payment."
