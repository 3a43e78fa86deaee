"""Which payment goes on when invoices are sent again that it holds (decision 53)."""

from sqlalchemy import delete

from db.platform.idempotency import IdempotencyRow
from tests.billing.invoice_payments.factories import numbered
from tests.billing.invoice_payments.paying import a_payer
from tests.drivers.portal import a_key
from tests.drivers.whole_portal import Whole, problem


async def test_with_other_memos_a_declined_payment_does_not_go_on(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        bad = await payer.card_that("transactionDeclined")
        memo, other = await payer.has_credit("30.00"), await payer.has_credit("30.00")
        for before, after in (((), (memo,)), ((memo,), ()), ((memo,), (other,))):
            invoices = await payer.owes()
            declined = await payer.declined(payer.body(invoices, memos=before, card=bad))
            id_ = declined["flow"]["id"]
            refused = await payer.pay(payer.body(invoices, memos=after))
            assert problem(refused) == (409, "invoices_refused")
            assert [one["code"] for one in refused.json()["invoices"]] == ["in_payment"]
            assert (await payer.until(id_))["state"] == "declined"
            assert await payer.kept(id_) == 0
            cancelled = await payer.browser.post(
                f"/v1/invoice-payments/{id_}/cancel", json={}, headers=a_key()
            )
            assert cancelled.status_code in (200, 202), cancelled.text
            await payer.until(id_, "cancelled")


async def test_nobody_joins_a_payment_at_figures_that_they_have_not_seen(whole: Whole) -> None:
    async with a_payer(whole) as payer:
        bad = await payer.card_that("transactionDeclined")
        invoices = await payer.owes()
        declined = await payer.declined(payer.body(invoices, card=bad))
        joined = await payer.submit(invoices, plan_hash="0" * 64)
        assert problem(joined) == (409, "invoice_figures_changed")
        assert await payer.kept(declined["flow"]["id"]) == 0


async def test_a_key_whose_answer_was_lost_means_the_payment_that_it_joined(whole: Whole) -> None:
    """Also once that has ended, whether it was paid or the ERP refused it; nothing is charged anew."""
    async with a_payer(whole) as payer:
        bad = await payer.card_that("transactionDeclined")
        for number, end in ((numbered(), "confirmed"), (numbered("REFUSED"), "refused")):
            invoices = await payer.owes(number=number)
            id_ = (await payer.declined(payer.body(invoices, card=bad)))["flow"]["id"]
            key = a_key()["Idempotency-Key"]
            await payer.pay(payer.body(invoices), key=key)
            await payer.until(id_, end)
            async with whole.sessions.begin() as session:
                await session.execute(delete(IdempotencyRow).where(IdempotencyRow.key == key))
            again = await payer.pay(payer.body(invoices), key=key)
            assert again.status_code == 200, again.text
            assert (again.json()["uuid"], again.json()["state"]) == (id_, end)
