"""What a case gave back stands on the order and on its paper, with its day, to the cent."""

import io
from decimal import Decimal

from pypdf import PdfReader

from db.orders.orders import order_of_token
from tests.checkout.placements.runs import begun, ended
from tests.drivers.stage import Stage
from tests.drivers.whole_portal import Whole
from tests.operations.cases.factories import case_on, kept


async def test_the_order_and_its_paper_tell_what_was_given_back_for_a_part(
    whole: Whole, stage: Stage
) -> None:
    run = await begun(stage, po_number="ERP-PARTS", lines=2)
    await ended(run, "confirmed")
    async with stage.sessions() as session:
        order = await order_of_token(session, run.token)
    assert order is not None
    case = await case_on(stage, "order", order.id, "solved")
    async with whole.signed_in(run.shop.buyer) as buyer:
        told = (await buyer.browser.get(f"/v1/orders/{order.id}")).json()
        paper = await buyer.browser.get(f"/v1/orders/{order.id}/order.pdf")
    (one,) = told["givenBack"]
    assert one["amount"] == float(case.given_back) > 0
    left = told["totalPrice"]["gross"]["amount"] - one["amount"]
    assert round(left * 100) == await kept(stage, run.token)
    (page,) = (page.extract_text() for page in PdfReader(io.BytesIO(paper.content)).pages)
    said = " ".join(page.split())
    assert f"Paid back {one['at'][:10]} {Decimal(-case.given_back):,.2f}" in said
