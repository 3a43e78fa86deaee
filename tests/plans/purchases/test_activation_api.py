"""A plan bought inside an activation, which waits for the purchase and goes on."""

from tests.billing.payments.factories import hide
from tests.drivers.factories import an_installer
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Whole, problem
from tests.operations.reconciler.rounds import a_round
from tests.partners.factories import an_address
from tests.plans.purchases.buying import PREMIUM, Buyer, Run, a_buyer
from tests.plans.purchases.runs import a_line
from workflows import ids


async def at_the_choice(buyer: Buyer) -> tuple[Caller, Run, str]:
    """An activation of the owner's that stands at the choice of a plan; the device is new."""
    code = buyer.dealer.partner_code
    await an_address(buyer.whole.sessions, code, "SHIPPING", is_default=True)
    caller, device = Caller(buyer.browser, buyer.user), a_device_key(traits="100")
    flow = await caller.started(device, type="purchase-subscription")
    assert flow["state"] == "purchase-plan", flow["state"]
    return caller, flow, device


async def test_the_activation_goes_on_once_the_plan_is_bought(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        caller, flow, device = await at_the_choice(buyer)
        answer = await caller.send(flow["id"], "purchase", seq=flow["seq"], plan_id=PREMIUM)
        assert answer.status_code in (200, 202), answer.text
        flow = await caller.until(flow["id"], lambda f: f["state"] == "complete-activation")
        assert flow["view"]["plan_purchased"] is True
        bought = flow["view"]["facts"]["purchase"]["purchase_id"]
        run = await buyer.until(bought, "confirmed")
        assert run["view"]["activation_id"] == flow["id"]
        assert await buyer.plan_of(device) == PREMIUM


async def test_a_hidden_card_buys_no_plan_in_an_activation(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        caller, flow, _ = await at_the_choice(buyer)
        await hide(whole.sessions, buyer.card)
        body = {"seq": flow["seq"], "plan_id": PREMIUM}
        named = await caller.send(flow["id"], "purchase", method_id=buyer.card, **body)
        assert problem(named) == (404, "payment_method_missing")
        unnamed = await caller.send(flow["id"], "purchase", **body)
        assert problem(unnamed) == (409, "no_card")
        assert (await caller.look(flow["id"]))["state"] == "purchase-plan"


async def test_a_purchase_outlives_its_activation(whole: Whole) -> None:
    async with a_buyer(whole, card="transactionDeclined") as buyer:
        caller, flow, device = await at_the_choice(buyer)
        await caller.send(flow["id"], "purchase", seq=flow["seq"], plan_id=PREMIUM)
        flow = await caller.until(flow["id"], lambda f: f["state"] == "purchase-plan/waiting")
        bought = flow["view"]["facts"]["purchase"]["purchase_id"]
        await buyer.until(bought, "declined")
        await caller.send(flow["id"], "abandon", seq=flow["seq"], reason="later")
        await caller.until(flow["id"], lambda f: f["ended"])
        await buyer.ask(bought, "payment", type="CARD", method_id=await buyer.another_card())
        await buyer.until(bought, "confirmed")
        assert await buyer.plan_of(device) == PREMIUM


async def test_a_purchase_that_comes_to_nothing_gives_the_choice_back(whole: Whole) -> None:
    async with a_buyer(whole, card="transactionDeclined") as buyer:
        caller, flow, _ = await at_the_choice(buyer)
        await caller.send(flow["id"], "purchase", seq=flow["seq"], plan_id=PREMIUM)
        flow = await caller.until(flow["id"], lambda f: f["state"] == "purchase-plan/waiting")
        bought = flow["view"]["facts"]["purchase"]["purchase_id"]
        await buyer.until(bought, "declined")
        await buyer.ask(bought, "cancel")
        flow = await caller.until(flow["id"], lambda f: f["state"] == "purchase-plan")
        assert flow["view"]["error"]["code"] == "purchase_cancelled"
        assert {"ACT", "SKIP"} <= set(flow["allowed"])


async def test_an_activation_is_told_by_the_run_that_goes_on_in_the_place_of_a_lost_one(
    whole: Whole,
) -> None:
    async with a_buyer(whole, card="transactionDeclined") as buyer:
        caller, flow, _ = await at_the_choice(buyer)
        await caller.send(flow["id"], "purchase", seq=flow["seq"], plan_id=PREMIUM)
        flow = await caller.until(flow["id"], lambda f: f["state"] == "purchase-plan/waiting")
        bought = flow["view"]["facts"]["purchase"]["purchase_id"]
        before = await buyer.until(bought, "declined")
        await whole.stage.client.get_workflow_handle(ids.purchase_id(bought)).terminate("lost")
        await a_round(whole.stage)
        after = await buyer.until(bought, "quoted")
        assert after["rev"] > before["rev"]
        await buyer.ask(bought, "cancel")
        flow = await caller.until(flow["id"], lambda f: f["state"] == "purchase-plan")
        assert flow["view"]["error"]["code"] == "purchase_cancelled"


async def test_nothing_is_charged_for_a_click_on_an_old_screen(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        caller, flow, _ = await at_the_choice(buyer)
        answer = await caller.send(flow["id"], "purchase", seq=flow["seq"] + 1, plan_id=PREMIUM)
        assert problem(answer) == (409, "stale_sequence")
        retired = await caller.send(
            flow["id"], "purchase", seq=flow["seq"], plan_id="classic_prepaid-1_year"
        )
        assert problem(retired) == (409, "line_items")
        assert (await buyer.browser.get("/v1/payments")).json()["count"] == 0


async def test_a_quote_of_another_device_is_not_joined(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        caller, flow, _ = await at_the_choice(buyer)
        quote = await buyer.quoted({a_line().device_key: PREMIUM})
        answer = await caller.send(
            flow["id"],
            "purchase",
            seq=flow["seq"],
            plan_id=PREMIUM,
            quote_uuid=quote["uuid"],
        )
        assert problem(answer) == (409, "line_items")


async def test_whoever_may_not_buy_sees_who_pays_for_their_activation_and_how_far_it_is(
    whole: Whole,
) -> None:
    async with (
        a_buyer(whole, card="transactionDeclined") as buyer,
        whole.signed_in(await an_installer(whole.sessions, buyer.dealer)) as installer,
        whole.signed_in() as stranger,
    ):
        code = buyer.dealer.partner_code
        await an_address(whole.sessions, code, "SHIPPING", is_default=True)
        flow = await installer.started(a_device_key(traits="100"), type="purchase-subscription")
        url = f"/v1/activations/{flow['id']}/outcome"
        before = (await installer.browser.get(url)).json()
        payer = Caller(buyer.browser, buyer.user)
        await payer.send(flow["id"], "purchase", seq=flow["seq"], plan_id=PREMIUM)
        flow = await installer.until(flow["id"], lambda f: f["state"] == "purchase-plan/waiting")
        bought = flow["view"]["facts"]["purchase"]["purchase_id"]
        assert not (await installer.browser.get(f"/v1/purchases/{bought}")).is_success
        await buyer.until(bought, "declined")
        seen = (await installer.browser.get(url)).json()["plan"]
        await buyer.ask(bought, "payment", type="CARD", method_id=await buyer.another_card())
        run = await buyer.until(bought, "confirmed")
        then = (await installer.browser.get(url)).json()["plan"]
        foreign = await stranger.browser.get(url)
    assert before == {"plan": None, "reward": None}
    assert (seen["paid_by"], seen["state"], seen["ended"]) == (buyer.user.name, "declined", False)
    assert (then["state"], then["status"], then["term"]) == ("confirmed", "provisioned", "1_year")
    assert (then["total"], then["has_receipt"]) == (run["view"]["final_charge"], True)
    assert foreign.status_code == 404
