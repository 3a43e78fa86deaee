"""With card payments off no card pays an invoice (rulings "Money and devices")."""

from dataclasses import replace

import httpx

from tests.billing.invoice_payments.paying import a_payer
from tests.billing.payments.factories import a_method
from tests.drivers.portal import a_key
from tests.drivers.whole_portal import Whole, another_portal, problem

REFUSED = (404, "payment_method_missing")


async def test_no_saved_card_pays_and_none_is_told(whole: Whole) -> None:
    async with another_portal(whole, card_payments=False) as off, a_payer(off) as payer:
        invoices = await payer.owes()
        body = payer.body(invoices)
        unnamed = {**body, "selectedPayment": {"type": "CARD"}}
        assert problem(await payer.pay(body)) == REFUSED
        assert problem(await payer.pay(body, mock=True)) == REFUSED
        assert problem(await payer.submit(invoices)) == REFUSED
        assert problem(await payer.pay(unnamed))[1] == "invoice_payment_method_needed"
        code = payer.dealer.partner_code
        account = await a_method(whole.sessions, bank="good", partner_code=code)
        chosen = {"type": "BANK_ACCOUNT", "methodId": account.id}
        by_bank = payer.body(invoices, selectedPayment=chosen, gateway="ACH_COD")
        assert (await payer.pay(by_bank, mock=True)).status_code == 200
        told = (await payer.browser.post("/api/users-payment-methods", json={})).json()
        assert [one["id"] for one in told["results"]] == [account.id]


async def test_no_card_goes_on_with_a_payment_that_was_declined(whole: Whole) -> None:
    async with a_payer(whole) as payer, another_portal(whole, card_payments=False) as off:
        bad = await payer.card_that("transactionDeclined")
        flow = (await payer.declined(payer.body(await payer.owes(), card=bad)))["flow"]

        async def paid_by(browser: httpx.AsyncClient) -> httpx.Response:
            return await browser.post(
                f"/v1/invoice-payments/{flow['id']}/payment",
                json={"type": "CARD", "method_id": payer.card},
                headers=a_key(),
            )

        async with off.signed_in(payer.caller.user) as elsewhere:
            assert problem(await paid_by(elsewhere.browser)) == REFUSED
            seen = await replace(payer, caller=elsewhere).until(flow["id"], "declined")
            assert seen["state"] == "declined"
        assert (await paid_by(payer.browser)).status_code in (200, 202)
        await payer.until(flow["id"], "confirmed")


async def test_no_link_is_made_which_would_be_paid_by_card_alone(whole: Whole) -> None:
    async with another_portal(whole, card_payments=False) as off, a_payer(off) as payer:
        (invoice,) = await payer.owes()
        body = {"invoice": invoice.number, "made_for": "Nadia Roy"}
        refused = await payer.browser.post("/v1/pay-links", json=body, headers=a_key())
        assert problem(refused) == (404, "switched_off")
