"""The mock run: what an order would be, to the cent, with no effect (shop spec 4)."""

import hashlib
from collections.abc import Callable
from decimal import Decimal

import pytest
from fastapi import FastAPI
from sqlalchemy import Update, text, update

from db.base import Base, Sessions
from db.catalogue.tables import ProductRow, StockRow, VariantRow
from db.checkout.reservations import release_credit, reserve_credit, reserve_stock
from db.identity.people import PersonRow
from db.partner_tables import PartnerRow
from db.runs.flows import find_flow
from domain.billing.payments import PaymentType
from tests.catalogue.factories import Made, a_product
from tests.checkout.cart.buyers import CHECKOUT, begin, buying, refusal
from tests.checkout.quote.buyers import a_card, a_shop, codes, draft, equipped, mock, pay_by
from tests.drivers.factories import a_consumer, a_dealer, an_installer, an_outside_rep, an_owner
from tests.drivers.portal import a_browser, sign_in
from tests.operations.cases.factories import an_owing_case
from tests.orders.factories import an_order
from tests.partners.factories import let_see

Change = Callable[[Made], Update]


def _priced(made: Made, msrp: str) -> Update:
    return update(VariantRow).where(VariantRow.id == made.variant_id).values(msrp=msrp)


def _dearer(made: Made) -> Update:
    return _priced(made, "120.00")


def _shut(made: Made) -> Update:
    return update(ProductRow).where(ProductRow.id == made.id).values(is_for_purchase=False)


def _sold_out(made: Made) -> Update:
    return update(StockRow).where(StockRow.variant_id == made.variant_id).values(on_hand=0)


async def test_a_quote_says_everything_of_the_order(portal: FastAPI, sessions: Sessions) -> None:
    shop = await a_shop(sessions)
    made = await a_product(sessions, msrp="100.01", on_hand=2)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (made, 3)))["token"]
        await draft(browser, token, "set-b2b-po-number", {"poNumber": "PO 1"})
        await pay_by(browser, token, "TERMS")
        quote = await mock(browser, token)
    (line,) = quote["lines"]
    assert (line["quantity"], line["now"], line["later"]) == (3, 2, 1)
    assert (line["unit_price"], line["total"]) == (100.01, 300.03)
    assert (quote["subtotal"], quote["freight"], quote["net"]) == (300.03, 14.5, 314.53)
    assert [(tax["name"], tax["amount"]) for tax in quote["taxes"]] == [
        ("GST", 15.73),
        ("PST", 22.02),
    ]
    assert (quote["tax"], quote["total"]) == (37.75, 352.28)
    assert (quote["list_total"], quote["discount"]) == (300.03, 0)
    assert quote["shipping_method"]["name"] == "Ground"
    assert quote["shipping_address"]["id"] == shop.shipping_address
    assert quote["billing_address"]["id"] == shop.billing_address
    assert quote["payment"] == {
        "gateway": "ACH_COD",
        "type": "TERMS",
        "method_id": None,
        "shown": "TERMS",
        "amount": 352.28,
    }
    assert (quote["po_number"], quote["credit_available"]) == ("PO 1", 5000)
    assert (quote["acting_for"], quote["refusals"]) == (None, [])


async def test_a_quote_equals_the_cart_and_the_next_quote(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop = await a_shop(sessions)
    async with buying(portal, shop.buyer) as browser:
        cart = await begin(browser, (await a_product(sessions, msrp="19.99"), 7))
        quote = await mock(browser, cart["token"])
        again = await mock(browser, cart["token"])
    assert quote == again
    assert quote["total"] == cart["totalPrice"]["gross"]["amount"]
    assert quote["freight"] == cart["shippingPrice"]["net"]["amount"]


async def test_a_mock_run_writes_nothing(portal: FastAPI, sessions: Sessions) -> None:
    shop = await a_shop(sessions)
    card = await a_card(sessions, shop.code)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        await pay_by(browser, token, "CARD", methodId=card)
        before = await _rows(sessions, token, shop.code)
        await mock(browser, token)
        await browser.post(f"/v1/placements/{token}/mock", json={"payment": {"type": "TERMS"}})
        assert {"partner", "cart", "payment_method"} <= before.keys()
        assert await _rows(sessions, token, shop.code) == before
    async with sessions() as session:
        assert await find_flow(session, "placement", token) is None


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        pytest.param(_shut, True, id="not for purchase"),
        pytest.param(_dearer, False, id="price"),
        pytest.param(_sold_out, False, id="stock"),
    ],
)
async def test_what_the_buyer_agreed_to_changes_the_hash(
    portal: FastAPI, sessions: Sessions, change: Change, refused: bool
) -> None:
    shop = await a_shop(sessions)
    made = await a_product(sessions, msrp="100.00", on_hand=5)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (made, 2)))["token"]
        await pay_by(browser, token, "COD")
        first = await mock(browser, token)
        async with sessions.begin() as session:
            await session.execute(change(made))
        then = await mock(browser, token)
    assert first["quote_hash"] != then["quote_hash"]
    assert codes(then) == (["lines_faulty"] if refused else [])


async def test_another_po_number_address_or_payment_is_another_quote(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop = await a_shop(sessions)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        seen = {(await mock(browser, token))["quote_hash"]}
        await draft(browser, token, "set-b2b-po-number", {"poNumber": "1"})
        seen.add((await mock(browser, token))["quote_hash"])
        await pay_by(browser, token, "COD")
        seen.add((await mock(browser, token))["quote_hash"])
        await pay_by(browser, token, "TERMS")
        seen.add((await mock(browser, token))["quote_hash"])
    assert len(seen) == 4


async def test_a_po_number_is_needed_where_the_business_says_so(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop = await a_shop(sessions)
    wanted = update(PartnerRow).where(PartnerRow.sap_bp_code == shop.code).values(po_required=True)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        await pay_by(browser, token, "COD")
        free = await mock(browser, token)
        async with sessions.begin() as session:
            await session.execute(wanted)
        bound = await mock(browser, token)
        refused = await browser.post(f"{CHECKOUT}/{token}/complete-b2b-checkout", json={})
        await draft(browser, token, "set-b2b-po-number", {"poNumber": "PO 1"})
        then = await mock(browser, token)
    assert [codes(one) for one in (free, bound, then)] == [[], ["po_number_missing"], []]
    assert [one["po_required"] for one in (free, bound)] == [False, True]
    assert refusal(refused) == (409, "po_number_missing")


async def test_a_po_number_of_another_order_is_told_and_refuses_nothing(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop, other = await a_shop(sessions), await a_shop(sessions)
    first = await an_order(sessions, shop.code, po_number="PO 7")
    seen: list[str | None] = []
    for one in (shop, other):
        async with buying(portal, one.buyer) as browser:
            token = (await begin(browser, (await a_product(sessions), 1)))["token"]
            await pay_by(browser, token, "COD")
            await draft(browser, token, "set-b2b-po-number", {"poNumber": "PO 7"})
            quote = await mock(browser, token)
        seen.append(quote["po_ordered"])
        assert codes(quote) == []
    assert seen == [first.number, None]


async def test_everything_that_speaks_against_an_order_is_told_at_once(
    portal: FastAPI, sessions: Sessions
) -> None:
    dealer = await a_dealer(sessions)
    async with buying(portal, await an_owner(sessions, dealer)) as browser:
        cart = (await browser.post("/api/products-checkout/create-b2b", json={})).json()
        quote = await mock(browser, cart["token"])
    assert codes(quote) == ["empty_cart", "shipping_missing", "billing_missing", "payment_missing"]


async def test_terms_end_at_the_credit_limit(portal: FastAPI, sessions: Sessions) -> None:
    shop = await a_shop(sessions, limit="1000", balance="886.99")
    made = await a_product(sessions, msrp="86.40")
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (made, 1)))["token"]
        await pay_by(browser, token, "TERMS")
        at_limit = await mock(browser, token)
        assert (at_limit["total"], at_limit["credit_available"]) == (113.01, 113.01)
        assert codes(at_limit) == []
        async with sessions.begin() as session:
            await session.execute(_priced(made, "86.41"))
        assert codes(await mock(browser, token)) == ["over_credit_limit"]
        await pay_by(browser, token, "COD")
        assert codes(await mock(browser, token)) == []


async def test_what_is_being_ordered_at_this_moment_is_neither_stock_nor_credit(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop = await a_shop(sessions, limit="1000")
    made = await a_product(sessions, on_hand=5)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (made, 4)))["token"]
        await pay_by(browser, token, "TERMS")
        async with sessions.begin() as session:
            assert await reserve_stock(session, f"other-{token}", {made.variant_id: 3}) == ()
            assert await reserve_credit(session, f"other-{token}", shop.code, Decimal("600.01"))
        quote = await mock(browser, token)
    assert [(line["now"], line["later"]) for line in quote["lines"]] == [(2, 2)]
    assert quote["credit_available"] == 399.99
    assert codes(quote) == ["over_credit_limit"]


async def test_what_is_owed_again_by_an_open_case_is_no_credit(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop = await a_shop(sessions, limit="1000")
    await an_owing_case(sessions, shop.buyer, owed="900.01")
    await an_owing_case(sessions, shop.buyer, owed="500.00", has_ended=True)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        await pay_by(browser, token, "TERMS")
        async with sessions.begin() as session:
            assert not await reserve_credit(session, token, shop.code, Decimal("100.00"))
            assert await reserve_credit(session, token, shop.code, Decimal("99.99"))
            await release_credit(session, token)
        quote = await mock(browser, token)
    assert quote["credit_available"] == 99.99
    assert codes(quote) == ["over_credit_limit"]


async def test_while_the_erp_is_away_a_credit_of_which_nothing_is_known_is_none(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop = await a_shop(sessions)
    async with sessions.begin() as session:
        await session.execute(
            text("update partner set credit_limit = null where sap_bp_code = :code"),
            {"code": shop.code},
        )
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        await pay_by(browser, token, "TERMS")
        quote = await mock(browser, token)
    assert (quote["credit_available"], codes(quote)) == (None, ["over_credit_limit"])


async def test_an_account_of_more_than_a_minute_ago_is_no_credit_while_the_erp_is_away(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop = await a_shop(sessions)
    async with sessions.begin() as session:
        await session.execute(
            text(
                "update partner set mirrored_at = now() - interval '61 s' where sap_bp_code = :code"
            ),
            {"code": shop.code},
        )
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        await pay_by(browser, token, "TERMS")
        quote = await mock(browser, token)
    assert (quote["credit_available"], codes(quote)) == (None, ["over_credit_limit"])


async def test_less_than_the_total_is_a_partial_payment(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop = await a_shop(sessions)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions, msrp="100.00"), 1)))["token"]
        await pay_by(browser, token, "COD", amount=128.24)
        assert codes(await mock(browser, token)) == ["PARTIAL_PAYMENT_NOT_ALLOWED"]
        await pay_by(browser, token, "COD", amount=128.25)
        assert codes(await mock(browser, token)) == []


async def test_more_than_the_total_is_never_taken(portal: FastAPI, sessions: Sessions) -> None:
    shop = await a_shop(sessions)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions, msrp="100.00"), 1)))["token"]
        await pay_by(browser, token, "COD", amount=128.26)
        assert codes(await mock(browser, token)) == ["AMOUNT_ABOVE_TOTAL"]


async def test_a_saved_method_is_shown_and_a_foreign_one_is_refused(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop, other = await a_shop(sessions), await a_shop(sessions)
    card, foreign = await a_card(sessions, shop.code), await a_card(sessions, other.code)
    pending = await a_card(sessions, shop.code, type_=PaymentType.BANK_ACCOUNT, status="pending")
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        await pay_by(browser, token, "CARD", methodId=card)
        quote = await mock(browser, token)
        assert (quote["payment"]["shown"], codes(quote)) == ("Visa •••• 4242", [])
        await pay_by(browser, token, "CARD", methodId=foreign)
        quote = await mock(browser, token)
        assert (quote["payment"], codes(quote)) == (None, ["payment_not_allowed"])
        await pay_by(browser, token, "BANK_ACCOUNT", methodId=pending)
        assert codes(await mock(browser, token)) == ["payment_not_allowed"]


async def test_an_outside_rep_orders_by_terms_or_cod_only(
    portal: FastAPI, sessions: Sessions
) -> None:
    dealer, rep = await a_dealer(sessions), await an_outside_rep(sessions)
    shop = await equipped(sessions, rep, dealer.partner_code)
    card = await a_card(sessions, shop.code)
    await let_see(sessions, rep, shop.code)
    made = await a_product(sessions)
    async with buying(portal, rep) as browser:
        assert (await browser.put("/v1/auth/business", json={"sapBpCode": shop.code})).is_success
        token = (await begin(browser, (made, 1)))["token"]
        await pay_by(browser, token, "CARD", methodId=card)
        assert codes(await mock(browser, token)) == ["payment_not_allowed"]
        await pay_by(browser, token, "COD")
        quote = await mock(browser, token)
    assert (codes(quote), quote["acting_for"]) == ([], shop.code)


async def test_who_may_not_buy_gets_no_quote(portal: FastAPI, sessions: Sessions) -> None:
    shop = await a_shop(sessions)
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        async with sessions.begin() as session:
            await session.execute(
                update(PersonRow).where(PersonRow.id == shop.buyer.id).values(is_retired=True)
            )
        answer = await browser.post(f"/v1/placements/{token}/mock", json={})
        assert refusal(answer) == (403, "no_purchasing_rights")
    installer = await an_installer(sessions, await a_dealer(sessions))
    for person in (installer, await a_consumer(sessions)):
        async with a_browser(portal) as browser:
            await sign_in(browser, person)
            answer = await browser.post(f"/v1/placements/{token}/mock", json={})
            assert answer.status_code == 404


async def _rows(sessions: Sessions, *names: str) -> dict[str, str]:
    """A digest of the rows that name one of these, in every table that has any: other tests write beside them."""
    found: dict[str, str] = {}
    async with sessions() as session:
        for name in Base.metadata.tables:
            rows = await session.scalars(
                text(f'select t::text from "{name}" t where t::text like any(:names) order by 1'),
                {"names": [f"%{one}%" for one in names]},
            )
            if told := "\n".join(rows):
                found[name] = hashlib.sha256(told.encode()).hexdigest()
    return found
