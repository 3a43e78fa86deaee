"""What can happen to a run of payouts, each branch once. Its month is long ago, and its dealers its own."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from temporalio.client import WorkflowHandle

from domain.dealers.payouts import PayoutRef
from tests.dealers.payouts.factories import MONTH, a_dealer_to_pay, an_account, payout_of
from tests.drivers.stage import Stage
from workflows.payouts import Paying, PayoutPolicy, PayoutsDone, PayoutsStart, PayoutsWorkflow

Handle = WorkflowHandle[Any, Any]
Story = Callable[[Stage], Awaitable[Handle]]


async def begun(stage: Stage, task_queue: str | None = None, **ask: Any) -> Handle:
    wanted: dict[str, Any] = {"policy": PayoutPolicy(tries=2, pauses=(0.05,)), **ask}
    return await stage.client.start_workflow(
        PayoutsWorkflow.run,
        PayoutsStart(**wanted),
        id=f"payouts-{uuid.uuid4().hex}",
        task_queue=task_queue or stage.task_queue,
    )


async def made(stage: Stage, **ask: Any) -> tuple[Handle, PayoutsDone]:
    handle = await begun(stage, **ask)
    return handle, await handle.result()


async def month_paid(stage: Stage) -> Handle:
    """One is paid, one waits for its account, one is refused."""
    for name in ("", "TRANSFER-REFUSED"):
        await a_dealer_to_pay(stage, name=name)
    await a_dealer_to_pay(stage, account=False)
    handle, done = await made(stage, month=MONTH)
    assert {"paid", "waiting", "refused"} <= set(done.states)
    return handle


async def provider_away(stage: Stage) -> Handle:
    """What cannot be sent is taken up again, and is left in the end."""
    await a_dealer_to_pay(stage, name="PAY-GONE")
    handle, done = await made(stage, month=MONTH)
    assert done.left == 1
    paying = stage.app.state.cards.paying
    for one in paying.all("account"):
        paying.put("account", one | {"business_profile": {"name": "", "url": None}})
    return handle


async def provider_back(stage: Stage) -> Handle:
    await a_dealer_to_pay(stage, name="PAY-DOWN")
    handle, done = await made(stage, month=MONTH)
    assert done.left == 0
    assert done.states["paid"] >= 1
    return handle


async def tried_again(stage: Stage) -> Handle:
    owner = await a_dealer_to_pay(stage, name="TRANSFER-ONCE")
    await made(stage, month=MONTH)
    refused = await payout_of(stage, owner)
    ref = PayoutRef(dealer_id=refused.dealer_id, month=refused.month)
    handle, done = await made(stage, again=Paying(ref=ref, again_after=refused.attempt))
    assert done.states == {"paid": 1}
    return handle


async def account_ready(stage: Stage) -> Handle:
    """What has waited is paid once the provider says that it can be."""
    owner = await a_dealer_to_pay(stage, account=False)
    await made(stage, month=MONTH)
    account = await an_account(stage, owner.dealer_id or "", can_be_paid=False)
    handle, done = await made(stage, account_id=account)
    assert done.states == {"paid": 1}
    return handle


async def account_unknown(stage: Stage) -> Handle:
    handle, done = await made(stage, account_id="acct_demo_complete_nobody")
    assert done.states == {}
    return handle


async def came_back(stage: Stage) -> Handle:
    owner = await a_dealer_to_pay(stage)
    await made(stage, month=MONTH)
    transfer = (await payout_of(stage, owner)).transfer_id
    await stage.http.post(f"http://stand-ins/cards/_transfers/{transfer}/return")
    handle, _ = await made(stage, transfer_id=transfer)
    assert (await payout_of(stage, owner)).state == "returned"
    return handle


_alone = asyncio.Lock()


def alone(story: Story) -> Story:
    """A run pays whatever is due, so that one story at a time makes something."""

    async def by_itself(stage: Stage) -> Handle:
        async with _alone:
            return await story(stage)

    return by_itself


PAYOUTS: dict[str, Story] = {
    name: alone(story)
    for name, story in {
        "month-paid": month_paid,
        "provider-away": provider_away,
        "provider-back": provider_back,
        "tried-again": tried_again,
        "account-ready": account_ready,
        "account-unknown": account_unknown,
        "came-back": came_back,
    }.items()
}
