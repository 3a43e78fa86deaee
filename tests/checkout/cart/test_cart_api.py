"""The cart from its first line on, as its calls tell it (shop spec 4 and 7)."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import date

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select, update

from db.base import Sessions
from db.catalogue.tables import ProductRow, StockRow
from db.checkout.cart import MOST_PUT_AWAY, CartRow
from db.checkout.placements import PlacementRow
from db.identity.people import InstallerRow, PersonRow
from db.operations.audit import AuditRow
from db.partner_tables import PartnerRow
from domain.catalogue.pricing import ListKind
from domain.identity.people import User
from tests.catalogue.factories import a_brand, a_list, a_product, priced
from tests.checkout.cart.buyers import (
    CHECKOUT,
    a_buyer,
    a_method,
    begin,
    buying,
    pieces,
    quantities,
    refusal,
)
from tests.drivers.factories import (
    a_consumer,
    a_dealer,
    a_name,
    an_inside_rep,
    an_installer,
    an_outside_rep,
    an_owner,
)
from tests.drivers.portal import a_browser, a_key
from tests.partners.factories import a_primary, an_address, let_see


async def test_a_cart_is_made_by_the_first_line_and_keeps_the_next(
    portal: FastAPI, sessions: Sessions
) -> None:
    one, other = await a_product(sessions, msrp="12.50"), await a_product(sessions, msrp="100.00")
    async with buying(portal, await a_buyer(sessions)) as browser:
        assert (await browser.get(f"{CHECKOUT}/last-b2b-token")).json() == {
            "token": None,
            "quantity": 0,
        }
        made = await begin(browser, (one, 2))
        token = made["token"]
        answer = await browser.post(
            f"{CHECKOUT}/{token}/add-lines", json=pieces((other, 1), (one, 1))
        )
        cart = answer.json()
        assert quantities(cart) == {one.variant_id: 3, other.variant_id: 1}
        assert [line["variant"]["sku"] for line in cart["lines"]] == [one.sku, other.sku]
        assert cart["subtotalPrice"] == {"net": {"amount": 137.5, "currency": "USD"}}
        assert cart["quantity"] == 4
        assert cart["canBeOrdered"] is True
        latest = (await browser.get(f"{CHECKOUT}/last-b2b-token")).json()
        assert latest == {"token": token, "quantity": 4}
        assert (await browser.get(f"{CHECKOUT}/{token}")).json() == cart


async def test_lines_are_changed_and_taken_out(portal: FastAPI, sessions: Sessions) -> None:
    one, other = await a_product(sessions), await a_product(sessions)
    async with buying(portal, await a_buyer(sessions)) as browser:
        token = (await begin(browser, (one, 2), (other, 1)))["token"]
        body = {"lines": [{"lineId": one.variant_id, "quantity": 7}]}
        changed = (await browser.post(f"{CHECKOUT}/{token}/update-lines", json=body)).json()
        assert quantities(changed) == {one.variant_id: 7, other.variant_id: 1}
        url = f"{CHECKOUT}/{token}/delete-lines"
        gone = (await browser.post(url, json={"lineId": one.variant_id})).json()
        assert quantities(gone) == {other.variant_id: 1}
        assert gone["rev"] == changed["rev"] + 1
        again = await browser.post(url, json={"lineId": one.variant_id})
        assert refusal(again) == (409, "cart_line_missing")


async def test_prices_are_those_of_the_business_and_of_this_moment(
    portal: FastAPI, sessions: Sessions
) -> None:
    brand, channel = await a_brand(sessions), a_name()
    made = await a_product(sessions, brand=brand, msrp="100.00")
    tier = await a_list(sessions, channel, kind=ListKind.TIER)
    await priced(sessions, tier, made, "60.00")
    dealer = await a_dealer(sessions)
    async with sessions.begin() as session:
        await session.execute(
            update(PartnerRow)
            .where(PartnerRow.sap_bp_code == dealer.partner_code)
            .values(channel_slug=channel, approved_brands=[brand])
        )
    async with buying(portal, await an_owner(sessions, dealer)) as browser:
        cart = await begin(browser, (made, 2))
        assert cart["subtotalPrice"]["net"]["amount"] == 120
        assert cart["lines"][0]["pricing"]["why"]["rule"] == "approved_brand"
        await priced(sessions, tier, made, "55.00")
        cart = (await browser.get(f"{CHECKOUT}/{cart['token']}")).json()
        assert cart["subtotalPrice"]["net"]["amount"] == 110


async def test_a_price_that_the_caller_sends_is_refused(
    portal: FastAPI, sessions: Sessions
) -> None:
    made = await a_product(sessions)
    line = {"variantId": made.variant_id, "quantity": 1, "price": 0.01}
    async with buying(portal, await a_buyer(sessions)) as browser:
        answer = await browser.post(f"{CHECKOUT}/create-b2b", json={"lines": [line]})
    assert refusal(answer) == (422, "invalid")


@pytest.mark.parametrize(
    "quantity", [0, -1, 1.5, 2.0, "2", "two", None, True, 10_000, 10**17, [1], {"a": 1}]
)
async def test_no_other_quantity_than_a_whole_number_is_taken(
    portal: FastAPI, sessions: Sessions, quantity: object
) -> None:
    made = await a_product(sessions)
    body = {"lines": [{"variantId": made.variant_id, "quantity": quantity}]}
    async with buying(portal, await a_buyer(sessions)) as browser:
        token = (await begin(browser, (made, 1)))["token"]
        answer = await browser.post(f"{CHECKOUT}/{token}/add-lines", json=body)
        assert refusal(answer) == (422, "invalid")
        assert quantities((await browser.get(f"{CHECKOUT}/{token}")).json()) == {made.variant_id: 1}


async def test_what_cannot_be_bought_is_refused_by_name_and_nothing_is_added(
    portal: FastAPI, sessions: Sessions
) -> None:
    fine = await a_product(sessions)
    shut = await a_product(sessions, is_for_purchase=False)
    priceless = await a_product(sessions, msrp=None)
    async with buying(portal, await a_buyer(sessions)) as browser:
        url = f"{CHECKOUT}/create-b2b"
        assert refusal(await browser.post(url, json=pieces((shut, 1)))) == (409, "not_for_purchase")
        assert refusal(await browser.post(url, json=pieces((priceless, 1)))) == (409, "no_price")
        answer = await browser.post(url, json=pieces((fine, 1), (shut, 1), (priceless, 1)))
        assert refusal(answer) == (409, "lines_refused")
        assert [line["fault"] for line in answer.json()["lines"]] == [
            "not_for_purchase",
            "no_price",
        ]
        assert (await browser.get(f"{CHECKOUT}/last-b2b-token")).json()["quantity"] == 0


async def test_a_line_that_is_shut_later_stays_in_view_and_only_shrinks(
    portal: FastAPI, sessions: Sessions
) -> None:
    made = await a_product(sessions)
    async with buying(portal, await a_buyer(sessions)) as browser:
        token = (await begin(browser, (made, 3)))["token"]
        async with sessions.begin() as session:
            await session.execute(
                update(ProductRow).where(ProductRow.id == made.id).values(is_for_purchase=False)
            )
        cart = (await browser.get(f"{CHECKOUT}/{token}")).json()
        assert cart["lines"][0]["fault"] == "not_for_purchase"
        assert cart["lines"][0]["totalPrice"] is None
        assert cart["canBeOrdered"] is False
        url = f"{CHECKOUT}/{token}/update-lines"
        more = {"lines": [{"lineId": made.variant_id, "quantity": 4}]}
        assert refusal(await browser.post(url, json=more)) == (409, "not_for_purchase")
        fewer = {"lines": [{"lineId": made.variant_id, "quantity": 1}]}
        assert (await browser.post(url, json=fewer)).status_code == 200


async def test_backorders_are_parted_into_now_and_later(
    portal: FastAPI, sessions: Sessions
) -> None:
    made = await a_product(sessions, on_hand=4, restock_on=date(2030, 1, 2))
    async with buying(portal, await a_buyer(sessions)) as browser:
        line = (await begin(browser, (made, 6)))["lines"][0]
        assert (line["now"], line["later"], line["restockOn"]) == (4, 2, "2030-01-02")
        async with sessions.begin() as session:
            await session.execute(
                update(StockRow).where(StockRow.variant_id == made.variant_id).values(on_hand=6)
            )
        line = (await begin(browser))["lines"][0]
        assert (line["now"], line["later"], line["restockOn"]) == (6, 0, None)


async def test_somebody_elses_cart_is_not_found(portal: FastAPI, sessions: Sessions) -> None:
    made = await a_product(sessions)
    dealer = await a_dealer(sessions)
    async with buying(portal, await an_owner(sessions, dealer)) as browser:
        token = (await begin(browser, (made, 1)))["token"]
    async with buying(portal, await an_owner(sessions, dealer)) as colleague:
        assert refusal(await colleague.get(f"{CHECKOUT}/{token}")) == (404, "cart_missing")
        url = f"{CHECKOUT}/{token}/add-lines"
        assert refusal(await colleague.post(url, json=pieces((made, 1)))) == (404, "cart_missing")


async def test_rights_are_read_anew_at_each_change(portal: FastAPI, sessions: Sessions) -> None:
    made = await a_product(sessions)
    buyer = await a_buyer(sessions)
    async with buying(portal, buyer) as browser:
        token = (await begin(browser, (made, 1)))["token"]
        async with sessions.begin() as session:
            await session.execute(
                update(PersonRow).where(PersonRow.id == buyer.id).values(is_retired=True)
            )
        answer = await browser.post(f"{CHECKOUT}/{token}/add-lines", json=pieces((made, 1)))
        assert refusal(answer) == (403, "no_purchasing_rights")


async def test_an_installer_without_the_right_is_refused_and_audited(
    portal: FastAPI, sessions: Sessions
) -> None:
    made = await a_product(sessions)
    installer = await an_installer(sessions)
    async with buying(portal, installer) as browser:
        answer = await browser.post(f"{CHECKOUT}/create-b2b", json=pieces((made, 1)))
    assert refusal(answer) == (403, "no_purchasing_rights")
    async with sessions() as session:
        kept = await session.scalar(
            select(AuditRow.object_id).where(
                AuditRow.actor == f"user:{installer.id}", AuditRow.action == "purchase refused"
            )
        )
    assert kept == "create_b2b"


async def test_a_consumer_is_told_in_the_specs_words(portal: FastAPI, sessions: Sessions) -> None:
    made = await a_product(sessions)
    async with buying(portal, await a_consumer(sessions)) as browser:
        answer = await browser.post(f"{CHECKOUT}/create-b2b", json=pieces((made, 1)))
    assert refusal(answer) == (409, "no_linked_business")
    assert answer.json()["detail"] == (
        "Unable to add the item(s) to the cart. No linked business account."
    )


@pytest.mark.parametrize("make", [an_inside_rep, an_outside_rep])
async def test_a_rep_has_a_cart_for_each_business_and_none_without(
    portal: FastAPI, sessions: Sessions, make: Callable[[Sessions], Awaitable[User]]
) -> None:
    made = await a_product(sessions)
    first, second = await a_dealer(sessions), await a_dealer(sessions)
    for dealer in (first, second):
        await a_primary(sessions, dealer)
    rep = await make(sessions)
    await let_see(sessions, rep, first.partner_code, second.partner_code)
    async with buying(portal, rep) as browser:
        answer = await browser.post(f"{CHECKOUT}/create-b2b", json=pieces((made, 1)))
        assert refusal(answer) == (409, "business_needed")
        await browser.put("/v1/auth/business", json={"sapBpCode": first.partner_code})
        parked = await begin(browser, (made, 3))
        await browser.put("/v1/auth/business", json={"sapBpCode": second.partner_code})
        assert (await browser.get(f"{CHECKOUT}/last-b2b-token")).json()["token"] is None
        assert refusal(await browser.get(f"{CHECKOUT}/{parked['token']}")) == (404, "cart_missing")
        await begin(browser, (made, 1))
        await browser.put("/v1/auth/business", json={"sapBpCode": first.partner_code})
        back = (await browser.get(f"{CHECKOUT}/last-b2b-token")).json()
        assert back == {"token": parked["token"], "quantity": 3}


async def test_nobody_is_asked_to_sign_in(portal: FastAPI) -> None:
    async with a_browser(portal) as browser:
        answer = await browser.post(f"{CHECKOUT}/create-b2b", json={})
    assert refusal(answer) == (401, "unauthenticated")


async def test_parallel_first_adds_make_one_cart_and_lose_no_piece(
    portal: FastAPI, sessions: Sessions
) -> None:
    made = await a_product(sessions)
    buyer = await a_buyer(sessions)
    async with buying(portal, buyer) as browser:
        answers = await asyncio.gather(
            *(browser.post(f"{CHECKOUT}/create-b2b", json=pieces((made, 2))) for _ in range(12))
        )
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.json()["token"] for answer in answers}) == 1
        latest = (await browser.get(f"{CHECKOUT}/last-b2b-token")).json()
    assert latest["quantity"] == 24
    async with sessions() as session:
        count = select(func.count()).where(CartRow.person_id == buyer.id)
        assert await session.scalar(count) == 1


async def test_the_same_key_adds_once_and_another_body_is_refused(
    portal: FastAPI, sessions: Sessions
) -> None:
    made = await a_product(sessions)
    async with buying(portal, await a_buyer(sessions)) as browser:
        token, key = (await begin(browser, (made, 1)))["token"], a_key()
        url = f"{CHECKOUT}/{token}/add-lines"
        answers = await asyncio.gather(
            *(browser.post(url, json=pieces((made, 2)), headers=key) for _ in range(5))
        )
        assert [quantities(answer.json()) for answer in answers] == [{made.variant_id: 3}] * 5
        other = await browser.post(url, json=pieces((made, 3)), headers=key)
        assert refusal(other) == (409, "idempotency_key_reused")


async def test_a_refused_key_may_be_used_again(portal: FastAPI, sessions: Sessions) -> None:
    made = await a_product(sessions, is_for_purchase=False)
    async with buying(portal, await a_buyer(sessions)) as browser:
        key, url = a_key(), f"{CHECKOUT}/create-b2b"
        assert (await browser.post(url, json=pieces((made, 1)), headers=key)).status_code == 409
        async with sessions.begin() as session:
            await session.execute(
                update(ProductRow).where(ProductRow.id == made.id).values(is_for_purchase=True)
            )
        assert (await browser.post(url, json=pieces((made, 1)), headers=key)).status_code == 200


async def test_a_cart_that_was_put_away_is_kept_refused_and_merged(
    portal: FastAPI, sessions: Sessions
) -> None:
    one, other = await a_product(sessions), await a_product(sessions)
    async with buying(portal, await a_buyer(sessions)) as browser:
        old = (await begin(browser, (one, 2), (other, 1)))["token"]
        answer = await browser.post(
            f"{CHECKOUT}/create-b2b", json={"startNew": True, **pieces((one, 5))}
        )
        new = answer.json()
        assert new["token"] != old
        assert quantities(new) == {one.variant_id: 5}
        assert [(cart["token"], cart["quantity"]) for cart in new["earlierCarts"]] == [(old, 3)]
        stale = await browser.post(f"{CHECKOUT}/{old}/add-lines", json=pieces((other, 1)))
        assert refusal(stale) == (409, "stale_cart")
        assert stale.json()["latest"] == new["token"]
        kept = (await browser.get(f"{CHECKOUT}/{old}")).json()
        assert (kept["isLatest"], kept["quantity"]) == (False, 3)
        url = f"/v1/carts/{new['token']}/merge"
        merged = (await browser.post(url, json={"from_token": old})).json()
        assert quantities(merged) == {one.variant_id: 7, other.variant_id: 1}
        assert merged["earlierCarts"] == []
        again = (await browser.post(url, json={"from_token": old})).json()
        assert quantities(again) == quantities(merged)


async def test_of_carts_that_were_put_away_the_newest_are_kept(
    portal: FastAPI, sessions: Sessions
) -> None:
    made, buyer = await a_product(sessions), await a_buyer(sessions)
    async with buying(portal, buyer) as browser:
        tokens = [(await begin(browser, (made, 1)))["token"]]
        await submitted_before(sessions, tokens[0])
        body = {"startNew": True, **pieces((made, 1))}
        for _ in range(MOST_PUT_AWAY + 3):
            tokens.append((await browser.post(f"{CHECKOUT}/create-b2b", json=body)).json()["token"])
        gone = await browser.get(f"{CHECKOUT}/{tokens[1]}")
    assert refusal(gone) == (404, "cart_missing")
    async with sessions() as session:
        kept = await session.scalars(select(CartRow.token).where(CartRow.person_id == buyer.id))
        assert set(kept) == {tokens[0], *tokens[-1 - MOST_PUT_AWAY :]}


async def submitted_before(sessions: Sessions, token: str) -> None:
    """As a placement that has ended leaves the cart."""
    async with sessions.begin() as session:
        session.add(
            PlacementRow(
                token=token, turn=1, workflow_id="", start={}, quote={}, ended_at=func.now()
            )
        )


async def test_a_foreign_cart_is_not_merged(portal: FastAPI, sessions: Sessions) -> None:
    made = await a_product(sessions)
    async with buying(portal, await a_buyer(sessions)) as browser:
        foreign = (await begin(browser, (made, 9)))["token"]
    async with buying(portal, await a_buyer(sessions)) as browser:
        token = (await begin(browser, (made, 1)))["token"]
        answer = await browser.post(f"/v1/carts/{token}/merge", json={"from_token": foreign})
        assert refusal(answer) == (404, "cart_missing")


async def test_shipping_is_chosen_among_what_the_business_has(
    portal: FastAPI, sessions: Sessions
) -> None:
    made = await a_product(sessions, msrp="100.00")
    dealer = await a_dealer(sessions)
    code = dealer.partner_code
    hidden = await a_method(sessions, "CUSTOM SAP SHIPPING", "1.00", code=code)
    ground = await a_method(sessions, "B2B-Test Ground", "15.00", code=code, free_from="300")
    express = await a_method(sessions, "B2B-Test Express", "40.00", code=code)
    default = await an_address(sessions, code, "SHIPPING", is_default=True)
    second = await an_address(sessions, code, "SHIPPING", is_default=False)
    billing = await an_address(sessions, code, "BILLING", is_default=True)
    async with buying(portal, await an_owner(sessions, dealer)) as browser:
        cart = await begin(browser, (made, 1))
        mine = {method["id"]: method["name"] for method in cart["shippingMethods"]}
        assert hidden not in mine
        assert (mine[ground], mine[express]) == ("Test Ground", "Test Express")
        assert cart["shippingAddress"]["id"] == default
        assert [one["id"] for one in cart["shippingAddresses"]] == [default, second]
        url = f"{CHECKOUT}/{cart['token']}"
        chosen = await browser.post(
            f"{url}/update-shipping-method", json={"shippingMethodId": express}
        )
        cart = chosen.json()
        assert cart["currentShippingMethod"]["id"] == express
        assert cart["shippingPrice"]["net"]["amount"] == 40
        assert cart["totalPrice"] == {
            "net": {"amount": 140.0, "currency": "USD"},
            "tax": {"amount": 16.8, "currency": "USD"},
            "gross": {"amount": 156.8, "currency": "USD"},
        }
        for method in (hidden, "no-such-method"):
            answer = await browser.post(
                f"{url}/update-shipping-method", json={"shippingMethodId": method}
            )
            assert refusal(answer) == (409, "shipping_method_missing")
        moved = await browser.post(
            f"{url}/update-b2b-shipping-address", json={"shippingAddressId": second}
        )
        assert moved.json()["shippingAddress"]["id"] == second
        for address in (billing, "no-such-address"):
            answer = await browser.post(
                f"{url}/update-b2b-shipping-address", json={"shippingAddressId": address}
            )
            assert refusal(answer) == (409, "shipping_address_missing")


async def test_addresses_are_not_told_to_installers_who_only_look(
    portal: FastAPI, sessions: Sessions
) -> None:
    made = await a_product(sessions)
    dealer = await a_dealer(sessions)
    await an_address(sessions, dealer.partner_code, "SHIPPING", is_default=True)
    buyer = await an_installer(sessions, dealer, is_purchaser=True)
    async with buying(portal, buyer) as browser:
        cart = await begin(browser, (made, 1))
        assert cart["shippingAddress"] is not None
        async with sessions.begin() as session:
            await session.execute(
                update(InstallerRow)
                .where(InstallerRow.person_id == buyer.id)
                .values(is_purchaser=False)
            )
        cart = (await browser.get(f"{CHECKOUT}/{cart['token']}")).json()
    assert (cart["shippingAddress"], cart["shippingAddresses"]) == (None, [])


async def test_a_call_is_not_taken_for_a_token(portal: FastAPI, sessions: Sessions) -> None:
    async with buying(portal, await a_buyer(sessions)) as browser:
        answer = await browser.get(f"{CHECKOUT}/create-b2b")
    assert refusal(answer) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "POST"
