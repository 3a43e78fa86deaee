"""Each activity against the stand-ins: what their ledgers say is what counts."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import func, select, update

from db.base import Sessions
from db.billing.payments import PaymentEntryRow, PaymentRow, payment_of
from db.runs.projections import save_projection
from domain.billing.payments import (
    PaymentKeyReused,
    PaymentOutcome,
    PaymentRef,
    PaymentRequest,
    PaymentStatus,
    PaymentType,
    RefundRequest,
)
from domain.runs.projection import Projection
from providers.errors import Refused, Unavailable
from tests.billing.payments.factories import (
    PaymentDriver,
    a_method,
    a_payment_driver,
    a_payment_request,
)
from tests.drivers.until import until

BANK = {"card": None, "bank account": "good"}
EVERY_WAY = tuple(BANK)


async def entries(sessions: Sessions, payment_id: str) -> list[tuple[str, Decimal]]:
    """Our own ledger of a payment."""
    async with sessions() as session:
        rows = await session.scalars(
            select(PaymentEntryRow)
            .where(PaymentEntryRow.payment_id == payment_id)
            .order_by(PaymentEntryRow.at)
        )
        return [(row.kind, row.amount) for row in rows]


async def test_a_card_is_held_then_charged_once_however_often_both_are_asked_for(
    driver: PaymentDriver,
) -> None:
    request = a_payment_request(await a_method(driver.sessions))
    for _ in range(2):
        payment = await driver.pay.authorise(request)
        assert (payment.status, payment.shown) == (PaymentStatus.AUTHORISED, "Visa •••• 4242")
    ref = PaymentRef.of_key(request.key)
    for _ in range(2):
        assert (await driver.pay.capture(ref)).status is PaymentStatus.CAPTURED
    assert await driver.sums(request.flow_id) == {"authorised": 10499, "captured": 10499}
    assert await entries(driver.sessions, ref.payment_id) == [
        ("authorised", Decimal("104.99")),
        ("captured", Decimal("104.99")),
    ]


async def test_twenty_tries_at_once_are_one_charge(driver: PaymentDriver) -> None:
    request = a_payment_request(await a_method(driver.sessions), capture=True)
    tries = await asyncio.gather(
        *(driver.pay.authorise(request) for _ in range(20)), return_exceptions=True
    )
    assert all(isinstance(one, PaymentOutcome | Unavailable) for one in tries)
    assert (await driver.pay.authorise(request)).status is PaymentStatus.CAPTURED
    assert await driver.sums(request.flow_id) == {"authorised": 10499, "captured": 10499}


@pytest.mark.parametrize("word", ["PAY-LOST", "PAY-DOWN"])
@pytest.mark.parametrize("way", EVERY_WAY)
async def test_what_a_lost_reply_left_behind_is_found_and_never_charged_again(
    driver: PaymentDriver, word: str, way: str
) -> None:
    method = await a_method(driver.sessions, bank=BANK[way])
    request = a_payment_request(method, reference=f"PO 7 {word}")
    outcome = await until_answered(lambda: driver.pay.authorise(request))
    assert outcome.status is PaymentStatus.AUTHORISED
    ref = PaymentRef.of_key(request.key)
    outcome = await until_answered(lambda: driver.pay.capture(ref))
    assert outcome.status in (PaymentStatus.CAPTURED, PaymentStatus.PROCESSING)
    assert outcome.captured == Decimal("104.99")
    system = "cards" if method.type == "CARD" else "gateway"
    sums = await driver.sums(request.flow_id, system)
    assert (sums["authorised"], sums["captured"]) == (10499, 10499)


async def test_a_provider_that_never_answers_is_asked_what_it_did(
    sessions: Sessions, tmp_path: Path
) -> None:
    async with a_payment_driver(sessions, tmp_path, seconds=0.3) as driver:
        request = a_payment_request(await a_method(sessions, card="neverAnswered"), capture=True)
        assert (await driver.pay.authorise(request)).status is PaymentStatus.CAPTURED
        assert await driver.sums(request.flow_id) == {"authorised": 10499, "captured": 10499}


async def test_while_nobody_can_be_asked_nothing_is_guessed(driver: PaymentDriver) -> None:
    request = a_payment_request(await a_method(driver.sessions))
    await driver.turn("cards", outage=True)
    with pytest.raises(Unavailable):
        await driver.pay.authorise(request)
    await driver.turn("cards", outage=False)
    assert (await driver.pay.authorise(request)).status is PaymentStatus.AUTHORISED


async def test_a_key_that_the_provider_forgot_charges_nothing_again(driver: PaymentDriver) -> None:
    """Stripe forgets keys after a day; a payment that was confirmed is not confirmed again."""
    request = a_payment_request(await a_method(driver.sessions), capture=True)
    first = await driver.pay.authorise(request)
    for step in ("prepare", "confirm"):
        await driver.turn("cards", forget_key=f"{first.payment_id}:{step}")
    assert (await driver.pay.authorise(request)).status is PaymentStatus.CAPTURED
    assert await driver.sums(request.flow_id) == {"authorised": 10499, "captured": 10499}


@pytest.mark.parametrize(
    ("card", "text"),
    [
        ("chargeCustomerFail", "Your card was declined."),
        ("transactionDeclined", "This transaction has been declined."),
        (
            "avsZipFail",
            "The Ship To zip code does not match the billing address of this card.",
        ),
    ],
)
async def test_a_declined_card_is_an_outcome_in_the_providers_words(
    driver: PaymentDriver, card: str, text: str
) -> None:
    request = a_payment_request(await a_method(driver.sessions, card=card))
    outcome = await driver.pay.authorise(request)
    assert (outcome.status, outcome.detail) == (PaymentStatus.DECLINED, text)
    assert await driver.pay.authorise(request) == outcome
    assert await driver.sums(request.flow_id) == {"declined": 10499}


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        ("0.49", "Amount must be at least $0.50 usd"),
        ("1000000.00", "Amount must be no more than $999,999.99"),
    ],
)
async def test_an_amount_that_the_provider_does_not_take_is_a_decline_in_its_words(
    driver: PaymentDriver, amount: str, text: str
) -> None:
    request = a_payment_request(await a_method(driver.sessions), amount=amount)
    outcome = await driver.pay.authorise(request)
    assert (outcome.status, outcome.detail) == (PaymentStatus.DECLINED, text)
    assert await driver.sums(request.flow_id) == {}


async def test_a_payment_that_was_not_named_is_a_decline_and_tells_nothing_of_the_inside(
    driver: PaymentDriver,
) -> None:
    request = a_payment_request(await a_method(driver.sessions))
    gone = await driver.cards.prepare(request, method_id="pm_1", customer_id="gone", key="one")
    odd = request.model_copy(update={"currency": ""})
    unnamed = await driver.cards.prepare(odd, method_id="pm_1", customer_id=None, key="two")
    assert [(one.status, one.provider_id, one.detail) for one in (gone, unnamed)] == [
        (
            PaymentStatus.DECLINED,
            "",
            "This card cannot be used any more. Please choose another one.",
        ),
        (
            PaymentStatus.DECLINED,
            "",
            "This payment was not accepted. Please choose another way to pay.",
        ),
    ]


async def test_the_next_way_to_pay_is_a_payment_of_its_own(driver: PaymentDriver) -> None:
    bad = await a_method(driver.sessions, card="chargeCustomerFail")
    good = await a_method(driver.sessions, partner_code=bad.partner_code)
    first = a_payment_request(bad)
    second = a_payment_request(good, flow_id=first.flow_id, attempt=2)
    assert (await driver.pay.authorise(first)).status is PaymentStatus.DECLINED
    assert (await driver.pay.authorise(second)).status is PaymentStatus.AUTHORISED
    assert await driver.sums(first.flow_id) == {"declined": 10499, "authorised": 10499}


async def test_a_bank_that_asks_the_payer_is_followed(driver: PaymentDriver) -> None:
    request = a_payment_request(await a_method(driver.sessions, card="authenticationRequired"))
    asked = await driver.pay.authorise(request)
    assert asked.status is PaymentStatus.ACTION_REQUIRED
    assert asked.action_url is not None
    assert (await driver.pay.authorise(request)).status is PaymentStatus.ACTION_REQUIRED
    await answer_the_bank(driver, asked, "agree")
    ref = PaymentRef.of_key(request.key)
    assert (await driver.pay.look_up(ref)).status is PaymentStatus.AUTHORISED
    assert (await driver.pay.capture(ref)).status is PaymentStatus.CAPTURED


@pytest.mark.parametrize(
    ("site", "back"), [("ca", "http://localhost:8000"), ("us", "http://us.localhost:8000")]
)
async def test_a_payer_comes_back_from_their_bank_to_the_site_where_they_began(
    sessions: Sessions, tmp_path: Path, site: str, back: str
) -> None:
    async with a_payment_driver(sessions, tmp_path, portal_url="http://localhost:8000") as driver:
        request = a_payment_request(await a_method(sessions, card="authenticationRequired"))
        async with sessions.begin() as session:
            await save_projection(session, a_run_at(site, request))
        asked = await driver.pay.authorise(request)
    (page,) = parse_qs(urlsplit(str(asked.action_url)).query)["return_url"]
    assert page == f"{back}/cart/checkout/products?token={request.flow_id}"


def a_run_at(site: str, request: PaymentRequest) -> Projection:
    return Projection(
        id=request.flow_id,
        kind="placement",
        version=1,
        workflow_id=request.workflow_id,
        run_id="1",
        rev=1,
        seq=0,
        state="authorising",
        allowed=(),
        view={},
        site=site,
        dealer_id=None,
        owner_id=None,
        partner=request.partner_code,
        outcome=None,
        at=datetime.now(UTC),
        ended=True,
    )


async def test_a_payer_who_refuses_is_a_decline(driver: PaymentDriver) -> None:
    request = a_payment_request(await a_method(driver.sessions, card="authenticationRequired"))
    await answer_the_bank(driver, await driver.pay.authorise(request), "refuse")
    outcome = await driver.pay.look_up(PaymentRef.of_key(request.key))
    assert outcome.status is PaymentStatus.DECLINED
    assert "authentication" in str(outcome.detail)


async def test_what_is_held_is_let_go(driver: PaymentDriver) -> None:
    for method, system in (
        (await a_method(driver.sessions), "cards"),
        (await a_method(driver.sessions, bank="good"), "gateway"),
    ):
        request = a_payment_request(method)
        await driver.pay.authorise(request)
        for _ in range(2):
            assert (await driver.pay.void(PaymentRef.of(request))).status is PaymentStatus.VOIDED
        assert (await driver.pay.capture(PaymentRef.of(request))).status is PaymentStatus.VOIDED
        assert await driver.sums(request.flow_id, "cards" if system == "cards" else "gateway") == {
            "authorised": 10499,
            "voided": 10499,
        }


async def test_what_was_taken_is_given_back(driver: PaymentDriver) -> None:
    request = a_payment_request(await a_method(driver.sessions), capture=True)
    await driver.pay.authorise(request)
    for _ in range(2):
        outcome = await driver.pay.void(PaymentRef.of(request))
        assert (outcome.status, outcome.refunded) == (PaymentStatus.REFUNDED, Decimal("104.99"))
    sums = await driver.sums(request.flow_id)
    assert sums["captured"] == sums["refunded"] == 10499


@pytest.mark.parametrize("way", EVERY_WAY)
async def test_a_payment_voided_before_it_began_never_takes_money(
    driver: PaymentDriver, way: str
) -> None:
    request = a_payment_request(await a_method(driver.sessions, bank=BANK[way]), capture=True)
    assert (await driver.pay.void(PaymentRef.of(request))).status is PaymentStatus.VOIDED
    assert (await driver.pay.authorise(request)).status is PaymentStatus.VOIDED
    for system in ("cards", "gateway"):
        sums = await driver.sums(request.flow_id, "cards" if system == "cards" else "gateway")
        assert "captured" not in sums


@pytest.mark.parametrize("way", EVERY_WAY)
async def test_a_part_is_given_back_once_for_each_key(driver: PaymentDriver, way: str) -> None:
    method = await a_method(driver.sessions, bank=BANK[way])
    await driver.turn("gateway", bank_days=600)
    request = a_payment_request(method, capture=True)
    payment_id = (await driver.pay.authorise(request)).payment_id
    part = RefundRequest(payment_id=payment_id, amount=Decimal("4.99"), key=f"{payment_id}:line-1")
    for _ in range(2):
        assert (await driver.pay.refund(part)).refunded == Decimal("4.99")
        await driver.turn("cards", forget_key=part.key)
    rest = RefundRequest(payment_id=payment_id, amount=Decimal(100), key=f"{payment_id}:line-2")
    assert (await driver.pay.refund(rest)).status is PaymentStatus.REFUNDED
    more = RefundRequest(payment_id=payment_id, amount=Decimal("0.01"), key=f"{payment_id}:line-3")
    with pytest.raises(Refused):
        await driver.pay.refund(more)
    system = "cards" if method.type == "CARD" else "gateway"
    assert (await driver.sums(request.flow_id, system))["refunded"] == 10499


async def test_a_refund_whose_reply_was_lost_is_not_made_twice(driver: PaymentDriver) -> None:
    request = a_payment_request(await a_method(driver.sessions), capture=True)
    payment_id = (await driver.pay.authorise(request)).payment_id
    part = RefundRequest(payment_id=payment_id, amount=Decimal(5), key=f"{payment_id}:once")
    await driver.turn("cards", lose_replies=1)
    with pytest.raises(Unavailable):
        await driver.pay.refund(part)
    assert (await driver.pay.refund(part)).refunded == Decimal(5)
    assert (await driver.sums(request.flow_id))["refunded"] == 500


@pytest.mark.parametrize("type", [PaymentType.COD, PaymentType.TERMS])
async def test_cash_on_delivery_and_terms_are_promises(
    driver: PaymentDriver, type: PaymentType
) -> None:
    request = a_payment_request(type=type)
    outcome = await driver.pay.authorise(request)
    assert (outcome.status, outcome.shown) == (PaymentStatus.AUTHORISED, type.value)
    ref = PaymentRef.of_key(request.key)
    assert (await driver.pay.capture(ref)).status is PaymentStatus.CAPTURED


async def test_a_banks_late_return_is_found(driver: PaymentDriver) -> None:
    request = a_payment_request(await a_method(driver.sessions, bank="insufficient"))
    await driver.turn("gateway", bank_days=600)
    await driver.pay.authorise(request)
    ref = PaymentRef.of_key(request.key)
    taken = await driver.pay.capture(ref)
    assert (taken.status, taken.captured) == (PaymentStatus.PROCESSING, Decimal("104.99"))
    await driver.turn("gateway", bank_days=0)
    other = a_payment_request(await a_method(driver.sessions, bank="insufficient"))
    await driver.pay.authorise(other)
    await driver.pay.capture(PaymentRef.of_key(other.key))
    returned = await driver.pay.look_up(PaymentRef.of_key(other.key))
    assert (returned.status, returned.detail) == (
        PaymentStatus.RETURNED,
        "R01 Insufficient funds",
    )
    assert ("returned", Decimal("104.99")) in await entries(driver.sessions, returned.payment_id)


async def test_a_method_that_is_gone_or_not_ready_is_declined_before_anybody_is_asked(
    driver: PaymentDriver,
) -> None:
    pending = await a_method(driver.sessions, bank="good", status="pending")
    foreign = await a_method(driver.sessions)
    for request in (
        a_payment_request(pending),
        a_payment_request(foreign).model_copy(update={"partner_code": "N-OTHER"}),
    ):
        outcome = await driver.pay.authorise(request)
        assert outcome.status is PaymentStatus.DECLINED
        assert (
            await driver.sums(request.flow_id)
            == await driver.sums(request.flow_id, "gateway")
            == {}
        )


async def test_a_key_belongs_to_one_request(driver: PaymentDriver) -> None:
    request = a_payment_request(await a_method(driver.sessions))
    await driver.pay.authorise(request)
    with pytest.raises(PaymentKeyReused):
        await driver.pay.authorise(request.model_copy(update={"amount": Decimal("1.00")}))


async def test_the_row_tells_what_was_asked_and_holds_no_number(driver: PaymentDriver) -> None:
    request = a_payment_request(await a_method(driver.sessions))
    outcome = await driver.pay.authorise(request)
    async with driver.sessions() as session:
        stored = await payment_of(session, outcome.payment_id)
    assert stored is not None
    assert stored.payment.request == request
    assert str(stored.payment.provider_id).startswith("pi_")


async def until_answered(ask: Callable[[], Awaitable[PaymentOutcome]]) -> PaymentOutcome:
    """As an activity is tried: again while nobody answers, at most five times."""
    for _ in range(5):
        try:
            return await ask()
        except Unavailable:
            continue
    raise AssertionError("no answer")


async def answer_the_bank(driver: PaymentDriver, asked: PaymentOutcome, answer: str) -> None:
    url = str(asked.action_url)
    page = await driver.http.get(url)
    assert "Confirm your payment" in page.text
    assert "104.99 USD" in page.text
    said = parse_qs(urlsplit(url).query)
    sent = {"secret": said["secret"][0], "return_url": said["return_url"][0], "answer": answer}
    done = await driver.http.post(url.split("?")[0], data=sent)
    assert done.status_code == 303
    assert done.headers["location"].startswith("http://portal.test/cart/checkout/products?token=")


async def test_promise_5_a_key_older_than_a_day_is_not_trusted_and_the_charge_is_looked_up_first(
    driver: PaymentDriver,
) -> None:
    request = a_payment_request(await a_method(driver.sessions), capture=True)
    await driver.turn("cards", outage=True)
    with pytest.raises(Unavailable):
        await driver.pay.authorise(request)
    await driver.turn("cards", outage=False)
    async with driver.sessions.begin() as session:
        stored = await payment_of(session, request.payment_id)
        await session.execute(
            update(PaymentRow)
            .where(PaymentRow.id == request.payment_id)
            .values(created_at=func.now() - timedelta(hours=25))
        )
    assert stored is not None
    assert stored.payment.provider_id is None
    # It was asked for once, the answer came to nobody, and the provider has forgotten the key since.
    lost = await driver.cards.prepare(
        request,
        method_id=stored.source.method_id or "",
        customer_id=stored.source.customer_id,
        key=f"{request.payment_id}:prepare",
    )
    await driver.turn("cards", forget_key=f"{request.payment_id}:prepare")
    assert (await driver.pay.authorise(request)).status is PaymentStatus.CAPTURED
    (intent,) = (await driver.ledger(request.flow_id))["intents"]
    assert intent["id"] == lost.provider_id
    assert await driver.sums(request.flow_id) == {"authorised": 10499, "captured": 10499}


async def test_a_refund_that_was_refused_is_tried_again_under_a_key_of_its_own(
    driver: PaymentDriver,
) -> None:
    """The provider says an old refusal again for a day, under the key that it came with."""
    request = a_payment_request(
        await a_method(driver.sessions, card="refundRefusedTwice"), capture=True
    )
    payment_id = (await driver.pay.authorise(request)).payment_id
    for amount in (Decimal(5), Decimal(4)):
        with pytest.raises(Refused):
            await driver.pay.refund(
                RefundRequest(payment_id=payment_id, amount=amount, key=f"{payment_id}:part")
            )
    part = RefundRequest(payment_id=payment_id, amount=Decimal(3), key=f"{payment_id}:part")
    for _ in range(2):
        assert (await driver.pay.refund(part)).refunded == Decimal(3)
    sums = await driver.sums(request.flow_id)
    assert (sums["refund_refused"], sums["refunded"]) == (900, 300)


async def test_a_refund_that_its_bank_did_not_take_is_made_once_more_under_its_key(
    driver: PaymentDriver,
) -> None:
    """Whatever the provider says again of the first one."""
    await driver.turn("cards", bank_days=0.5)
    request = a_payment_request(
        await a_method(driver.sessions, card="refundFailsOnce"), capture=True
    )
    payment_id = (await driver.pay.authorise(request)).payment_id
    part = RefundRequest(payment_id=payment_id, amount=Decimal(3), key=f"{payment_id}:part")
    assert (await driver.pay.refund(part)).refunded == Decimal(3)
    await until(lambda: driver.sums(request.flow_id), lambda sums: sums.get("refund_failed") == 300)
    for _ in range(2):
        assert (await driver.pay.refund(part)).refunded == Decimal(3)
    assert (await driver.sums(request.flow_id))["refunded"] == 600


async def test_a_charge_whose_refund_was_refused_is_let_go_at_another_try(
    driver: PaymentDriver,
) -> None:
    request = a_payment_request(
        await a_method(driver.sessions, card="refundRefusedTwice"), capture=True
    )
    await driver.pay.authorise(request)
    for _ in range(2):
        with pytest.raises(Refused):
            await driver.pay.void(PaymentRef.of(request))
    for _ in range(2):
        assert (await driver.pay.void(PaymentRef.of(request))).status is PaymentStatus.REFUNDED
    assert (await driver.sums(request.flow_id))["refunded"] == 10499


async def test_a_debit_that_was_taken_unnoticed_and_came_back_is_told_as_it_stands(
    driver: PaymentDriver,
) -> None:
    request = a_payment_request(await a_method(driver.sessions, bank="insufficient"))
    await driver.pay.authorise(request)
    await driver.gateway.capture(request.payment_id)
    told = await driver.pay.capture(PaymentRef.of_key(request.key))
    assert (told.status, told.captured) == (PaymentStatus.RETURNED, Decimal("104.99"))
    kept = await entries(driver.sessions, told.payment_id)
    assert {("captured", Decimal("104.99")), ("returned", Decimal("104.99"))} <= set(kept)


async def test_what_was_let_go_of_cannot_be_taken(driver: PaymentDriver) -> None:
    request = a_payment_request(await a_method(driver.sessions, bank="insufficient"))
    await driver.pay.authorise(request)
    await driver.gateway.void(request.payment_id)
    with pytest.raises(Refused):
        await driver.pay.capture(PaymentRef.of_key(request.key))
