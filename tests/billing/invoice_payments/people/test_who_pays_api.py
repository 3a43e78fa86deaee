"""Who pays invoices (rulings "People and rights"): owners, whoever may purchase, and inside reps for the business
that they have chosen. Outside reps never do, whatever they have chosen. A link lends no more than that."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from sqlalchemy import update

from db.identity.people import PersonRow
from domain.identity.people import User
from tests.billing.invoice_payments.paying import PayerOf, a_payer
from tests.billing.invoice_payments.people.test_links_api import a_guest, a_link
from tests.drivers.factories import Dealer, an_inside_rep, an_installer, an_outside_rep
from tests.drivers.portal import a_key
from tests.drivers.whole_portal import Whole, problem
from tests.partners.factories import a_primary, let_see, lose_sight


@asynccontextmanager
async def acting(whole: Whole, rep: User, payer: PayerOf) -> AsyncGenerator[PayerOf]:
    """A rep who has chosen the payer's business."""
    dealer: Dealer = payer.dealer
    await let_see(whole.sessions, rep, dealer.partner_code)
    await a_primary(whole.sessions, dealer)
    async with whole.signed_in(rep) as caller:
        chosen = await caller.browser.put(
            "/v1/auth/business", json={"sapBpCode": dealer.partner_code}
        )
        assert chosen.status_code == 200, chosen.text
        yield replace(payer, caller=caller)


async def test_whoever_may_purchase_pays(whole: Whole) -> None:
    async with a_payer(whole) as owner:
        purchaser = await an_installer(whole.sessions, owner.dealer, is_purchaser=True)
        async with a_payer(whole, dealer=owner.dealer, user=purchaser) as payer:
            answer = await payer.paid(payer.body(await payer.owes()))
            assert (answer["state"], answer["charged"]) == ("confirmed", 98.0)


async def test_an_inside_rep_pays_for_the_business_that_they_have_chosen(whole: Whole) -> None:
    rep = await an_inside_rep(whole.sessions)
    async with a_payer(whole) as owner, a_payer(whole) as stranger:
        invoices = await owner.owes()
        async with a_payer(whole, dealer=owner.dealer, user=rep) as nobody:
            assert problem(await nobody.pay(nobody.body(invoices))) == (409, "business_needed")
        async with acting(whole, rep, owner) as payer:
            foreign = await payer.pay(payer.body(await stranger.owes()))
            assert foreign.status_code == 404
            answer = await payer.paid(payer.body(invoices))
            assert (answer["state"], answer["charged"]) == ("confirmed", 98.0)
        assert await owner.kept(answer["uuid"]) == 98


async def test_an_outside_rep_pays_nothing_for_the_business_that_they_have_chosen(
    whole: Whole,
) -> None:
    async with a_payer(whole) as owner:
        (invoice,) = await owner.owes()
        wanted = [{"number": invoice.number, "amount": 100}]
        async with acting(whole, await an_outside_rep(whole.sessions), owner) as rep:
            assert (await rep.invoice(invoice.number))["balance"]["amount"] == 100.0
            link = {"invoice": invoice.number, "made_for": "Nadia Roy"}
            for answer in (
                await rep.pay(rep.body([invoice])),
                await rep.pay(rep.body([invoice]), mock=True),
                await rep.submit([invoice]),
                await rep.browser.post("/v1/invoice-payments/quote", json={"invoices": wanted}),
                await rep.browser.post("/v1/invoice-payments/advice", json={"budget": 100}),
                await rep.browser.post("/v1/pay-links", json=link, headers=a_key()),
            ):
                assert answer.status_code == 403, answer.text
        after = await owner.invoice(invoice.number)
        assert (after["balance"]["amount"], after["inPayment"]) == (100.0, None)


@pytest.mark.parametrize("lost", ["the business", "the account"])
async def test_the_link_of_an_inside_rep_pays_until_they_lose(whole: Whole, lost: str) -> None:
    """Whoever makes it by right of a business that they have chosen lends it for as long as they have it."""
    rep = await an_inside_rep(whole.sessions)
    async with a_payer(whole) as owner:
        first, second = await owner.owes(2)
        async with acting(whole, rep, owner) as payer:
            good, void = await a_link(payer, first), await a_link(payer, second)
        async with a_guest(whole, good) as guest:
            await guest.pay(agreed=(await guest.seen())["planHash"])
            assert (await guest.until("paid"))["payment"]["charged"] == 98.0
        async with a_guest(whole, void) as guest:
            agreed = (await guest.seen())["planHash"]
            if lost == "the business":
                await lose_sight(whole.sessions, rep, owner.dealer.partner_code)
            else:
                async with whole.sessions.begin() as session:
                    row = update(PersonRow).where(PersonRow.id == rep.id)
                    await session.execute(row.values(is_retired=True))
            for answer in (await guest.open(), await guest.pay(agreed=agreed)):
                assert problem(answer) == (410, "pay_link_void")
        after = await owner.invoice(second.number)
        assert (after["balance"]["amount"], after["inPayment"]) == (100.0, None)
