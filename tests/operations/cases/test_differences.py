"""What a provider holds is compared with what was asked for: a difference is a case for a person."""

from collections.abc import Awaitable, Callable
from decimal import Decimal
from typing import Any

import pytest

from db.orders.orders import order_of_token
from domain.billing.payments import Payment, PaymentStatus, Provider, ProviderPayment, difference
from domain.operations.cases import CaseView
from tests.billing.invoice_payments import runs as invoices
from tests.billing.payments.factories import a_payment_request
from tests.checkout.placements import runs as orders
from tests.drivers.stage import Stage
from tests.operations.cases.factories import case_on, kept
from tests.plans.purchases import runs as purchases

REQUEST = a_payment_request(amount="10.00")
HELD = Payment(id=REQUEST.payment_id, request=REQUEST, status=PaymentStatus.AUTHORISED)
TAKEN = ProviderPayment(
    provider_id="pi_1",
    status=PaymentStatus.CAPTURED,
    captured=Decimal("10.00"),
    currency="USD",
    owner=HELD.id,
)
Pay = Callable[..., Awaitable[tuple[CaseView, Decimal, str]]]
CENT = Decimal("0.01")
CARDS = ("takenLess", "takenInCanadian", "takenForAnother")


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


def said_of(card: str, asked: Decimal) -> str:
    return {
        "takenLess": f"{asked - CENT} was taken instead of {asked}.",
        "takenInCanadian": "It was taken in CAD instead of USD.",
        "takenForAnother": "It belongs to another payment.",
    }[card]


async def placed(stage: Stage, card: str = "", **paid_by: Any) -> tuple[CaseView, Decimal, str]:
    """The case on it, what was asked for, and the run's id. A bank does as the order number says."""
    run = await orders.begun(stage, **({"po_number": "ERP-WAITS", "card": card} | paid_by))
    await orders.ended(run, "confirmed")
    async with stage.sessions() as session:
        order = await order_of_token(session, run.token)
    assert order is not None
    return await case_on(stage, "order", order.id, "needs_attention"), order.total, run.token


async def bought(stage: Stage, card: str = "visa", **paid_by: Any) -> tuple[CaseView, Decimal, str]:
    run = await purchases.begun(stage, card=card, at_once=True, **paid_by)
    await purchases.ended(run, "confirmed")
    asked = (await run.view()).final_charge
    return await case_on(stage, "purchase", run.start.id, "needs_attention"), asked, run.start.id


async def paid(stage: Stage, card: str = "visa", **paid_by: Any) -> tuple[CaseView, Decimal, str]:
    run = await invoices.begun(stage, card=card, **paid_by)
    await invoices.ended(run, "confirmed")
    asked = run.start.plan.charged
    case = await case_on(stage, "invoice_payment", run.start.id, "needs_attention")
    return case, asked, run.start.id


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("pay", [placed, bought, paid], ids=["order", "plans", "invoices"])
async def test_what_a_card_gave_otherwise_than_asked_is_a_case(
    stage: Stage, pay: Pay, card: str
) -> None:
    case, asked, flow_id = await pay(stage, card)
    assert case.detail == said_of(card, asked)
    less = CENT if card == "takenLess" else Decimal(0)
    assert await kept(stage, flow_id) == (asked - less) * 100


async def test_a_debit_in_another_currency_is_a_case(stage: Stage) -> None:
    case, *_ = await placed(stage, bank="good", po_number="PAY-CAD ERP-WAITS")
    assert case.detail == "It was taken in CAD instead of USD."


@pytest.mark.parametrize("bank", CARDS)
@pytest.mark.parametrize(
    ("pay", "more"),
    [
        (placed, {"bank_at": Provider.CARDS}),
        (bought, {}),
        (paid, {"bank_at": Provider.CARDS}),
    ],
    ids=["order", "plans", "invoices"],
)
async def test_what_a_debit_took_otherwise_than_asked_is_a_case(
    stage: Stage, pay: Pay, more: dict[str, Any], bank: str
) -> None:
    case, asked, flow_id = await pay(stage, bank=bank, **more)
    assert case.detail == said_of(bank, asked)
    less = CENT if bank == "takenLess" else Decimal(0)
    assert await kept(stage, flow_id) == (asked - less) * 100


@pytest.mark.parametrize("card", CARDS)
async def test_what_invoices_were_paid_with_otherwise_for_nothing_comes_home_whole(
    stage: Stage, card: str
) -> None:
    """The ERP takes none of them: nothing is kept, and nothing is left to look at. As with plans, a case pays back less."""
    run = await invoices.begun(stage, "REFUSED", card=card)
    await invoices.ended(run, "refused")
    if card == "takenLess":
        case = await case_on(stage, "invoice_payment", run.start.id, "solved")
        assert case.given_back == run.start.plan.charged - CENT
    assert await run.kept() == 0


@pytest.mark.parametrize("card", CARDS)
async def test_what_plans_were_paid_with_otherwise_for_nothing_comes_home_whole(
    stage: Stage, card: str
) -> None:
    """The device takes none of them. What is asked back and was never taken is refused: a case pays back what there is."""
    line = await purchases.a_hopeless_line(stage)
    run = await purchases.begun(stage, line, card=card, at_once=True)
    await purchases.ended(run, "cancelled")
    if card == "takenLess":
        case = await case_on(stage, "purchase", run.start.id, "solved")
        assert case.given_back == (await run.view()).final_charge - CENT
    assert await run.kept() == 0
