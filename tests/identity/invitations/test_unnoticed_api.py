"""The word that an invited person has registered is lost on its way: who works there by now is neither reminded nor taken back."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncSession
from temporalio.client import WorkflowHandle

from api.identity import passwords
from api.platform.deps import Portal
from db.identity import invitations
from domain.identity.invitations import Invitation, InvitationPolicy
from domain.identity.people import User
from tests.drivers.factories import an_email
from tests.drivers.portal import a_browser
from tests.drivers.whole_portal import problem
from tests.identity.invitations import stories
from tests.identity.invitations.conftest import NAMES, Inviting, invite, pending
from tests.identity.invitations.test_api import PASSWORD, known
from tests.identity.invitations.test_workflow import at, state_of
from tests.operations.reconciler.rounds import a_round


async def joined(inviting: Inviting, monkeypatch: pytest.MonkeyPatch, address: str) -> User:
    """By the link to a first password, while nobody tells the run of it."""

    async def lost(portal: Portal, invitation: Invitation) -> None:
        pass

    monkeypatch.setattr(passwords, "notify_registered", lost)
    accepted = await inviting.accept(await inviting.token_for(address), **NAMES)
    async with a_browser(inviting.whole.app) as fresh:
        chosen = await fresh.post(
            "/v1/user/set-password",
            params={"token": accepted.json()["registration_token"]},
            json={"password": PASSWORD, "confirm_password": PASSWORD},
        )
    assert chosen.status_code == 204, chosen.text
    user = await known(inviting, address)
    assert user is not None
    return user


async def joined_unnoticed(
    inviting: Inviting, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, WorkflowHandle[Any, Any]]:
    """The address of somebody who has joined so, and the run that knows nothing of it."""
    address = an_email()
    async with inviting.owner() as (browser, _):
        token = (await invite(browser, address)).json()["token"]
        await joined(inviting, monkeypatch, address)
    return address, inviting.whole.stage.client.get_workflow_handle(f"invite-{token}")


async def test_nothing_is_taken_back_from_who_has_joined(
    inviting: Inviting, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = an_email()
    async with inviting.owner() as (browser, owner):
        token = (await invite(browser, address)).json()["token"]
        user = await joined(inviting, monkeypatch, address)
        assert (user.dealer_id, user.is_installer) == (owner.dealer_id, True)
        (waiting,) = await pending(browser)
        assert waiting["state"] == "registering"
        path, query = "/v1/user/invite/decline", {"token": token}
        assert problem(await browser.delete(path, params=query)) == (410, "invitation_ended")
        assert await state_of(inviting, address) == "registered"
        assert await pending(browser) == []


async def test_an_operators_cancel_takes_nothing_back_either(
    inviting: Inviting, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, handle = await joined_unnoticed(inviting, monkeypatch)
    await handle.cancel()
    assert (await handle.result())["state"] == "registered"
    await at(inviting, address, "registered")


async def test_a_run_that_is_gone_leaves_it_to_who_has_joined(
    inviting: Inviting, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, handle = await joined_unnoticed(inviting, monkeypatch)
    await handle.terminate("by mistake")
    await a_round(inviting.whole.stage)
    assert await state_of(inviting, address) == "registered"


async def test_who_has_joined_is_not_reminded(
    inviting: Inviting, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def long_since(session: AsyncSession, invitation_id: str) -> bool:
        return True

    monkeypatch.setattr(invitations, "has_joined", long_since)
    stage, address = inviting.whole.stage, an_email()
    soon = InvitationPolicy(reminder=timedelta(seconds=1), expiry=timedelta(days=1))
    handle = await stories.answered(
        stage, await stories.opened(stage, address, policy=soon), "ACCEPT"
    )
    await stories.at(stage, handle, "registered")
    mailed = [mail.splitlines()[0] for mail in await inviting.mails_to(address)]
    assert mailed.count("Finish setting up your Turnkey account") <= 1
