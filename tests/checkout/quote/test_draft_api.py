"""What a checkout is filled in with before its completion (shop spec 4.3, 5 and 7)."""

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from db.base import Sessions
from db.checkout.cart import CartRow
from domain.validation import NOT_A_PO_NUMBER
from tests.catalogue.factories import a_product
from tests.checkout.cart.buyers import a_buyer, a_method, begin, buying, refusal
from tests.checkout.quote.buyers import a_card, a_shop, draft, pay_by
from tests.drivers.portal import a_key
from tests.partners.factories import an_address

TYPED = {
    "companyName": "Harbour Car Audio",
    "streetAddress1": "1 Quay Street",
    "city": "Halifax",
    "countryArea": "NS",
    "postalCode": "B3J 1V7",
    "country": "CA",
}


async def test_a_draft_stays_with_its_cart(portal: FastAPI, sessions: Sessions) -> None:
    shop = await a_shop(sessions)
    other = await an_address(sessions, shop.code, "BILLING", is_default=False)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        await draft(browser, token, "update-b2b-billing-address", {"billingAddressId": other})
        await draft(browser, token, "set-b2b-po-number", {"poNumber": " PO 17-a&(b) "})
        await pay_by(browser, token, "TERMS", amount=126.24)
    async with buying(portal, shop.buyer) as elsewhere:
        cart = (await elsewhere.get(f"/api/products-checkout/{token}")).json()
    assert cart["billingAddressId"] == other
    assert [one["id"] for one in cart["billingAddresses"]] == [shop.billing_address, other]
    assert cart["poNumber"] == "PO 17-a&(b)"
    assert cart["payment"] == {
        "gateway": "ACH_COD",
        "type": "TERMS",
        "methodId": None,
        "amount": 126.24,
    }
    assert cart["rev"] == 4


async def test_a_typed_billing_address_and_a_chosen_one_replace_each_other(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop = await a_shop(sessions)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        call = "update-b2b-billing-address"
        typed = (await draft(browser, token, call, {"billingAddress": TYPED})).json()
        assert typed["billingAddress"] == {"id": None, **TYPED}
        chosen = (
            await draft(browser, token, call, {"billingAddressId": shop.billing_address})
        ).json()
        assert (chosen["billingAddress"], chosen["billingAddressId"]) == (
            None,
            shop.billing_address,
        )
        both = {"billingAddressId": shop.billing_address, "billingAddress": TYPED}
        assert (await draft(browser, token, call, both)).status_code == 422
        assert (await draft(browser, token, call, {})).status_code == 422


async def test_a_foreign_billing_address_or_a_shipping_one_is_not_available(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop, other = await a_shop(sessions), await a_shop(sessions)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        for id_ in (other.billing_address, shop.shipping_address, "nowhere"):
            answer = await draft(
                browser, token, "update-b2b-billing-address", {"billingAddressId": id_}
            )
            assert refusal(answer) == (409, "billing_address_missing")


@pytest.mark.parametrize("text", ["PO/17", "PO+1", "PO=1", "Bestellnummer ü", "a\tb"])
async def test_a_po_number_of_other_characters_is_refused_in_the_words_of_its_field(
    portal: FastAPI, sessions: Sessions, text: str
) -> None:
    async with buying(portal, await a_buyer(sessions)) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        answer = await draft(browser, token, "set-b2b-po-number", {"poNumber": text})
        assert answer.status_code == 422
        (fault,) = answer.json()["validation_errors"]
        assert fault["field"] == "poNumber"
        assert NOT_A_PO_NUMBER in fault["message"]


async def test_a_card_number_is_no_po_number_and_no_company(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop = await a_shop(sessions)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        said = {"poNumber": "4242 4242-42424242"}
        masked = await draft(browser, token, "set-b2b-po-number", said)
        assert masked.status_code == 200, masked.text
        assert masked.json()["poNumber"] == "**** ****-****4242"
        typed = {**TYPED, "companyName": "4242 4242 4242 4242"}
        refused = await draft(
            browser, token, "update-b2b-billing-address", {"billingAddress": typed}
        )
        assert refused.status_code == 422
        assert refused.json()["validation_errors"] == [
            {
                "field": "billingAddress.companyName",
                "message": "A card number does not belong here",
            }
        ]
        assert "4242 4242" not in refused.text


async def test_a_po_number_has_forty_characters_at_most(
    portal: FastAPI, sessions: Sessions
) -> None:
    async with buying(portal, await a_buyer(sessions)) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        longest = await draft(browser, token, "set-b2b-po-number", {"poNumber": "x" * 40})
        assert longest.json()["poNumber"] == "x" * 40
        answer = await draft(browser, token, "set-b2b-po-number", {"poNumber": "x" * 41})
        assert (
            "Must have less than 41 characters" in answer.json()["validation_errors"][0]["message"]
        )


async def test_an_empty_po_number_clears_it(portal: FastAPI, sessions: Sessions) -> None:
    async with buying(portal, await a_buyer(sessions)) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        await draft(browser, token, "set-b2b-po-number", {"poNumber": "~!@#$%^&.*()_-"})
        cleared = await draft(browser, token, "set-b2b-po-number", {"poNumber": ""})
        assert cleared.json()["poNumber"] is None


async def test_the_gateway_follows_the_type(portal: FastAPI, sessions: Sessions) -> None:
    shop = await a_shop(sessions)
    card = await a_card(sessions, shop.code)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        set_ = "set-b2b-payment"
        wrong = {"gateway": "ACH_COD", "type": "CARD", "methodId": card}
        assert refusal(await draft(browser, token, set_, wrong)) == (409, "gateway_mismatch")
        wrong = {"gateway": "CARD", "type": "TERMS"}
        assert refusal(await draft(browser, token, set_, wrong)) == (409, "gateway_mismatch")
        nameless = {"gateway": "CARD", "type": "CARD"}
        assert refusal(await draft(browser, token, set_, nameless)) == (
            409,
            "payment_method_missing",
        )
        alone = await draft(browser, token, set_, {"gateway": "CARD", "amount": 10})
        assert alone.json()["payment"] == {
            "gateway": "CARD",
            "type": None,
            "methodId": None,
            "amount": 10,
        }
        for amount in (0, -1, 1.001, "a lot", 10**12):
            body = {"gateway": "CARD", "amount": amount}
            assert (await draft(browser, token, set_, body)).status_code == 422


async def test_a_foreign_cart_is_not_found_and_keeps_its_draft(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop, other = await a_shop(sessions), await a_shop(sessions)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
    async with buying(portal, other.buyer) as browser:
        answer = await draft(browser, token, "set-b2b-po-number", {"poNumber": "mine"})
        assert refusal(answer) == (404, "cart_missing")
        assert (await browser.post(f"/v1/placements/{token}/mock", json={})).status_code == 404
    async with sessions() as session:
        assert await session.scalar(select(CartRow.po_number).where(CartRow.token == token)) is None


async def test_a_repeat_under_one_key_writes_once(portal: FastAPI, sessions: Sessions) -> None:
    async with buying(portal, await a_buyer(sessions)) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        path, key = f"/api/products-checkout/{token}/set-b2b-po-number", a_key()
        first = await browser.post(path, json={"poNumber": "one"}, headers=key)
        second = await browser.post(path, json={"poNumber": "one"}, headers=key)
        assert second.json()["rev"] == first.json()["rev"]
        other = await browser.post(path, json={"poNumber": "two"}, headers=key)
        assert other.status_code == 409


async def test_the_hidden_shipping_method_cannot_be_chosen(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop = await a_shop(sessions)
    hidden = await a_method(sessions, "CUSTOM SAP SHIPPING", "0", code=shop.code)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        answer = await draft(browser, token, "update-shipping-method", {"shippingMethodId": hidden})
        assert refusal(answer) == (409, "shipping_method_missing")
