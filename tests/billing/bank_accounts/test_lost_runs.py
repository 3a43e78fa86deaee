"""Bank accounts whose verifying run is gone."""

import uuid

from db.billing.bank_verifications import find_verification
from db.platform import webhook_events
from domain.billing.payment_events import PaymentEvent
from domain.operations.operations import Repair
from tests.billing.bank_accounts.stories import RIGHT, Handle, at, named, opened
from tests.billing.bank_accounts.test_workflow import a_code, status_of, stored
from tests.drivers.numbers import an_account_number
from tests.drivers.stage import Stage
from tests.drivers.until import until
from tests.operations.reconciler.rounds import a_round, audited, change


def id_of(handle: Handle) -> str:
    return handle.id.removeprefix("bank-")


async def test_one_that_waits_for_its_amounts_can_be_added_again_within_a_round(
    stage: Stage,
) -> None:
    code, number = await a_code(stage), an_account_number()
    handle = await opened(stage, number, partner_code=code)
    await at(stage, handle, "waiting")
    await a_round(stage)
    assert await status_of(stage, handle, code) == "pending"
    await handle.terminate("by mistake")
    await a_round(stage)
    method, verification = await stored(stage, handle, code)
    assert (method.status, verification.state) == ("failed", "expired")
    ((action, more),) = await audited(stage, "payment_method", id_of(handle))
    assert (action, more["state"]) == (Repair.LOST, "waiting")
    again = await opened(stage, number, partner_code=code)
    await at(stage, again, "waiting")


async def test_a_verified_account_stays_ready_and_is_settled_once_its_time_is_over(
    stage: Stage,
) -> None:
    code = await a_code(stage)
    handle = await opened(stage, partner_code=code)
    await named(stage, handle, RIGHT)
    await handle.terminate("by mistake")
    await a_round(stage)
    method, verification = await stored(stage, handle, code)
    assert (method.status, verification.state) == ("ready", "verified")

    await change(
        stage,
        "update bank_verification set expires_at = now() - interval '1 s' where method_id = :id",
        id=id_of(handle),
    )
    await a_round(stage)
    method, verification = await stored(stage, handle, code)
    assert (method.status, verification.state) == ("ready", "settled")


async def test_deposits_that_come_back_shut_a_verified_account_without_its_run(
    stage: Stage,
) -> None:
    code = await a_code(stage)
    handle = await opened(stage, partner_code=code)
    await named(stage, handle, RIGHT)
    await handle.terminate("by mistake")
    await record_return(stage, handle)

    async def shut() -> bool:
        return await status_of(stage, handle, code) == "returned"

    await until(shut)
    async with stage.sessions() as session:
        verification = await find_verification(session, id_of(handle))
    assert verification is not None
    assert (verification.state, verification.reason) == ("returned", "R03 No account")
    ((action, _),) = await audited(stage, "payment_method", id_of(handle))
    assert action == "bank account returned"


async def record_return(stage: Stage, handle: Handle) -> None:
    event = PaymentEvent(
        id=uuid.uuid4().hex,
        type="deposit.returned",
        method_id=id_of(handle),
        reason="R03 No account",
    )
    async with stage.sessions.begin() as session:
        await webhook_events.save_event(
            session,
            provider="bank",
            event_id=event.id,
            type=event.type,
            subject=event.subject,
            body=event.model_dump(mode="json"),
        )
