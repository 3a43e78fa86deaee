"""One invitation for every branch, as the replay tests record them."""

import uuid
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from temporalio.client import (
    WithStartWorkflowOperation,
    WorkflowHandle,
    WorkflowUpdateFailedError,
)
from temporalio.common import WorkflowIDConflictPolicy

from db.identity.credentials import change_password
from db.identity.invitations import join_as_registered
from db.identity.people import find_account
from domain.identity.invitations import InvitationMessage, InvitationPolicy, InvitationStart, Opened
from tests.drivers.factories import a_dealer, a_registered_person, an_email, an_installer
from tests.drivers.stage import Stage
from tests.drivers.until import until
from workflows import ids
from workflows.client import send_update
from workflows.invitation import InvitationWorkflow

Handle = WorkflowHandle[Any, Any]

AT_ONCE = InvitationPolicy(reminder=timedelta(milliseconds=200), expiry=timedelta(milliseconds=800))


async def opened(
    stage: Stage,
    email: str | None = None,
    *,
    policy: InvitationPolicy | None = None,
    dealer_id: str | None = None,
) -> Handle:
    """A new invitation of this address, or of one that nobody has."""
    id_ = uuid.uuid4().hex
    dealer = dealer_id or (await a_dealer(stage.sessions)).id
    start = InvitationStart(
        id=id_,
        dealer_id=dealer,
        dealer_name="Harbour Car Audio",
        email=email or f"{id_[:12]}@people.example",
        invited_by="olivia",
        inviter="Olivia Marchand",
        site="ca",
        portal_url="http://portal.test",
        policy=policy or InvitationPolicy(),
    )
    operation = WithStartWorkflowOperation(
        InvitationWorkflow.run,
        start,
        id=ids.invitation_id(id_),
        task_queue=stage.task_queue,
        id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
    )
    await stage.client.execute_update_with_start_workflow(
        InvitationWorkflow.opened, Opened(invited_by="olivia"), start_workflow_operation=operation
    )
    return stage.client.get_workflow_handle_for(InvitationWorkflow.run, ids.invitation_id(id_))


async def state(handle: Handle) -> str:
    return (await handle.query(InvitationWorkflow.view)).state


async def at(stage: Stage, handle: Handle, wanted: str) -> None:
    async def there() -> bool:
        return await state(handle) == wanted

    await until(there)


async def answered(stage: Stage, handle: Handle, event: str) -> Handle:
    """Once the mail is out, so that the history does not depend on who was quicker."""
    await at(stage, handle, "waiting")
    ask = {"event": event, "key": "k", "first_name": "Nia", "last_name": "Newcomer"}
    message = InvitationMessage.model_validate(ask)
    await send_update(handle, InvitationWorkflow.answer, message, update_id=uuid.uuid4().hex)
    return handle


async def ended(handle: Handle) -> Handle:
    await handle.result()
    return handle


async def accepted(stage: Stage) -> Handle:
    person = await a_registered_person(stage.sessions)
    return await ended(await answered(stage, await opened(stage, person.email), "ACCEPT"))


async def registered(stage: Stage) -> Handle:
    handle = await answered(stage, await opened(stage), "ACCEPT")
    await handle.signal(InvitationWorkflow.completed_registration)
    return await ended(handle)


async def registered_unheard(stage: Stage) -> Handle:
    """The word of it was lost; the run looks for itself at its end."""
    policy = InvitationPolicy(reminder=timedelta(days=1), expiry=timedelta(seconds=4))
    return await ended(await joined_unnoticed(stage, policy))


async def joined_unnoticed(stage: Stage, policy: InvitationPolicy | None = None) -> Handle:
    email = an_email()
    handle = await answered(stage, await opened(stage, email, policy=policy), "ACCEPT")
    async with stage.sessions.begin() as session:
        account = await find_account(session, email)
        assert account is not None
        await change_password(session, account.user.id, "kept elsewhere")
        assert await join_as_registered(session, account.user.id)
    return handle


async def withdrawn_too_late(stage: Stage) -> Handle:
    """Who works there by now is not taken back."""
    handle = await joined_unnoticed(stage)
    message = InvitationMessage(event="WITHDRAW", key="k")
    with pytest.raises(WorkflowUpdateFailedError):
        await send_update(handle, InvitationWorkflow.answer, message, update_id=uuid.uuid4().hex)
    return await ended(handle)


async def registering(stage: Stage) -> Handle:
    """Half finished: still open when it is recorded."""
    return await answered(stage, await opened(stage), "ACCEPT")


async def never_registered(stage: Stage) -> Handle:
    policy = InvitationPolicy(reminder=timedelta(seconds=1), expiry=timedelta(seconds=4))
    return await ended(await answered(stage, await opened(stage, policy=policy), "ACCEPT"))


async def refused(stage: Stage) -> Handle:
    """A person of another business; the invitation stays, and is declined."""
    elsewhere = await an_installer(stage.sessions)
    handle = await answered(stage, await opened(stage, elsewhere.email), "ACCEPT")
    return await ended(await answered(stage, handle, "DECLINE"))


async def declined(stage: Stage) -> Handle:
    return await ended(await answered(stage, await opened(stage), "DECLINE"))


async def withdrawn(stage: Stage) -> Handle:
    return await ended(await answered(stage, await opened(stage), "WITHDRAW"))


async def sent_again(stage: Stage) -> Handle:
    """While it waits, and once more while a newcomer registers."""
    handle = await opened(stage)
    await at(stage, handle, "waiting")
    again = Opened(invited_by="olivia")
    await send_update(handle, InvitationWorkflow.send_again, again, update_id=uuid.uuid4().hex)
    await answered(stage, handle, "ACCEPT")
    await send_update(handle, InvitationWorkflow.send_again, again, update_id=uuid.uuid4().hex)
    await handle.signal(InvitationWorkflow.completed_registration)
    return await ended(handle)


async def expired(stage: Stage) -> Handle:
    return await ended(await opened(stage, policy=AT_ONCE))


async def undeliverable(stage: Stage) -> Handle:
    return await ended(await opened(stage, "refused@people.example"))


async def invited_twice(stage: Stage) -> Handle:
    dealer, email = await a_dealer(stage.sessions), an_email()
    await opened(stage, email, dealer_id=dealer.id)
    return await ended(await opened(stage, email, dealer_id=dealer.id))


async def cancelled(stage: Stage) -> Handle:
    handle = await opened(stage)
    await at(stage, handle, "waiting")
    await handle.cancel()
    return await ended(handle)


INVITATION: dict[str, Callable[[Stage], Awaitable[Handle]]] = {
    "accepted": accepted,
    "registered": registered,
    "registered-unheard": registered_unheard,
    "registering": registering,
    "never-registered": never_registered,
    "refused": refused,
    "declined": declined,
    "withdrawn": withdrawn,
    "sent-again": sent_again,
    "expired": expired,
    "undeliverable": undeliverable,
    "invited-twice": invited_twice,
    "cancelled": cancelled,
    "accepted-told": accepted,
    "registered-told": registered,
    "declined-told": declined,
    "withdrawn-too-late": withdrawn_too_late,
    "never-registered-after-a-look": never_registered,
}
"""Those that tell whoever invited, or look who works there before they remind, are recorded beside the ones from before that
was done."""
