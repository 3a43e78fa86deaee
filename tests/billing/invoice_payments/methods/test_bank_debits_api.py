"""Invoices paid from a bank account, American (ACH) and Canadian, from its two deposits to what the bank says of the debit."""

from decimal import Decimal
from typing import Any

import pytest

from db.identity.people import find_user
from domain.billing.invoice_payment import InvoiceStatus
from tests.billing.bank_accounts.stories import CA_ROUTING, US_ROUTING
from tests.billing.bank_accounts.test_api import added, verify
from tests.billing.invoice_payments.paying import PayerOf, a_payer
from tests.billing.invoice_payments.runs import begun, ended, retire
from tests.drivers.factories import Dealer, an_owner
from tests.drivers.numbers import an_account_number
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole

CANADIAN = {"countryCode": "CA", "state": "BC", "city": "Vancouver", "postalCode": "V6B 1A1"}
BANKS: dict[str, dict[str, Any]] = {
    "american": {"routingNumber": US_ROUTING},
    "canadian": {"routingNumber": CA_ROUTING, **CANADIAN},
}
INSUFFICIENT = "000222222227"


async def an_account(payer: PayerOf, bank: str, number: str) -> str:
    """Added, and verified by its deposits: the first two and the last two of its last four digits."""
    answer = await added(payer.caller, accountNumber=number, **BANKS[bank])
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert (told["status"], told["isValid"]) == ("pending", False)
    refused = await payer.submit(await payer.owes(), type="BANK_ACCOUNT", method_id=told["id"])
    assert refused.json()["code"] == "invoice_payment_method_refused"
    cents = int(number[-4:-2]), int(number[-2:])
    verified = await verify(payer.whole, payer.caller, told["id"], *cents)
    assert verified.status_code == 200, verified.text
    assert verified.json()["status"] == "ready"
    return told["id"]


@pytest.mark.parametrize("bank", BANKS)
async def test_a_debit_is_waited_for_and_posted_once_the_bank_has_paid(
    whole: Whole, bank: str
) -> None:
    async with a_payer(whole) as payer:
        account = await an_account(payer, bank, an_account_number())
        invoices = await payer.owes(2)
        answer = await payer.submit(invoices, type="BANK_ACCOUNT", method_id=account)
        assert answer.status_code in (200, 202), answer.text
        id_ = answer.json()["id"]
        await payer.until(id_, "processing")
        held = await payer.invoice(invoices[0].number)
        assert (held["isPaid"], held["inPayment"] is not None) == (False, True)
        seen = await payer.until(id_, "confirmed")
        assert {one["status"] for one in seen["view"]["lines"]} == {"posted"}
        assert str(await payer.kept(id_, "gateway")) == "196"
        assert (await payer.invoice(invoices[0].number))["isPaid"]


async def test_a_debit_that_has_settled_after_its_payer_left_pays_what_is_still_owed(
    whole: Whole,
) -> None:
    """Its receipt is the business's, and not that of who is not there any more."""
    run = await begun(whole.stage, "", "REFUSED", bank="good")
    payer = run.start.payer
    assert payer.dealer_id is not None
    dealer = Dealer(id=payer.dealer_id, partner_code=payer.partner_code)
    owner = await an_owner(whole.sessions, dealer)
    await run.until("processing")
    await retire(whole.sessions, payer.person_id)
    await ended(run, "confirmed")
    assert [one.status for one in (await run.view()).lines] == [
        InvoiceStatus.POSTED,
        InvoiceStatus.REFUNDED,
    ]
    assert await run.kept("gateway") == Decimal("98.00")
    assert (await run.invoice()).balance == 0
    (mail,) = await whole.stage.mails(owner.email)
    assert mail["subject"] == "Your payment of invoices"
    async with whole.sessions() as session:
        left = await find_user(session, payer.person_id)
    assert left is not None
    assert await whole.stage.mails(left.email) == []


async def outcomes(payer: PayerOf) -> list[str]:
    """What the payer was written of payments."""
    assert payer.caller.user is not None
    mails = await payer.whole.stage.mails(payer.caller.user.email)
    return [one["text"] for one in mails if one["subject"] == "Your payment of invoices"]


@pytest.mark.parametrize("bank", BANKS)
async def test_a_debit_that_the_bank_returns_pays_nothing_and_frees_the_invoice(
    whole: Whole, bank: str
) -> None:
    async with a_payer(whole) as payer:
        account = await an_account(payer, bank, INSUFFICIENT)
        invoices = await payer.owes()
        answer = await payer.submit(invoices, type="BANK_ACCOUNT", method_id=account)
        id_ = answer.json()["id"]
        await payer.until(id_, "processing")
        seen = await payer.until(id_, "returned")
        assert seen["view"]["error"]["detail"]
        (mail,) = await until(lambda: outcomes(payer))
        assert "Charged" not in mail
        assert mail.startswith("Your bank returned the debit of 98.00 USD. Nothing was paid")
        kept = await payer.browser.get(f"/v1/invoice-payments/{id_}/receipt.pdf")
        assert kept.status_code == 404
        assert await payer.kept(id_, "gateway") == 0
        again = await payer.invoice(invoices[0].number)
        assert (again["isPaid"], again["inPayment"]) == (False, None)
        assert (await payer.paid(payer.body(invoices)))["charged"] == 98.0
