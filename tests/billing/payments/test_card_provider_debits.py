"""Bank accounts that the card provider debits: its ledger says what was taken, ours agrees to the cent (decision 84)."""

import asyncio
from decimal import Decimal

import pytest

from db.billing.payments import record_provider_state
from domain.billing.payments import (
    PaymentOutcome,
    PaymentRef,
    PaymentStatus,
    Provider,
    ProviderPayment,
    RefundRequest,
)
from providers.errors import Unavailable
from tests.billing.payments.factories import PaymentDriver, a_method, a_payment_request
from tests.billing.payments.test_activities import entries
from tests.drivers.until import until

AMOUNT = Decimal("104.99")


@pytest.fixture(autouse=True)
async def quick_bank(driver: PaymentDriver) -> None:
    await driver.turn("cards", bank_days=0.2, late_days=0.2)


async def settled(driver: PaymentDriver, ref: PaymentRef) -> PaymentOutcome:
    """Once the bank has answered."""
    return await until(
        lambda: driver.pay.look_up(ref),
        lambda outcome: outcome.status is not PaymentStatus.PROCESSING,
    )


async def test_a_debit_is_under_way_then_paid_once_however_often_it_is_asked_for(
    driver: PaymentDriver,
) -> None:
    account = await a_method(driver.sessions, bank="good", bank_at=Provider.CARDS)
    request = a_payment_request(account, capture=True)
    for outcome in await asyncio.gather(*(driver.pay.authorise(request) for _ in range(2))):
        assert outcome.status in (PaymentStatus.PROCESSING, PaymentStatus.CAPTURED)
    paid = await settled(driver, PaymentRef.of(request))
    assert (paid.status, paid.captured) == (PaymentStatus.CAPTURED, AMOUNT)
    assert await driver.sums(request.flow_id) == {"processing": 10499, "captured": 10499}
    assert await driver.sums(request.flow_id, "gateway") == {}
    assert ("captured", AMOUNT) in await entries(driver.sessions, request.payment_id)


async def test_a_debit_that_the_bank_sends_back_keeps_nothing(driver: PaymentDriver) -> None:
    account = await a_method(driver.sessions, bank="insufficient", bank_at=Provider.CARDS)
    request = a_payment_request(account, capture=True)
    assert (await driver.pay.authorise(request)).status is PaymentStatus.PROCESSING
    back = await settled(driver, PaymentRef.of(request))
    assert back.status is PaymentStatus.RETURNED
    assert back.detail == "The customer's account has insufficient funds to cover this payment."
    sums = await driver.sums(request.flow_id)
    assert (sums["declined"], "captured" in sums) == (10499, False)
    ours = dict(await entries(driver.sessions, request.payment_id))
    assert ours["captured"] == ours["returned"] == AMOUNT


async def test_a_bank_holds_nothing_so_it_is_asked_when_the_money_is_taken(
    driver: PaymentDriver,
) -> None:
    account = await a_method(driver.sessions, bank="good", bank_at=Provider.CARDS)
    request = a_payment_request(account)
    for _ in range(2):
        assert (await driver.pay.authorise(request)).status is PaymentStatus.AUTHORISED
    assert await driver.sums(request.flow_id) == {}
    ref = PaymentRef.of(request)
    assert (await driver.pay.capture(ref)).status is PaymentStatus.PROCESSING
    assert (await settled(driver, ref)).status is PaymentStatus.CAPTURED
    ledger = await driver.ledger(request.flow_id)
    assert (len(ledger["intents"]), ledger["sums"]["captured"]) == (1, 10499)


async def test_what_the_bank_was_not_asked_for_is_let_go(driver: PaymentDriver) -> None:
    account = await a_method(driver.sessions, bank="good", bank_at=Provider.CARDS)
    request = a_payment_request(account)
    await driver.pay.authorise(request)
    ref = PaymentRef.of(request)
    assert (await driver.pay.void(ref)).status is PaymentStatus.VOIDED
    assert (await driver.pay.capture(ref)).status is PaymentStatus.VOIDED
    assert "captured" not in await driver.sums(request.flow_id)


@pytest.mark.parametrize("fault", ["PAY-LOST", "PAY-DOWN"])
async def test_a_debit_whose_reply_is_lost_is_looked_up_and_asked_for_once(
    driver: PaymentDriver, fault: str
) -> None:
    account = await a_method(driver.sessions, bank="good", bank_at=Provider.CARDS)
    request = a_payment_request(account, capture=True, reference=f"PO {fault}")

    async def asked() -> bool:
        try:
            return (await driver.pay.authorise(request)).is_good
        except Unavailable:  # the activity is tried again
            return False

    await until(asked)
    await settled(driver, PaymentRef.of(request))
    assert (await driver.sums(request.flow_id))["captured"] == 10499


async def test_a_part_of_a_debit_is_given_back_to_the_cent(driver: PaymentDriver) -> None:
    account = await a_method(driver.sessions, bank="good", bank_at=Provider.CARDS)
    request = a_payment_request(account, capture=True)
    await driver.pay.authorise(request)
    await settled(driver, PaymentRef.of(request))
    back = RefundRequest(
        payment_id=request.payment_id, amount=Decimal("4.99"), key=f"{request.key}:part"
    )
    for _ in range(2):
        outcome = await driver.pay.refund(back)
        assert (outcome.captured, outcome.refunded) == (AMOUNT, Decimal("4.99"))
    assert (await driver.sums(request.flow_id))["refunded"] == 499


async def test_an_account_that_is_gone_is_a_decline(driver: PaymentDriver) -> None:
    account = await a_method(driver.sessions, bank="nothing", bank_at=Provider.CARDS)
    outcome = await driver.pay.authorise(a_payment_request(account, capture=True))
    assert outcome.status is PaymentStatus.DECLINED
    assert outcome.detail is not None
    assert "bank account" in outcome.detail


async def test_a_debit_that_is_under_way_is_given_back_once_its_bank_has_paid(
    driver: PaymentDriver,
) -> None:
    """A refusal before that would be remembered under the key of the refund."""
    account = await a_method(driver.sessions, bank="good", bank_at=Provider.CARDS)
    request = a_payment_request(account, capture=True)
    await driver.turn("cards", bank_days=3)
    await driver.pay.authorise(request)
    ref = PaymentRef.of(request)
    assert (await driver.pay.void(ref)).must_arrive
    part = RefundRequest(
        payment_id=request.payment_id, amount=Decimal(1), key=f"{request.key}:part"
    )
    assert (await driver.pay.refund(part)).must_arrive
    await settled(driver, ref)
    assert (await driver.pay.void(ref)).status is PaymentStatus.REFUNDED
    sums = await driver.sums(request.flow_id)
    assert (sums["captured"], sums["refunded"]) == (10499, 10499)


async def test_nothing_counts_as_given_back_when_its_bank_pays_just_after_the_provider_was_asked(
    driver: PaymentDriver,
) -> None:
    """What the provider said of a debit under way is overtaken: that is no answer to what it was asked for."""
    account = await a_method(driver.sessions, bank="good", bank_at=Provider.CARDS)
    request = a_payment_request(account, capture=True)
    await driver.turn("cards", bank_days=3)
    await driver.pay.authorise(request)
    arrived = ProviderPayment(provider_id="", status=PaymentStatus.CAPTURED, captured=AMOUNT)
    async with driver.sessions.begin() as session:
        await record_provider_state(session, request.payment_id, arrived)
    part = RefundRequest(
        payment_id=request.payment_id, amount=Decimal(1), key=f"{request.key}:part"
    )
    with pytest.raises(Unavailable):
        await driver.pay.refund(part)
    with pytest.raises(Unavailable):
        await driver.pay.void(PaymentRef.of(request))

    async def given_back() -> PaymentStatus | None:
        try:
            return (await driver.pay.void(PaymentRef.of(request))).status
        except Unavailable:  # the activity is tried again
            return None

    await until(given_back, lambda status: status is PaymentStatus.REFUNDED)
    sums = await driver.sums(request.flow_id)
    assert (sums["captured"], sums["refunded"]) == (10499, 10499)
