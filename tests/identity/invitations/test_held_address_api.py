"""An address that may still go back to whoever had it is given to nobody by an invitation."""

import uuid

from db.identity.credentials import change_email
from db.identity.links import LinkKind, add_link
from providers.security.tokens import secret_hash
from tests.drivers.factories import a_registered_person, an_email
from tests.drivers.whole_portal import problem
from tests.identity.invitations.conftest import NAMES, Inviting, invite, pending
from tests.identity.invitations.test_api import known


async def test_it_makes_no_account_before_that_is_over(
    inviting: Inviting,
) -> None:
    moved = await a_registered_person(inviting.whole.sessions)
    async with inviting.whole.sessions.begin() as session:
        await change_email(session, moved.id, an_email())
        await add_link(
            session, secret_hash(uuid.uuid4().hex), LinkKind.REVERT_EMAIL, moved.id, moved.email
        )
    async with inviting.owner() as (browser, _):
        await invite(browser, moved.email)
        token = await inviting.token_for(moved.email)
        assert problem(await inviting.accept(token, **NAMES)) == (409, "email_taken")
        assert await known(inviting, moved.email) is None
        (open_still,) = await pending(browser)
        assert open_still["state"] == "waiting"
        async with inviting.whole.sessions.begin() as session:
            await change_email(session, moved.id, moved.email)
        answer = await inviting.accept(token)
        assert (answer.status_code, answer.json()["state"]) == (200, "accepted")
