"""A business that comes from the ERP can order, with nobody's help here."""

from sqlalchemy import select

from db.partner_tables import DealerRow, PartnerRow
from tests.catalogue.factories import a_product
from tests.checkout.cart.buyers import CHECKOUT, a_method, begin, buying
from tests.checkout.quote.buyers import codes, mock, pay_by
from tests.drivers.factories import Dealer, a_name, an_owner
from tests.drivers.outside.erp_records import a_business, an_address_there
from tests.drivers.portal import a_key, running_portal
from tests.operations.erp.conftest import Mirror


async def test_a_business_that_came_by_the_feed_orders(mirror: Mirror) -> None:
    code = f"N{a_name()[:8].upper()}"
    there = [an_address_there("Main"), an_address_there("Main", "bo_BillTo")]
    main = {"ShipToDefault": "Main", "BilltoDefault": "Main"}
    await mirror.desk.put("BusinessPartners", a_business(code, BPAddresses=there, **main))
    await mirror.round()
    async with mirror.sessions() as session:
        query = select(DealerRow.id).join(PartnerRow, PartnerRow.id == DealerRow.partner_id)
        dealer_id = (await session.scalars(query.where(PartnerRow.sap_bp_code == code))).one()
    buyer = await an_owner(mirror.sessions, Dealer(id=dealer_id, partner_code=code))
    product = await a_product(mirror.sessions)
    await a_method(mirror.sessions, "B2B-Ground", "14.50", code=code)
    async with running_portal(mirror.url) as app, buying(app, buyer) as browser:
        token = (await begin(browser, (product, 1)))["token"]
        await pay_by(browser, token, "COD")
        assert codes(await mock(browser, token)) == []
        placed = await browser.post(
            f"{CHECKOUT}/{token}/complete-b2b-checkout", json={}, headers=a_key()
        )
    assert placed.status_code == 202, placed.text
