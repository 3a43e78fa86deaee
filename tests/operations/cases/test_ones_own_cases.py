"""One's own case, read and paid over HTTP: by whoever buys for the business, and by nobody else."""

from typing import Any

import httpx

from db.billing.payment_methods import change_method
from db.identity.people import find_user
from db.orders.orders import order_of_token
from domain.billing.payment_methods import MethodChanges
from domain.billing.payments import PayingFlow
from domain.identity.people import User
from domain.operations.cases import BelongsTo, CaseCause, CaseTriedTooOften, on_order
from domain.orders.orders import Order
from tests.billing.invoice_payments import runs as invoices
from tests.billing.payments.factories import a_method
from tests.checkout.placements.runs import begun, ended
from tests.drivers.factories import a_dealer, an_installer, an_owner
from tests.drivers.portal import a_key
from tests.drivers.stage import Stage
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole, another_portal, problem
from tests.operations.cases.factories import case_on, kept, mailed_about, send_command
from tests.operations.cases.stories import id_of, opened
from tests.operations.reconciler.rounds import came_of
from tests.orders.factories import an_order
from tests.plans.purchases import runs as purchases


async def listed(browser: httpx.AsyncClient, path: str) -> list[dict[str, Any]]:
    answer = await browser.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]


async def person(stage: Stage, person_id: str) -> User:
    async with stage.sessions() as session:
        found = await find_user(session, person_id)
    assert found is not None
    return found


async def pay(browser: httpx.AsyncClient, case_id: str, method_id: str) -> httpx.Response:
    body = {"method_id": method_id}
    return await browser.post(f"/v1/cases/{case_id}/pay", json=body, headers=a_key())


async def test_an_order_whose_debit_came_back_is_read_and_paid_by_its_business_alone(
    whole: Whole, stage: Stage
) -> None:
    run = await begun(stage, bank="insufficient", po_number="ERP-WAITS")
    await ended(run, "confirmed")
    async with stage.sessions() as session:
        order = await order_of_token(session, run.token)
    assert order is not None
    case = await case_on(stage, "order", order.id, "owed")
    path = f"/v1/orders/{order.id}/cases"
    stranger = await an_owner(stage.sessions)
    card = await a_method(stage.sessions, partner_code=order.partner_code)
    hidden = await a_method(stage.sessions, partner_code=order.partner_code)
    async with stage.sessions.begin() as session:
        await change_method(session, hidden.id, order.partner_code, MethodChanges(is_hidden=True))
    theirs = await a_method(stage.sessions, partner_code=stranger.partner_code)
    async with whole.signed_in(stranger) as other:
        assert (await other.browser.get(path)).status_code == 404
        assert (await pay(other.browser, case.id, theirs.id)).status_code == 404
    async with whole.signed_in(run.shop.buyer) as buyer:
        (seen,) = await listed(buyer.browser, path)
        assert (seen["cause"], seen["owed"]) == ("debit_returned", float(order.total))
        assert (seen["may_pay"], seen["is_open"], seen["deadline"] is not None) == (True,) * 3
        for absent in (theirs, hidden):
            assert (await pay(buyer.browser, case.id, absent.id)).status_code == 404
        paid = await pay(buyer.browser, case.id, card.id)
        assert paid.status_code in (200, 202), paid.text
        audited = await came_of(stage, "case", case.id)
        assert audited == {"paid what a bank had returned": "accepted"}
        await case_on(stage, "order", order.id, "solved")
        (seen,) = await listed(buyer.browser, path)
        assert (seen["owed"], seen["may_pay"], seen["is_open"]) == (0, False, False)
        again = await pay(buyer.browser, case.id, card.id)
        assert (again.status_code, again.json()["code"]) == (410, "case_ended")
    assert await kept(stage, run.token) == round(order.total * 100)


async def test_the_owners_are_told_once_the_buyer_has_left(stage: Stage) -> None:
    dealer = await a_dealer(stage.sessions)
    owner = await an_owner(stage.sessions, dealer)
    buyer = await an_installer(stage.sessions, dealer, is_purchaser=True, is_retired=True)
    handle = await opened(stage, buyer=buyer)
    await handle.result()
    mails = await until(lambda: stage.mails(owner.email), lambda all_: len(all_) == 2)
    assert all("T-1" in one["subject"] for one in mails)
    assert await stage.mails(buyer.email) == []


async def test_what_was_let_go_of_before_there_was_an_order_is_read_on_it(
    whole: Whole, stage: Stage
) -> None:
    buyer = await an_owner(stage.sessions)
    order = await an_order(stage.sessions, buyer.partner_code or "", placed_by=buyer.id)
    token = order.token
    cart = BelongsTo(
        kind="cart", id=token, name="Your cart", flow=PayingFlow.PLACEMENT, flow_id=token
    )
    handle = await opened(
        stage, is_paid=False, cause=CaseCause.LET_GO, buyer=buyer, belongs_to=cart
    )
    async with whole.signed_in(buyer) as caller:
        (seen,) = await listed(caller.browser, f"/v1/orders/{order.id}/cases")
    assert (seen["id"], seen["belongs_to"]["kind"]) == (id_of(handle), "cart")
    texts = await mailed_about(stage, buyer.id, "Your cart")
    assert f"/cart/checkout/products?token={token}" in texts[0]


async def test_what_was_let_go_of_is_read_where_an_order_came_to_nothing(
    whole: Whole, stage: Stage
) -> None:
    run = await begun(stage, card="declined")
    assert await run.until("payment_failed") == "payment_failed"
    await run.cancel()
    await ended(run, "cancelled")
    cart = BelongsTo(
        kind="cart",
        id=run.token,
        name="Your cart",
        flow=PayingFlow.PLACEMENT,
        flow_id=run.token,
    )
    handle = await opened(
        stage, is_paid=False, cause=CaseCause.LET_GO, buyer=run.shop.buyer, belongs_to=cart
    )
    path = f"/v1/placements/{run.token}/cases"
    async with whole.signed_in(run.shop.buyer) as buyer:
        assert [one["id"] for one in await listed(buyer.browser, path)] == [id_of(handle)]
    async with whole.signed_in(await an_owner(stage.sessions)) as other:
        assert (await other.browser.get(path)).status_code == 404


async def test_what_was_tried_forty_times_is_not_paid_in_yet_another_way(
    whole: Whole, stage: Stage
) -> None:
    buyer = await an_owner(stage.sessions)
    order = await an_order(stage.sessions, buyer.partner_code or "", placed_by=buyer.id)
    handle = await opened(
        stage,
        amount="104.99",
        is_paid=False,
        cause=CaseCause.DEBIT_RETURNED,
        buyer=buyer,
        belongs_to=on_order(order.id, order.number, order.token),
        tried=39,
    )
    await case_on(stage, "order", order.id, "owed")
    declined = await a_method(
        stage.sessions, card="transactionDeclined", partner_code=order.partner_code
    )
    path = f"/v1/orders/{order.id}/cases"
    async with whole.signed_in(buyer) as caller:
        (seen,) = await listed(caller.browser, path)
        assert (seen["may_pay"], seen["is_tried_too_often"]) == (True, False)
        fortieth = await pay(caller.browser, id_of(handle), declined.id)
        assert fortieth.status_code in (200, 202), fortieth.text

        async def tried() -> bool:
            (seen,) = await listed(caller.browser, path)
            return seen["is_tried_too_often"]

        await until(tried)
        (seen,) = await listed(caller.browser, path)
        assert (seen["may_pay"], seen["is_open"], seen["owed"]) == (False, True, 104.99)
        refused = await pay(caller.browser, id_of(handle), declined.id)
    assert (refused.status_code, refused.json()["code"]) == (409, "tried_too_often")
    assert refused.json()["detail"] == CaseTriedTooOften.detail
    assert await send_command(handle, "resolve", note="A cheque came.") is None
    await handle.result()


async def test_a_purchase_whose_debit_comes_back_is_owed_whole_and_paid_by_its_buyer(
    whole: Whole, stage: Stage
) -> None:
    run = await purchases.begun(stage, bank="insufficient", at_once=True)
    await purchases.ended(run, "confirmed")
    total = (await run.view()).final_charge
    case = await case_on(stage, "purchase", run.start.id, "owed")
    assert (case.amount, case.owed) == (total, total)
    buyer = await person(stage, run.start.buyer.person_id)
    card = await a_method(stage.sessions, partner_code=buyer.partner_code)
    path = f"/v1/purchases/{run.start.id}/cases"
    async with whole.signed_in(await an_owner(stage.sessions)) as other:
        assert (await other.browser.get(path)).status_code == 404
    async with whole.signed_in(buyer) as caller:
        (seen,) = await listed(caller.browser, path)
        assert (seen["owed"], seen["may_pay"]) == (float(total), True)
        async with another_portal(whole, card_payments=False) as off, off.signed_in(buyer) as away:
            refused = await pay(away.browser, case.id, card.id)
        assert problem(refused) == (404, "payment_method_missing")
        paid = await pay(caller.browser, case.id, card.id)
        assert paid.status_code in (200, 202), paid.text
    await case_on(stage, "purchase", run.start.id, "solved")
    assert await run.kept() == round(total * 100)


async def test_a_payment_of_invoices_shows_its_case_to_its_payers_alone(
    whole: Whole, stage: Stage
) -> None:
    run = await invoices.begun(stage, card="createDispute", memo="30.00")
    await invoices.ended(run, "confirmed")
    await case_on(stage, "invoice_payment", run.start.id, "needs_attention")
    path = f"/v1/invoice-payments/{run.start.id}/cases"
    async with whole.signed_in(await person(stage, run.start.payer.person_id)) as payer:
        (seen,) = await listed(payer.browser, path)
        assert (seen["cause"], seen["may_pay"], seen["is_open"]) == ("chargeback", False, True)
        assert seen["amount"] == 68.0
        paid = run.start.plan.allocations[0]
        of_invoice = f"/v1/invoices/{paid.number}/cases"
        of_memo = f"/v1/credit-memos/{paid.memos[0].number}/cases"
        about = {
            "kind": "invoice_payment",
            "id": run.start.id,
            "name": "Payment of invoices",
            "is_promised": False,
        }
        for one in (of_invoice, of_memo):
            (seen,) = await listed(payer.browser, one)
            assert (seen["cause"], seen["belongs_to"]) == ("chargeback", about)
    async with whole.signed_in(await an_owner(stage.sessions)) as other:
        for one in (path, of_invoice, of_memo):
            assert (await other.browser.get(one)).status_code == 404
    async with whole.anonymous() as nobody:
        assert (await nobody.browser.get(path)).status_code == 401


async def test_an_invoice_shows_the_case_of_the_order_that_it_is_for(
    whole: Whole, stage: Stage
) -> None:
    """Its debit came back after it was invoiced: it reads as paid at the ERP, and is owed."""
    run = await begun(stage, bank="late")
    await ended(run, "confirmed")

    async def invoiced() -> Order | None:
        async with stage.sessions() as session:
            return await order_of_token(session, run.token)

    order = await until(invoiced, lambda one: one is not None and bool(one.invoice_numbers))
    assert order is not None
    await case_on(stage, "order", order.id, "owed")
    async with whole.signed_in(run.shop.buyer) as buyer:
        (seen,) = await listed(buyer.browser, f"/v1/invoices/{order.invoice_numbers[0]}/cases")
    assert seen["belongs_to"] == {
        "kind": "order",
        "id": order.id,
        "name": f"Order {order.number}",
        "is_promised": False,
    }
    assert seen["owed"] == float(order.total)
