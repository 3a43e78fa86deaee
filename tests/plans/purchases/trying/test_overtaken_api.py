"""What a buyer is told whose choice of a card comes while the figures that they agreed to are found to have changed."""

import asyncio

import httpx
from temporalio.client import WorkflowHandle

from tests.drivers.until import until
from tests.drivers.whole_portal import Whole, problem
from tests.operations.reconciler.rounds import came_of
from tests.plans.purchases.buying import BASIC, PREMIUM, a_buyer, devices
from workflows import ids


async def test_what_other_figures_overtook_is_not_told_nor_audited_as_done(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        (device,) = devices()
        uuid = (await buyer.quoted({device: PREMIUM}))["uuid"]
        run: WorkflowHandle[object, object] = whole.stage.client.get_workflow_handle(
            ids.purchase_id(uuid)
        )
        other = (await buyer.pay({device: BASIC})).json()
        await buyer.until(other.get("uuid") or other["id"], "confirmed")
        is_asked, may_answer = asyncio.Event(), asyncio.Event()

        async def hold(request: httpx.Request) -> None:
            if device in f"{request.url} {request.content!r}":
                is_asked.set()
                await may_answer.wait()

        card = await buyer.another_card()
        hooks = whole.stage.http.event_hooks["request"]
        hooks.append(hold)
        try:
            await buyer.confirmed(uuid, buyer.card)
            async with asyncio.timeout(20):
                await is_asked.wait()
            before = await taken(run)
            choosing = asyncio.create_task(buyer.ask(uuid, "payment", type="CARD", method_id=card))
            await until(lambda: taken(run), lambda now: now > before)
        finally:
            may_answer.set()
            hooks.remove(hold)
        lapsed = await choosing
        assert problem(lapsed) == (409, "step_out_of_order")
        assert lapsed.json()["detail"] == "This is not possible at this point of the purchase."
        changed = await buyer.until(uuid, "quoted")
        assert changed["view"]["error"]["code"] == "quote_changed"
        assert await buyer.cents(uuid) == 0
    told = await came_of(whole.stage, "purchase", uuid)
    assert "chose another payment for plans" not in told


async def taken(run: WorkflowHandle[object, object]) -> int:
    """How many messages it has taken that wait for an answer, or had one."""
    events = (await run.fetch_history()).events
    return sum(
        event.HasField("workflow_execution_update_accepted_event_attributes") for event in events
    )
