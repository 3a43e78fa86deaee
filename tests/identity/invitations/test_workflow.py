"""What time and a broken messenger do to an invitation."""

import pytest
from sqlalchemy import select

from db.identity.credentials import change_password
from db.identity.invitations import InvitationRow, join_as_registered
from db.identity.people import find_account
from tests.drivers.factories import a_name, an_email
from tests.drivers.until import until
from tests.identity.invitations.conftest import NAMES, Inviting, invite


async def state_of(inviting: Inviting, address: str) -> str | None:
    async with inviting.whole.sessions() as session:
        return await session.scalar(
            select(InvitationRow.state).where(InvitationRow.email == address)
        )


async def at(inviting: Inviting, address: str, state: str) -> None:
    async def there() -> bool:
        return await state_of(inviting, address) == state

    await until(there)


async def invited(inviting: Inviting, address: str) -> str:
    """Invites the address; answers the public token."""
    async with inviting.owner() as (browser, _):
        answer = await invite(browser, address)
    assert answer.status_code == 200, answer.text
    return answer.json()["token"]


async def test_it_reminds_once_and_then_ends(quick: Inviting) -> None:
    address = an_email()
    await invited(quick, address)
    await at(quick, address, "expired")
    mails = await quick.mails_to(address)
    subjects = [mail.splitlines()[0] for mail in mails]
    assert len(subjects) == 2
    assert "invites you" in subjects[0]
    assert "is waiting" in subjects[1]
    assert (await quick.accept(await quick.token_for(address), **NAMES)).status_code == 410


async def test_an_address_that_does_not_exist_ends_it(inviting: Inviting) -> None:
    await invited(inviting, "refused@people.example")
    await at(inviting, "refused@people.example", "undeliverable")


@pytest.mark.parametrize(
    ("name", "copies"),
    [
        pytest.param("flaky", 1, id="not taken at first"),
        pytest.param("lost", 2, id="taken, and the answer lost: a mail server cannot be asked"),
    ],
)
async def test_a_messenger_that_stumbles_delivers(
    inviting: Inviting, name: str, copies: int
) -> None:
    address = f"{name}@{a_name()}.example"
    await invited(inviting, address)
    await inviting.token_for(address)
    await at(inviting, address, "waiting")
    mails = await inviting.mails_to(address)
    assert (len(mails), len(set(mails))) == (copies, 1)


async def test_a_registration_that_was_not_told_counts_at_the_end(quick: Inviting) -> None:
    """The word of the completed registration was lost: the run looks for itself before it ends."""
    address = an_email()
    token = await invited(quick, address)
    accepted = await quick.accept(await quick.token_for(address), **NAMES)
    assert accepted.json()["state"] == "registering"
    async with quick.whole.sessions.begin() as session:
        account = await find_account(session, address)
        assert account is not None
        await change_password(session, account.user.id, "kept elsewhere")
        assert await join_as_registered(session, account.user.id) is not None
    await at(quick, address, "registered")
    reply = await quick.whole.stage.client.get_workflow_handle(f"invite-{token}").result()
    assert reply["state"] == "registered"


async def test_an_operators_cancel_withdraws_it(inviting: Inviting) -> None:
    address = an_email()
    token = await invited(inviting, address)
    await inviting.token_for(address)
    handle = inviting.whole.stage.client.get_workflow_handle(f"invite-{token}")
    await handle.cancel()
    await at(inviting, address, "withdrawn")
    assert (await handle.result())["state"] == "withdrawn"
