"""What was given back of the payments of one run: by the ledger, to the cent."""

from decimal import Decimal

from db.billing.payments import given_back
from domain.billing.payments import PayingFlow, PaymentOutcome, RefundRequest
from tests.billing.payments.factories import PaymentDriver, a_method, a_payment_request
from tests.drivers.factories import a_name


async def paid(driver: PaymentDriver, flow_id: str, attempt: int = 1) -> PaymentOutcome:
    request = a_payment_request(
        await a_method(driver.sessions), flow_id=flow_id, attempt=attempt, capture=True
    )
    return await driver.pay.authorise(request)


async def refund(driver: PaymentDriver, payment: PaymentOutcome, amount: str) -> None:
    request = RefundRequest(payment_id=payment.payment_id, amount=Decimal(amount), key=a_name())
    await driver.pay.refund(request)


async def back(driver: PaymentDriver, flow_id: str) -> list[Decimal]:
    async with driver.sessions() as session:
        found = await given_back(session, PayingFlow.PLACEMENT, flow_id)
    assert list(found) == sorted(found, key=lambda one: one.at)
    return [one.amount for one in found]


async def test_each_part_is_told_once_and_nobody_elses(driver: PaymentDriver) -> None:
    flow_id, other = a_name(), a_name()
    payment = await paid(driver, flow_id)
    await refund(driver, await paid(driver, other), "1.00")
    assert await back(driver, flow_id) == []
    await refund(driver, payment, "4.99")
    await refund(driver, payment, "0.01")
    assert await back(driver, flow_id) == [Decimal("4.99"), Decimal("0.01")]


async def test_a_payment_that_another_took_the_place_of_counts_on_neither_side(
    driver: PaymentDriver,
) -> None:
    flow_id = a_name()
    first = await paid(driver, flow_id)
    await refund(driver, first, "104.99")
    assert await back(driver, flow_id) == [Decimal("104.99")]
    second = await paid(driver, flow_id, attempt=2)
    assert await back(driver, flow_id) == []
    await refund(driver, second, "10.00")
    assert await back(driver, flow_id) == [Decimal("10.00")]
