"""One verification for every branch, as the replay tests record them, against the gateway's stand-in."""

import uuid
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import orjson
from pydantic import SecretStr
from temporalio.client import WithStartWorkflowOperation, WorkflowHandle
from temporalio.common import WorkflowIDConflictPolicy

from db.platform.sealed_secrets import save_secret
from domain.billing.bank_verification import (
    AccountType,
    AmountsMessage,
    BankAccount,
    BankOpened,
    BankReply,
    BankVerificationPolicy,
    BankVerificationStart,
    DepositsReturned,
    HolderType,
    purpose_of_amounts,
)
from tests.drivers.factories import a_dealer
from tests.drivers.numbers import an_account_number
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.until import until
from workflows import ids
from workflows.billing.bank_verification import BankVerificationWorkflow
from workflows.client import send_update

Handle = WorkflowHandle[Any, Any]

US_ROUTING, CA_ROUTING = "021000021", "000310000"
RIGHT, WRONG = (67, 89), (1, 2)
UNDEPOSITED = "000444444440"
SOON = BankVerificationPolicy(expiry=timedelta(seconds=1))
SEEN_OFF = BankVerificationPolicy(watch=timedelta(milliseconds=300))


async def opened(
    stage: Stage,
    number: str | None = None,
    *,
    policy: BankVerificationPolicy | None = None,
    partner_code: str | None = None,
    is_main: bool = False,
    person_id: str = "olivia",
    deposits: bool = True,
) -> Handle:
    """A new account of a new business, or of the one that is named. Without `deposits` the gateway is away when they are
    to be sent, until `gateway_away` says otherwise."""
    method_id = uuid.uuid4().hex
    token = await stage.systems.gateway.create_account(
        holder_name="Harbour Car Audio",
        holder_type="company",
        account_type="checking",
        routing_number=SecretStr(US_ROUTING),
        account_number=SecretStr(number or an_account_number()),
        country="US",
        method_id=method_id,
        key=method_id,
    )
    if not deposits:
        await gateway_away(stage, True)
    start = BankVerificationStart(
        account=BankAccount(
            method_id=method_id,
            token=token.token,
            fingerprint=token.fingerprint,
            last4=token.last4,
            bank_name=token.bank_name,
            holder_name="Harbour Car Audio",
            holder_type=HolderType.COMPANY,
            account_type=AccountType.CHECKING,
            country="US",
            is_main=is_main,
        ),
        partner_code=partner_code or (await a_dealer(stage.sessions)).partner_code,
        person_id=person_id,
        site="us",
        portal_url="http://portal.test",
        policy=policy or BankVerificationPolicy(),
    )
    workflow_id = ids.bank_verification_id(method_id)
    operation = WithStartWorkflowOperation(
        BankVerificationWorkflow.run,
        start,
        id=workflow_id,
        task_queue=stage.task_queue,
        id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
    )
    await stage.client.execute_update_with_start_workflow(
        BankVerificationWorkflow.opened,
        BankOpened(person_id="olivia"),
        start_workflow_operation=operation,
    )
    return stage.client.get_workflow_handle_for(BankVerificationWorkflow.run, workflow_id)


async def gateway_away(stage: Stage, away: bool) -> None:
    answer = await stage.http.post(f"{SIMULATED}/gateway/_control", json={"outage": away})
    answer.raise_for_status()


async def view(handle: Handle) -> BankReply:
    return await handle.query(BankVerificationWorkflow.view)


async def at(stage: Stage, handle: Handle, wanted: str) -> None:
    async def there() -> bool:
        return (await view(handle)).state == wanted

    await until(there)


async def named(
    stage: Stage, handle: Handle, amounts: tuple[int, int], *, sealed: bool = True
) -> BankReply:
    """Names the deposits, once they are out. Not `sealed`: what was typed is gone already."""
    await at(stage, handle, "waiting")
    secret_id, method_id = uuid.uuid4().hex, handle.id.removeprefix("bank-")
    if sealed:
        said = stage.systems.vault.seal(
            orjson.dumps(amounts).decode(), purpose=purpose_of_amounts(method_id)
        )
        async with stage.sessions.begin() as session:
            await save_secret(session, secret_id=secret_id, flow_id=method_id, sealed=said)
    ask = AmountsMessage(secret_id=secret_id, person_id="olivia")
    return await send_update(
        handle, BankVerificationWorkflow.verify, ask, update_id=uuid.uuid4().hex
    )


async def ended(handle: Handle) -> Handle:
    await handle.result()
    return handle


async def settled(stage: Stage) -> Handle:
    handle = await opened(stage, policy=SEEN_OFF)
    await named(stage, handle, RIGHT)
    return await ended(handle)


async def verified(stage: Stage) -> Handle:
    """Half finished: still watched when it is recorded. Wrong once, gone once, right at last."""
    handle = await opened(stage)
    await named(stage, handle, WRONG)
    await named(stage, handle, RIGHT, sealed=False)
    await named(stage, handle, RIGHT)
    return handle


async def locked(stage: Stage) -> Handle:
    handle = await opened(stage)
    for _ in range(3):
        await named(stage, handle, WRONG)
    return await ended(handle)


async def undeposited(stage: Stage) -> Handle:
    return await ended(await opened(stage, UNDEPOSITED))


async def expired(stage: Stage) -> Handle:
    return await ended(await opened(stage, policy=SOON))


async def returned_early(stage: Stage) -> Handle:
    handle = await opened(stage)
    await at(stage, handle, "waiting")
    await handle.signal(
        BankVerificationWorkflow.deposits_returned, DepositsReturned(reason="R03 No account")
    )
    return await ended(handle)


async def returned_late(stage: Stage) -> Handle:
    handle = await opened(stage)
    await named(stage, handle, RIGHT)
    await handle.signal(BankVerificationWorkflow.deposits_returned, DepositsReturned())
    return await ended(handle)


async def removed(stage: Stage) -> Handle:
    handle = await opened(stage)
    await at(stage, handle, "waiting")
    await handle.signal(BankVerificationWorkflow.account_removed)
    return await ended(handle)


async def removed_late(stage: Stage) -> Handle:
    handle = await opened(stage)
    await named(stage, handle, RIGHT)
    await handle.signal(BankVerificationWorkflow.account_removed)
    return await ended(handle)


async def added_twice(stage: Stage) -> Handle:
    code, number = (await a_dealer(stage.sessions)).partner_code, an_account_number()
    await opened(stage, number, partner_code=code)
    return await ended(await opened(stage, number, partner_code=code))


async def cancelled(stage: Stage) -> Handle:
    handle = await opened(stage)
    await at(stage, handle, "waiting")
    await handle.cancel()
    return await ended(handle)


BANK_VERIFICATION: dict[str, Callable[[Stage], Awaitable[Handle]]] = {
    "settled": settled,
    "verified": verified,
    "locked": locked,
    "undeposited": undeposited,
    "expired": expired,
    "returned-early": returned_early,
    "returned-late": returned_late,
    "removed": removed,
    "removed-late": removed_late,
    "added-twice": added_twice,
    "cancelled": cancelled,
}
