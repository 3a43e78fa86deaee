"""What is promised of a checkout, each by its number ("Checkout correctness"), against what the providers noted."""

import asyncio
import os
from contextlib import AsyncExitStack
from dataclasses import replace
from decimal import Decimal

import pytest
from sqlalchemy import func, select, update

from db.base import Sessions
from db.checkout.placements import PlacementRow
from db.checkout.reservations import held_credit, held_pieces
from db.identity.people import InstallerRow, PersonRow
from db.orders.tables import OrderRow
from db.runs.flows import FlowRow, TransitionRow
from tests.catalogue.factories import a_product
from tests.checkout.cart.buyers import CHECKOUT, pieces, refusal
from tests.checkout.placements.buying import (
    Basket,
    a_basket,
    a_second_portal,
    cents_of,
    elsewhere,
    on_hand_of,
    turn,
)
from tests.checkout.quote.buyers import a_shop, pay_by
from tests.drivers.factories import Dealer, an_owner
from tests.drivers.whole_portal import Whole

MANY = int(os.environ.get("SUBMITS", "60"))
"""At once. The promise says a thousand: `SUBMITS=1000`."""
STOCKED = 5
TERMS_BUYERS = 8
WITHIN = 3.0
"""Seconds in which a write answers."""


async def test_promise_1_one_token_one_order(whole: Whole) -> None:
    async with (
        a_basket(whole, payment="visa") as basket,
        a_second_portal(whole) as other,
        elsewhere(basket, other) as there,
    ):
        answers = await asyncio.gather(
            *(
                basket.submit(browser=there if n % 2 else None, key=f"submit-{n // 3}-{n % 2}")
                for n in range(MANY)
            )
        )
        assert {answer.status_code for answer in answers} <= {200, 202, 503}
        run = await basket.until("confirmed")
        orders = {a.json()["order"]["id"] for a in answers if a.is_success and a.json()["order"]}
        assert orders <= {run["view"]["order"]["id"]}
        assert len(await basket.orders_at_the_erp()) == 1
        assert await basket.kept() == cents_of(run["view"]["total"])
        again = await basket.submit()
        assert again.json()["order"]["id"] == run["view"]["order"]["id"]
        async with whole.sessions() as session:
            count = select(func.count()).where(PlacementRow.token == basket.token)
            assert await session.scalar(count) == 1


async def test_promise_2_a_key_means_one_body(whole: Whole) -> None:
    async with a_basket(whole) as basket:
        first = await basket.submit(key="promise-two", selectedPayment={"type": "COD"})
        assert first.is_success, first.text
        await basket.until("confirmed")
        again = await basket.submit(key="promise-two", selectedPayment={"type": "COD"})
        assert again.json() == first.json()
        other = await basket.submit(key="promise-two", selectedPayment={"type": "TERMS"})
        assert refusal(other)[0] in (409, 422)


@pytest.mark.whole
async def test_promise_3_a_submit_answers_in_time_while_every_gateway_hangs(whole: Whole) -> None:
    async with a_basket(whole, payment="visa") as basket:
        await turn(whole, "cards", latency=5)
        try:
            begun = asyncio.get_running_loop().time()
            answer = await basket.submit()
            assert asyncio.get_running_loop().time() - begun < WITHIN
            assert answer.status_code == 202
            assert (await basket.submit()).status_code == 202
        finally:
            await turn(whole, "cards", latency=0)
        run = await basket.until("confirmed")
        assert run["view"]["payment"]["attempt"] == 1
        assert await basket.kept() == cents_of(run["view"]["total"])


async def test_promise_4_lost_replies_charge_nobody_twice(whole: Whole) -> None:
    async with a_basket(whole, payment="visa", po_number="ERP-LOST") as basket:
        await turn(whole, "cards", lose_replies=3)
        try:
            await basket.submit()
            run = await basket.until("confirmed")
        finally:
            await turn(whole, "cards", lose_replies=0)
        assert len(await basket.orders_at_the_erp()) == 1
        assert await basket.kept() == cents_of(run["view"]["total"])


async def test_promise_7_a_declined_card_keeps_everything_else(whole: Whole) -> None:
    async with a_basket(whole, payment="chargeCustomerFail", quantity=3) as basket:
        run = await basket.placed()
        assert run["state"] == "payment_failed"
        assert run["view"]["error"]["code"] == "PAYMENT_ERROR"
        assert run["view"]["error"]["detail"] == "Your card was declined."
        assert run["view"]["refused_methods"] == [run["view"]["payment"]["method_id"]]
        assert await held_stock(whole.sessions, basket) == 3
        good = await basket.another_card()
        assert (await basket.ask("payment", type="CARD", method_id=good)).is_success
        run = await basket.until("confirmed")
        assert run["view"]["payment"]["attempt"] == 2
        assert await basket.kept() == cents_of(run["view"]["total"])


async def test_promise_8_a_part_of_the_money_is_refused(whole: Whole) -> None:
    async with a_basket(whole) as basket:
        await pay_by(basket.browser, basket.token, "COD", amount="1.00")
        assert refusal(await basket.submit()) == (409, "PARTIAL_PAYMENT_NOT_ALLOWED")
        await pay_by(basket.browser, basket.token, "COD", amount="99999.00")
        assert refusal(await basket.submit()) == (409, "AMOUNT_ABOVE_TOTAL")
        assert await held_stock(whole.sessions, basket) == 0
        await pay_by(basket.browser, basket.token, "COD")
        await basket.submit()
        await basket.until("confirmed")


async def test_promise_9_the_order_is_the_snapshot_to_the_cent(whole: Whole) -> None:
    async with a_basket(whole, payment="visa", price="33.33", quantity=7) as basket:
        quote = (await basket.browser.post(f"/v1/placements/{basket.token}/mock", json={})).json()
        await basket.submit(quoteHash=quote["quote_hash"])
        run = await basket.until("confirmed")
        async with whole.sessions() as session:
            query = select(OrderRow).where(OrderRow.token == basket.token)
            order = (await session.scalars(query)).one()
        for name in ("subtotal", "freight", "tax", "total"):
            assert getattr(order, name) == Decimal(str(quote[name])), name
        assert await basket.kept() == cents_of(run["view"]["total"])


async def test_promise_11_edits_during_a_run_never_reach_the_order(whole: Whole) -> None:
    async with a_basket(whole, payment="chargeCustomerFail", quantity=2) as basket:
        await basket.placed()
        for call, body in (
            ("add-lines", pieces((basket.product, 1))),
            ("update-lines", {"lines": [{"lineId": basket.product.variant_id, "quantity": 9}]}),
            ("delete-lines", {"lineId": basket.product.variant_id}),
            ("set-b2b-po-number", {"poNumber": "PO 9"}),
            ("set-b2b-payment", {"gateway": "ACH_COD", "type": "COD"}),
        ):
            answer = await basket.browser.post(f"{CHECKOUT}/{basket.token}/{call}", json=body)
            assert refusal(answer) == (409, "cart_in_placement"), call
            assert answer.json()["flow"]["id"] == basket.token
        assert (await basket.ask("payment", type="COD")).is_success
        run = await basket.until("confirmed")
        assert [line["quantity"] for line in run["view"]["lines"]] == [2]


async def test_promise_12_who_lost_the_right_meanwhile_buys_nothing(whole: Whole) -> None:
    async with a_basket(whole, payment="authenticationRequired") as basket:
        run = await basket.placed()
        assert run["state"] == "action_required"
        async with whole.sessions.begin() as session:
            person = basket.shop.buyer.id
            await session.execute(
                update(InstallerRow).where(InstallerRow.person_id == person).values(is_owner=False)
            )
        await basket.prove()
        run = await basket.until("compensated")
        assert run["view"]["error"]["code"] == "no_purchasing_rights"
        assert await basket.kept() == 0
        assert (await basket.cents()).get("captured", 0) == 0
        assert run["view"]["order"] is None
        assert await held_stock(whole.sessions, basket) == 0


async def test_promise_12_the_retired_buy_nothing(whole: Whole) -> None:
    async with a_basket(whole) as basket:
        async with whole.sessions.begin() as session:
            await session.execute(
                update(PersonRow)
                .where(PersonRow.id == basket.shop.buyer.id)
                .values(is_retired=True)
            )
        assert (await basket.submit()).status_code == 403


async def test_promise_13_a_run_keeps_its_business_and_says_who_asked(whole: Whole) -> None:
    async with a_basket(whole, payment="chargeCustomerFail") as basket:
        await basket.placed()
        await basket.ask("cancel", reason="No more")
        await basket.until("cancelled")
        async with whole.sessions() as session:
            row = await session.get(FlowRow, basket.token)
            assert row is not None
            assert (row.partner, row.owner_id) == (basket.shop.code, basket.shop.buyer.id)
            asked = await session.scalars(
                select(TransitionRow.actor_id).where(
                    TransitionRow.flow_id == basket.token, TransitionRow.event == "CANCEL"
                )
            )
            assert list(asked) == [basket.shop.buyer.id]


async def test_promise_14_orders_on_terms_never_pass_the_limit(whole: Whole) -> None:
    """Each order is 240.25; the limit has room for three. Who comes too late is told by the answer, and has no run."""
    shop = await a_shop(whole.sessions, limit="800")
    dealer = Dealer(id=str(shop.buyer.dealer_id), partner_code=shop.code)
    product = await a_product(whole.sessions, on_hand=100)
    async with AsyncExitStack() as open_:
        baskets: list[Basket] = []
        for _ in range(TERMS_BUYERS):
            buyer = await an_owner(whole.sessions, dealer)
            theirs = replace(shop, buyer=buyer)
            baskets.append(
                await open_.enter_async_context(
                    a_basket(whole, payment="TERMS", shop=theirs, product=product)
                )
            )
        answers = await asyncio.gather(*(basket.submit() for basket in baskets))
        assert sum(answer.is_success for answer in answers) == 3
        for basket, answer in zip(baskets, answers, strict=True):
            if answer.is_success:
                await basket.until("confirmed")
            else:
                assert refusal(answer) == (409, "over_credit_limit")
                assert await basket.look() is None
    async with whole.sessions() as session:
        placed = select(func.sum(OrderRow.total)).where(OrderRow.partner_code == shop.code)
        assert await session.scalar(placed) == Decimal("720.75")
        assert await held_credit(session, shop.code) == 0


async def test_promise_15_what_is_there_is_sold_once(whole: Whole) -> None:
    product = await a_product(whole.sessions, on_hand=STOCKED)
    async with AsyncExitStack() as open_:
        baskets = [
            await open_.enter_async_context(a_basket(whole, product=product, quantity=1))
            for _ in range(STOCKED + 3)
        ]
        quotes = [
            (await one.browser.post(f"/v1/placements/{one.token}/mock", json={})).json()
            for one in baskets
        ]
        answers = await asyncio.gather(
            *(
                basket.submit(quoteHash=quote["quote_hash"])
                for basket, quote in zip(baskets, quotes, strict=True)
            )
        )
        assert sum(answer.is_success for answer in answers) == STOCKED
        for basket, answer in zip(baskets, answers, strict=True):
            if answer.is_success:
                await basket.until("confirmed")
            else:
                assert refusal(answer) in ((409, "quote_changed"), (409, "stock_changed"))
                assert await basket.look() is None
        assert await on_hand_of(whole.sessions, product) == 0
        async with whole.sessions() as session:
            assert await held_pieces(session, [product.variant_id]) == {}


async def test_promise_15_two_that_hold_stock_and_credit_do_not_wait_for_each_other(
    whole: Whole,
) -> None:
    """On terms, of one business, and of the same articles."""
    shop = await a_shop(whole.sessions, limit="50000")
    dealer = Dealer(id=str(shop.buyer.dealer_id), partner_code=shop.code)
    product = await a_product(whole.sessions, on_hand=100)
    async with AsyncExitStack() as open_:
        baskets = [
            await open_.enter_async_context(
                a_basket(
                    whole,
                    payment="TERMS",
                    shop=replace(shop, buyer=await an_owner(whole.sessions, dealer)),
                    product=product,
                )
            )
            for _ in range(TERMS_BUYERS)
        ]
        answers = await asyncio.gather(*(basket.submit() for basket in baskets))
        assert {answer.status_code for answer in answers} <= {200, 202}
        for basket in baskets:
            await basket.until("confirmed")
    assert await on_hand_of(whole.sessions, product) == 100 - 2 * TERMS_BUYERS


async def test_promise_17_what_is_taken_back_is_taken_back_once(whole: Whole) -> None:
    async with a_basket(whole, payment="visa", po_number="ERP-REFUSED") as basket:
        await turn(whole, "cards", lose_replies=2)
        try:
            await basket.submit()
            run = await basket.until("compensated")
        finally:
            await turn(whole, "cards", lose_replies=0)
        sums = await basket.cents()
        assert sums["voided"] == cents_of(run["view"]["total"])
        assert sums.get("captured", 0) == 0
        assert await held_stock(whole.sessions, basket) == 0


@pytest.mark.parametrize("po_number", ["ERP-AWAY", "ERP-PROXY"])
async def test_promise_18_the_erp_gets_it_once_however_late(whole: Whole, po_number: str) -> None:
    async with a_basket(whole, payment="visa", po_number=po_number) as basket:
        answer = await basket.submit()
        assert answer.is_success
        assert answer.json()["order"] is not None
        run = await basket.until("confirmed")
        assert len(await basket.orders_at_the_erp()) == 1
        assert await basket.kept() == cents_of(run["view"]["total"])


async def test_promise_18_a_cancel_and_the_hand_off_do_not_both_win(whole: Whole) -> None:
    async with a_basket(whole, payment="visa", po_number="ERP-SLOW") as basket:
        await basket.submit()
        await basket.until(lambda one: one["state"] in ("handing_over", "confirmed"))
        cancelled = await basket.ask("cancel")
        run = await basket.until(lambda one: one["ended"])
        taken = await basket.orders_at_the_erp()
        if run["state"] == "confirmed":
            assert cancelled.status_code in (202, 409, 410)
            assert await basket.kept() == cents_of(run["view"]["total"])
        else:
            assert run["state"] == "cancelled"
            assert await basket.kept() == 0
            assert all(one["status"] == "cancelled" for one in taken)


async def held_stock(sessions: Sessions, basket: Basket) -> int:
    variant = basket.product.variant_id
    async with sessions() as session:
        return (await held_pieces(session, [variant])).get(variant, 0)
