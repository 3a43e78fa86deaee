"""From a cart to an order by the calls of the shop (spec 4.7 and 7), and the ways that do not lead there."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from db.billing.payments import payments_of_flow
from db.catalogue.tables import VariantRow
from db.checkout.reservations import held_credit, held_pieces
from db.partner_tables import PartnerRow
from tests.catalogue.factories import a_product
from tests.checkout.cart.buyers import CHECKOUT, buying, pieces, refusal
from tests.checkout.placements.buying import Basket, a_basket, cents_of, on_hand_of, turn
from tests.checkout.quote.buyers import a_shop, equipped, mirror_account, pay_by
from tests.drivers.factories import a_dealer, an_admin, an_owner
from tests.drivers.portal import a_key
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole
from tests.operations.reconciler.rounds import audited, came_of
from tests.partners.test_details_api import set_account
from workflows.ids import placement_id

JUST_NOW = -3600
"""How many seconds ago that is, by the database's clock: ahead of it, so that an account stays of this minute however long a full
machine takes."""


async def test_a_cart_becomes_an_order(whole: Whole) -> None:
    async with a_basket(whole, payment="visa", po_number="PO 7") as basket:
        answer = await basket.submit()
        assert answer.status_code in (200, 202), answer.text
        run = await basket.until("confirmed")
        order = run["view"]["order"]
        assert order["erp_number"]
        assert run["view"]["payment"]["status"] == "CAPTURED"
        assert [one["reference"] for one in await basket.orders_at_the_erp()] == [order["number"]]
        assert await basket.kept() == cents_of(run["view"]["total"])
        assert await on_hand_of(whole.sessions, basket.product) == 8
        latest = (await basket.browser.get(f"{CHECKOUT}/last-b2b-token")).json()
        assert latest["token"] is None
        found = await until(lambda: _numbered(whole, order["number"]))
        assert found == [placement_id(basket.token)]


async def _numbered(whole: Whole, number: str) -> list[str]:
    """How operators find an order in Temporal's own page; other databases, whose orders count alike, share this server."""
    stage = whole.stage
    asked = f'Number = "{number}" AND TaskQueue = "{stage.task_queue}"'
    return [run.id async for run in stage.client.list_workflows(asked)]


async def test_the_erp_is_told_the_buyers_tax_number(whole: Whole) -> None:
    async with a_basket(whole) as basket:
        async with whole.sessions.begin() as session:
            await session.execute(
                update(PartnerRow)
                .where(PartnerRow.sap_bp_code == basket.shop.code)
                .values(tax_number="81234 5678 RT0001")
            )
        await basket.placed()
        await basket.until("confirmed")
        (at_erp,) = await basket.orders_at_the_erp()
    assert at_erp["tax_number"] == "81234 5678 RT0001"


async def test_the_view_has_what_was_agreed_to(whole: Whole) -> None:
    async with a_basket(whole, payment="COD", po_number="PO 8", quantity=12) as basket:
        quote = (await basket.browser.post(f"/v1/placements/{basket.token}/mock", json={})).json()
        view = (await basket.placed(quoteHash=quote["quote_hash"]))["view"]
        assert view["cart_hash"] == quote["quote_hash"]
        assert view["po_number"] == "PO 8"
        assert (view["lines"][0]["now"], view["lines"][0]["later"]) == (10, 2)
        assert {name: view[name] for name in ("subtotal", "freight", "tax", "total")} == {
            name: quote[name] for name in ("subtotal", "freight", "tax", "total")
        }


@pytest.mark.parametrize("type_", ["TERMS", "COD"])
async def test_a_promise_to_pay_asks_no_provider(whole: Whole, type_: str) -> None:
    async with a_basket(whole, payment=type_) as basket:
        await basket.submit()
        await basket.until("confirmed")
        assert [await basket.cents(system) for system in ("cards", "gateway")] == [{}, {}]
        async with whole.sessions() as session:
            assert await payments_of_flow(session, "placement", basket.token) == ()


async def test_an_order_is_cancelled_before_the_erp_has_it(whole: Whole) -> None:
    async with a_basket(whole, payment="visa", po_number="ERP-DOWN") as basket:
        await basket.placed()
        await basket.until("handing_over")
        assert (await basket.ask("cancel", reason="Wrong car")).status_code in (200, 202)
        run = await basket.until("cancelled")
        assert run["view"]["reason"] == "Wrong car"
        told = await came_of(whole.stage, "placement", basket.token)
        assert told["cancelled an order's placement"] == "accepted"
        assert await basket.kept() == 0
        assert await basket.orders_at_the_erp() == []
        assert await held_of(whole, basket.product.variant_id) == 0
        assert await on_hand_of(whole.sessions, basket.product) == 10
        latest = (await basket.browser.get(f"{CHECKOUT}/last-b2b-token")).json()
        assert latest == {"token": run["view"]["next_token"], "quantity": 2}


async def test_what_the_erp_refuses_is_taken_back(whole: Whole) -> None:
    async with a_basket(whole, payment="visa", po_number="ERP-REFUSED") as basket:
        await basket.submit()
        run = await basket.until("compensated")
        assert run["view"]["error"]["code"] == "order_refused"
        assert await basket.kept() == 0
        assert run["view"]["next_token"]


async def test_a_cancelled_placement_can_be_submitted_again(whole: Whole) -> None:
    async with a_basket(whole, payment="chargeCustomerFail") as basket:
        first = await basket.placed()
        assert first["state"] == "payment_failed"
        assert (await basket.ask("cancel")).status_code in (200, 202)
        await basket.until("cancelled")
        await basket.pay_by_card("visa")
        run = await basket.placed()
        run = await basket.until("confirmed")
        assert run["rev"] > first["rev"]
        assert await basket.kept() == cents_of(run["view"]["total"])


@pytest.mark.parametrize(
    ("limit", "ago", "state"),
    [(1, 31, "payment_failed"), (None, 61, "payment_failed"), (None, JUST_NOW, "confirmed")],
)
async def test_credit_is_of_this_minute_when_terms_are_chosen_after_a_decline(
    whole: Whole, limit: int | None, ago: int, state: str
) -> None:
    """The ERP lowers the limit meanwhile, does not know the business, or need not be asked."""
    ending = "404" if ago > 60 else ""
    dealer = await a_dealer(whole.sessions, suffix=ending)
    buyer = await an_owner(whole.sessions, dealer)
    shop = await equipped(whole.sessions, buyer, dealer.partner_code)
    async with a_basket(whole, payment="chargeCustomerFail", shop=shop) as basket:
        assert (await basket.placed())["state"] == "payment_failed"
        if limit is not None:
            await set_account(whole.stage.app, basket.shop.code, balance=0, credit_limit=limit)
        await mirror_account(whole.sessions, basket.shop, timedelta(seconds=ago))
        answer = await basket.ask("payment", type="TERMS")
        assert answer.status_code in (200, 202), answer.text
        run = await basket.until(lambda now: now["state"] == state and now["rev"] > 0)
        if state == "payment_failed":
            run = await basket.until(lambda now: now["view"]["payment"]["type"] == "TERMS")
            assert run["view"]["error"]["code"] == "over_credit_limit"


async def test_a_payer_who_does_not_confirm_has_nothing_held(whole: Whole) -> None:
    async with a_basket(whole, payment="authenticationRequired") as basket:
        run = await basket.placed()
        assert run["state"] == "action_required"
        assert run["view"]["payment"]["action_url"]
        other = await basket.another_card()
        answer = await basket.ask("payment", type="CARD", method_id=other)
        assert answer.status_code in (200, 202), answer.text
        run = await basket.until("confirmed")
        assert run["view"]["payment"]["attempt"] == 2
        assert await basket.kept() == cents_of(run["view"]["total"])


async def test_terms_over_the_limit_are_refused_before_anything_is_held(whole: Whole) -> None:
    async with a_basket(whole, payment="TERMS", limit="50") as basket:
        assert refusal(await basket.submit()) == (409, "over_credit_limit")
        async with whole.sessions() as session:
            assert await held_credit(session, basket.shop.code) == 0
        assert await basket.look() is None


async def test_what_was_agreed_to_has_changed(whole: Whole) -> None:
    async with a_basket(whole) as basket:
        quote = (await basket.browser.post(f"/v1/placements/{basket.token}/mock", json={})).json()
        await pay_by(basket.browser, basket.token, "TERMS")
        answer = await basket.submit(quoteHash=quote["quote_hash"])
        assert refusal(answer) == (409, "quote_changed")
        assert answer.json()["quote"]["payment"]["type"] == "TERMS"


async def test_an_empty_cart_is_not_ordered(whole: Whole) -> None:
    async with a_basket(whole) as basket:
        line = {"lineId": basket.product.variant_id}
        await basket.browser.post(f"{CHECKOUT}/{basket.token}/delete-lines", json=line)
        assert refusal(await basket.submit()) == (409, "empty_cart")


async def test_a_cart_that_was_never_placed_says_so_to_its_owner_alone(whole: Whole) -> None:
    async with a_basket(whole) as basket, a_basket(whole) as other:
        own = await basket.browser.get(f"/v1/placements/{basket.token}")
        assert (own.status_code, own.content) == (204, b"")
        assert (await other.browser.get(f"/v1/placements/{basket.token}")).status_code == 404


async def test_somebody_elses_placement_is_not_there(whole: Whole) -> None:
    async with a_basket(whole) as basket, a_basket(whole) as other:
        await basket.placed()
        for call in ("payment", "cancel"):
            answer = await other.browser.post(
                f"/v1/placements/{basket.token}/{call}",
                json={"type": "COD"} if call == "payment" else {},
                headers=a_key(),
            )
            assert answer.status_code == 404
        assert (await other.browser.get(f"/v1/placements/{basket.token}")).status_code == 404
        assert (await basket.submit(browser=other.browser)).status_code == 404


async def test_what_is_not_possible_now_is_refused(whole: Whole) -> None:
    async with a_basket(whole, po_number="ERP-DOWN") as basket:
        await basket.placed()
        await basket.until("handing_over")
        assert refusal(await basket.ask("payment", type="COD")) == (409, "order_moved")
        await basket.ask("cancel")
        await basket.until("cancelled")
        again = await basket.ask("cancel")
        assert refusal(again) == (410, "closed")
        assert again.json()["detail"] == "This order has ended."


async def test_a_confirmed_order_cannot_be_cancelled_and_is_told_so(whole: Whole) -> None:
    async with a_basket(whole) as basket:
        await basket.placed()
        await basket.until("confirmed")
        refused = await basket.ask("cancel")
        assert refusal(refused) == (409, "order_not_cancellable")
        assert refused.json()["flow"]["kind"] == "placement"
        done = await audited(whole.stage, "placement", basket.token)
        assert "cancelled an order's placement" not in [action for action, _ in done]


async def test_an_operator_has_the_erp_asked_again(whole: Whole) -> None:
    admin = await an_admin(whole.sessions)
    async with a_basket(whole) as basket, buying(whole.app, admin) as office:
        await turn(whole, "erp", outage=True)
        try:
            await basket.placed()
            await basket.until("handing_over")
            answer = await settled_by(office, basket, "retry")
        finally:
            await turn(whole, "erp", outage=False)
        assert answer.status_code in (200, 202), answer.text
        await basket.until("confirmed")
        told = await came_of(whole.stage, "placement", basket.token)
        assert told["settled an order's placement"] == "accepted"
        assert len(await basket.orders_at_the_erp()) == 1
        runs = await office.get(
            "/v1/operations/runs",
            params={"shown": "ended", "kind": "placement", "subject": basket.token},
        )
        assert [one["id"] for one in runs.json()["results"]] == [basket.token]


async def test_what_an_operator_cancels_may_stand_after_all_and_is_no_more_than_accepted(
    whole: Whole,
) -> None:
    admin = await an_admin(whole.sessions)
    async with a_basket(whole, po_number="ERP-DOWN") as basket, buying(whole.app, admin) as office:
        await basket.placed()
        await basket.until("handing_over")
        answer = await settled_by(office, basket, "cancel")
        assert answer.status_code in (200, 202), answer.text
        await basket.until("cancelled")
        told = await came_of(whole.stage, "placement", basket.token)
        assert told["settled an order's placement"] == "accepted"


async def settled_by(office: httpx.AsyncClient, basket: Basket, how: str) -> httpx.Response:
    return await office.post(
        f"/v1/placements/{basket.token}/settle",
        json={"how": how, "note": "Looked after."},
        headers=a_key(),
    )


async def test_a_cart_that_is_being_ordered_is_left_alone(whole: Whole) -> None:
    async with a_basket(whole, payment="chargeCustomerFail") as basket:
        await basket.placed()
        answer = await basket.browser.post(
            f"{CHECKOUT}/{basket.token}/add-lines", json=pieces((basket.product, 1))
        )
        assert refusal(answer) == (409, "cart_in_placement")
        assert answer.json()["flow"]["state"] == "payment_failed"
        answer = await basket.browser.post(
            f"{CHECKOUT}/create-b2b", json=pieces((basket.product, 1))
        )
        assert refusal(answer) == (409, "cart_in_placement")
        await basket.ask("cancel")
        await basket.until("cancelled")
        answer = await basket.browser.post(
            f"{CHECKOUT}/{basket.token}/add-lines", json=pieces((basket.product, 1))
        )
        assert answer.status_code == 200


async def held_of(whole: Whole, variant_id: str) -> int:
    async with whole.sessions() as session:
        return (await held_pieces(session, [variant_id])).get(variant_id, 0)


async def test_an_order_of_many_lines_has_a_small_history(whole: Whole) -> None:
    """Promise 25: what was frozen is not in it, so that a thousand lines cost as much as one."""
    async with a_basket(whole) as basket:
        more = [await a_product(whole.sessions) for _ in range(99)]
        lines = pieces(*((one, 1) for one in more))
        answer = await basket.browser.post(f"{CHECKOUT}/{basket.token}/add-lines", json=lines)
        assert answer.status_code == 200, answer.text
        await basket.submit()
        run = await basket.until("confirmed")
        assert len(run["view"]["lines"]) == 100
        handle = whole.stage.client.get_workflow_handle(f"order-{basket.token}")
        history = await handle.fetch_history()
        assert len(history.events) < 100
        assert len(history.to_json()) < 100_000


async def test_one_call_says_the_figures_how_it_is_paid_and_under_which_number(
    whole: Whole,
) -> None:
    async with a_basket(whole) as basket:
        seen = (await basket.browser.post(f"/v1/placements/{basket.token}/mock", json={})).json()
        await priced(whole, basket, "110.00")
        said: dict[str, Any] = {
            "selectedPayment": {"type": "TERMS"},
            "poNumber": f"PO {basket.token[:8]}",
        }
        changed = await basket.submit(quoteHash=seen["figures_hash"], **said)
        assert refusal(changed) == (409, "quote_changed")
        fresh = changed.json()["quote"]
        answer = await basket.submit(quoteHash=fresh["figures_hash"], **said)
        assert answer.status_code in (200, 202), answer.text
        run = await basket.until("confirmed")
        assert run["view"]["po_number"] == said["poNumber"]
        assert run["view"]["payment"]["type"] == "TERMS"
        assert run["view"]["total"] == fresh["total"]


async def test_a_po_number_that_another_order_has_is_refused_until_its_buyer_knows(
    whole: Whole,
) -> None:
    shop = await a_shop(whole.sessions, limit="5000")
    async with a_basket(whole, shop=shop, po_number="PO 4711") as first:
        await first.submit()
        order = (await first.until("confirmed"))["view"]["order"]
    async with a_basket(whole, shop=shop) as second:
        refused = await second.submit(poNumber="PO 4711")
        assert refusal(refused) == (409, "po_number_repeated")
        assert refused.json()["order"] == order["number"]
        assert await second.look() is None
        assert (await second.submit(poNumber="PO 4711", knowsPo=True)).is_success
        assert (await second.until("confirmed"))["view"]["po_number"] == "PO 4711"


async def priced(whole: Whole, basket: Basket, msrp: str) -> None:
    async with whole.sessions.begin() as session:
        await session.execute(
            update(VariantRow)
            .where(VariantRow.id == basket.product.variant_id)
            .values(msrp=Decimal(msrp))
        )
