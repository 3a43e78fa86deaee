"""Every request of ours to the card provider against Stripe's own description of its API, with only the base address
changed. `stripe-mock` refuses what the real provider would not understand; its answers are samples."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import httpx
import pytest
import stripe
from pydantic import SecretStr

from dev.stripe_mock import find_binary, serving
from domain.billing.payment_methods import BillingAddress
from domain.billing.payments import PayingFlow, PaymentRequest, PaymentStatus, PaymentType
from providers.cards.banks import RawAccount, SavedBanks, permission
from providers.cards.ledger import CardLedger
from providers.cards.payments import Cards
from providers.cards.saved import RawCard
from providers.errors import Refused

pytestmark = pytest.mark.timeout(600)

BILLING = BillingAddress(
    street_address_1="12 Harbour St", city="Kelowna", state="BC", postal_code="V1Y 2A3", country_code="CA"
)  # fmt: skip
CARD = RawCard(
    number=SecretStr("4242424242424242"),
    cvv=SecretStr("123"),
    exp_month=12,
    exp_year=2031,
    name="Chloe Tremblay",
    billing=BILLING,
)
REQUEST = PaymentRequest(
    flow=PayingFlow.PLACEMENT,
    flow_id="a-cart",
    workflow_id="order-a-cart",
    attempt=1,
    key="order-a-cart:1",
    partner_code="N1001",
    person_id="chloe",
    type=PaymentType.CARD,
    method_id="a-card",
    amount=Decimal("123.45"),
    description="An order",
    reference="PO-1",
)


@pytest.fixture(scope="module")
async def cards() -> AsyncGenerator[Cards]:
    binary = find_binary()
    if binary is None:
        pytest.skip("stripe-mock can be neither found nor built here: it needs Go and its sources")
    async with httpx.AsyncClient(trust_env=False) as client:
        with serving(binary) as address:
            yield Cards(client, base_url=address, secret_key="sk_test_123")


async def test_a_request_that_stripe_would_not_understand_is_refused(cards: Cards):
    """So the other tests can fail."""
    params: Any = {"amount": "much", "currency": "usd"}
    with pytest.raises(stripe.InvalidRequestError):
        await cards.line.stripe.v1.payment_intents.create_async(params)


async def test_a_business_is_made_known(cards: Cards):
    assert (await cards.create_customer("Harbour Car Audio", "N1001", key="customer-1")).startswith(
        "cus_"
    )


async def test_a_card_is_turned_into_a_token_saved_changed_and_forgotten(cards: Cards):
    token = await cards.tokenise(CARD)
    assert token.provider_id.startswith("pm_")
    assert (await cards.card(token.provider_id)).last4 == token.last4
    assert (await cards.save_card(token.provider_id, "cus_1", key="save-1")).provider_id
    changed = await cards.update_card(
        token.provider_id, name="C. Tremblay", exp_month=1, exp_year=2032, billing=BILLING
    )
    assert changed.provider_id
    await cards.forget_card(token.provider_id)


@pytest.mark.parametrize("capture", [True, False])
async def test_a_payment_is_prepared_and_confirmed(cards: Cards, capture: bool):
    request = REQUEST.model_copy(update={"capture": capture})
    prepared = await cards.prepare(request, method_id="pm_1", customer_id="cus_1", key="prepare-1")
    assert prepared.provider_id.startswith("pi_")
    confirmed = await cards.confirm(
        prepared.provider_id, key="confirm-1", return_url="https://turnkey.example/back"
    )
    assert confirmed.provider_id.startswith("pi_")


async def test_a_payment_is_read_captured_cancelled_and_refunded(cards: Cards):
    assert (await cards.payment("pi_1")).status in PaymentStatus
    assert (await cards.capture("pi_1", key="capture-1")).provider_id
    assert (await cards.cancel("pi_1", key="cancel-1")).provider_id
    assert (await cards.refund("pi_1", Decimal("1.00"), key="refund-1")).provider_id


async def test_the_ledger_is_read_page_by_page_and_a_payment_found_by_our_name_of_it(cards: Cards):
    ledger, since = CardLedger(cards), datetime(2026, 11, 1, tzinfo=UTC)
    charges = await ledger.charges(since, "pi_1")
    assert charges.charges[0].id.startswith("pi_")
    for names in (await ledger.refunded(since, None), await ledger.disputed(since, "dp_1")):
        assert isinstance(names.ids, tuple)
    assert await ledger.charge("pi_1") is not None
    found = await cards.find("pay_1")
    assert found is not None
    assert found.provider_id.startswith("pi_")


async def test_a_dispute_is_read(cards: Cards):
    dispute = await cards.dispute("du_1")
    assert dispute.id == "du_1"
    assert dispute.amount > 0


@pytest.mark.parametrize(("country", "routing"), [("US", "110000000"), ("CA", "000011000")])
async def test_a_bank_account_is_added_verified_debited_and_forgotten(
    cards: Cards, country: str, routing: str
):
    banks = SavedBanks(cards)
    account = RawAccount(
        holder_name="Harbour Car Audio",
        holder_type="company",
        account_type="checking",
        routing_number=SecretStr(routing),
        account_number=SecretStr("000123456789"),
        country=country,
        email="olivia@turnkey.example",
    )
    with pytest.raises(Refused):  # the request is understood; its answer is a sample, of a card
        await banks.tokenise(account, key=f"account-{country}")
    params: Any = {
        **permission(country, is_company=True),
        "customer": "cus_1",
        "payment_method": "pm_1",
        "metadata": {"method_id": "a-bank"},
    }
    assert (await cards.api.setup_intents.create_async(params)).id.startswith("seti_")
    await banks.send_deposits(
        "pm_1",
        customer_id="cus_1",
        country=country,
        is_company=True,
        method_id="a-bank",
        key=f"deposits-{country}",
    )
    for named in ((32, 45), "SM11AA"):
        assert await banks.verify("pm_1", named, key=f"verify-{country}") in (True, False)
    request = REQUEST.model_copy(update={"type": PaymentType.BANK_ACCOUNT, "capture": True})
    assert (await cards.debit("pi_1", "pm_1", key=f"debit-{country}")).provider_id
    prepared = await cards.prepare(
        request, method_id="pm_1", customer_id="cus_1", key="prepare-bank"
    )
    assert prepared.status in PaymentStatus
    await banks.forget("pm_1")
