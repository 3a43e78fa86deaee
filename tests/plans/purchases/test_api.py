"""Plans bought through the API: quoted, charged once, set up device by device, paid back where that fails."""

from tests.drivers.whole_portal import Whole, problem
from tests.operations.reconciler.rounds import came_of
from tests.plans.purchases.buying import (
    BASIC,
    NEVER,
    ONCE,
    PREMIUM,
    a_buyer,
    cents_of,
    devices,
    stubborn,
)


async def test_a_mock_run_quotes_and_charges_nothing(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        device, other = devices(2)
        quote = await buyer.quoted({device: PREMIUM, other: BASIC})
        assert quote["final_charge"] > 0
        sums = quote["base_amount"] - quote["currency_discount"] + quote["base_tax"]
        assert round(sums, 2) == quote["final_charge"]
        assert await buyer.cents(quote["uuid"]) == 0
        assert await buyer.plan_of(device) is None


async def test_a_purchase_refuses_in_its_own_words(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        uuid = (await buyer.quoted(dict.fromkeys(devices(1), PREMIUM)))["uuid"]
        early = await buyer.ask(uuid, "retry")
        assert problem(early) == (409, "step_out_of_order")
        assert early.json()["detail"] == "This is not possible at this point of the purchase."
        assert early.json()["flow"]["kind"] == "purchase"
        await buyer.ask(uuid, "cancel")
        await buyer.until(uuid, "cancelled")
        late = await buyer.ask(uuid, "retry")
        assert problem(late) == (410, "closed")
        assert late.json()["detail"] == "This purchase has ended."


async def test_a_quote_is_agreed_to_charged_once_and_set_up(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        keys = devices(3)
        quote = await buyer.quoted(dict.fromkeys(keys, PREMIUM))
        answer = await buyer.confirmed(quote["uuid"], buyer.card)
        assert answer.status_code in (200, 202), answer.text
        run = await buyer.until(quote["uuid"], "confirmed")
        assert [line["status"] for line in run["view"]["lines"]] == ["provisioned"] * 3
        assert await buyer.cents(quote["uuid"]) == cents_of(run["view"]["final_charge"])
        for key in keys:
            assert await buyer.plan_of(key) == PREMIUM
        receipt = await buyer.receipt(quote["uuid"])
        assert (receipt["succeeded"], receipt["refunded"]) == (True, 0)
        assert receipt["final_charge"] == run["view"]["final_charge"]


async def test_plans_are_bought_in_one_call_with_the_main_card(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        (device,) = devices()
        answer = await buyer.pay({device: PREMIUM})
        assert answer.status_code in (200, 202), answer.text
        uuid = answer.json().get("uuid") or answer.json()["id"]
        run = await buyer.until(uuid, "confirmed")
        assert await buyer.cents(uuid) == cents_of(run["view"]["final_charge"])


async def test_the_same_key_buys_once(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        (device,) = devices()
        first = await buyer.pay({device: PREMIUM}, key="the-same-key-twice")
        again = await buyer.pay({device: PREMIUM}, key="the-same-key-twice")
        uuid = first.json().get("uuid") or first.json()["id"]
        assert (again.json().get("uuid") or again.json()["id"]) == uuid
        run = await buyer.until(uuid, "confirmed")
        assert await buyer.cents(uuid) == cents_of(run["view"]["final_charge"])
        told = await came_of(whole.stage, "purchase", uuid)
        assert told == {"bought plans": "accepted"}, "its run says what came of it"


async def test_a_device_that_fails_is_tried_alone_and_nobody_pays_again(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        good, bad = devices()[0], stubborn(ONCE, 1)
        quote = await buyer.quoted({good: PREMIUM, bad: PREMIUM})
        await buyer.confirmed(quote["uuid"], buyer.card)
        assert await came_of(whole.stage, "purchase", quote["uuid"]) == {"bought plans": "accepted"}
        run = await buyer.until(quote["uuid"], "part_failed")
        charged = await buyer.cents(quote["uuid"])
        assert [line["status"] for line in run["view"]["lines"]] == ["provisioned", "failed"]
        answer = await buyer.ask(quote["uuid"], "retry", device_keys=[bad])
        assert answer.status_code in (200, 202), answer.text
        told = await came_of(whole.stage, "purchase", quote["uuid"])
        assert told == {"bought plans": "accepted", "tried plans again": "accepted"}
        run = await buyer.until(quote["uuid"], "confirmed")
        assert await buyer.cents(quote["uuid"]) == charged == cents_of(run["view"]["final_charge"])
        assert await buyer.plan_of(bad) == PREMIUM
        effects = await whole.stage.effects(good)
        assert effects["set-plan"] == 1


async def test_a_device_that_is_given_up_is_paid_back_to_the_cent(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        good, bad = devices()[0], stubborn(NEVER, 2)
        quote = await buyer.quoted({good: PREMIUM, bad: BASIC})
        await buyer.confirmed(quote["uuid"], buyer.card)
        run = await buyer.until(quote["uuid"], "part_failed")
        failed = next(line for line in run["view"]["lines"] if line["device_key"] == bad)
        await buyer.ask(quote["uuid"], "give-up")
        run = await buyer.until(quote["uuid"], "confirmed")
        assert run["view"]["refunded"] == failed["total"]
        kept = cents_of(run["view"]["final_charge"]) - cents_of(failed["total"])
        assert await buyer.cents(quote["uuid"]) == kept
        receipt = await buyer.receipt(quote["uuid"])
        assert receipt["refunded"] == failed["total"]


async def test_an_open_purchase_is_found_again_and_what_was_given_up_leaves_the_cart(
    whole: Whole,
) -> None:
    async with a_buyer(whole) as buyer:
        good, bad, other = devices()[0], stubborn(NEVER, 4), devices()[0]
        for key in (good, bad, other):
            chosen = {"device_key": key, "plan_id": BASIC}
            assert (await buyer.browser.put("/v1/plan-lines", json=chosen)).is_success
        quote = await buyer.quoted({good: BASIC, bad: BASIC})
        assert await buyer.open_purchases() == []  # a price alone is nothing to find again
        await buyer.confirmed(quote["uuid"], buyer.card)
        await buyer.until(quote["uuid"], "part_failed")
        (found,) = await buyer.open_purchases()
        assert (found["id"], found["state"]) == (quote["uuid"], "part_failed")
        assert set(found["device_keys"]) == {good, bad}
        await buyer.ask(quote["uuid"], "give-up")
        await buyer.until(quote["uuid"], "confirmed")
        assert await buyer.open_purchases() == []
        lines = (await buyer.browser.get("/v1/plan-lines")).json()["results"]
    assert [line["device_key"] for line in lines] == [other]


async def test_nothing_is_kept_when_no_device_takes_its_plan(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        bad = stubborn(NEVER, 3)
        quote = await buyer.quoted({bad: BASIC})
        await buyer.confirmed(quote["uuid"], buyer.card)
        await buyer.until(quote["uuid"], "part_failed")
        await buyer.ask(quote["uuid"], "give-up")
        await buyer.until(quote["uuid"], "cancelled")
        assert await buyer.cents(quote["uuid"]) == 0


async def test_a_declined_card_is_changed_in_the_same_purchase(whole: Whole) -> None:
    async with a_buyer(whole, card="transactionDeclined") as buyer:
        (device,) = devices()
        answer = await buyer.pay({device: PREMIUM})
        if answer.status_code != 202:
            assert problem(answer) == (409, "declined")
            assert "This transaction has been declined." in answer.json()["detail"]
        uuid = answer.json().get("uuid") or answer.json()["id"]
        run = await buyer.until(uuid, "declined")
        assert run["view"]["refused_methods"] == [buyer.card]
        assert await buyer.cents(uuid) == 0
        assert (await buyer.receipt(uuid))["succeeded"] is False
        await buyer.ask(uuid, "payment", type="CARD", method_id=await buyer.another_card())
        run = await buyer.until(uuid, "confirmed")
        assert await buyer.cents(uuid) == cents_of(run["view"]["final_charge"])
        assert (await buyer.receipt(uuid))["succeeded"] is True


async def test_a_bank_account_pays_too(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        (device,) = devices()
        quote = await buyer.quoted({device: PREMIUM})
        account = await buyer.a_bank_account()
        await buyer.confirmed(quote["uuid"], account)
        run = await buyer.until(quote["uuid"], "confirmed")
        assert run["view"]["payment"]["type"] == "BANK_ACCOUNT"
        assert run["view"]["payment"]["status"] in ("PROCESSING", "CAPTURED")


async def test_a_payer_who_confirms_at_the_bank_is_waited_for_and_may_cancel(whole: Whole) -> None:
    async with a_buyer(whole, card="authenticationRequired") as buyer:
        (device,) = devices()
        answer = await buyer.pay({device: PREMIUM})
        assert answer.status_code == 202, answer.text
        run = await buyer.until(answer.json()["id"], "action_required")
        assert run["view"]["payment"]["action_url"]
        await buyer.ask(run["id"], "cancel")
        await buyer.until(run["id"], "cancelled")
        assert await buyer.cents(run["id"]) == 0
        assert await buyer.plan_of(device) is None
