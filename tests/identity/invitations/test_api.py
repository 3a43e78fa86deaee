"""Inviting, accepting, declining and withdrawing, as browsers meet them."""

import asyncio

import httpx
import pytest
from sqlalchemy import select, update

from api.platform.throttling.links import LINK_ADDRESS
from api.platform.throttling.mails import INVITING, MailTries
from db.identity.invitations import InvitationRow
from db.identity.people import PersonRow, find_account, find_user
from db.operations.audit import AuditRow
from domain.identity.invitations import InvitationMessage
from domain.identity.people import User
from tests.drivers.factories import (
    a_dealer,
    a_non_installer,
    a_registered_person,
    an_admin,
    an_email,
    an_inside_rep,
    an_installer,
    an_owner,
)
from tests.drivers.histories import written
from tests.drivers.portal import a_browser, a_key, sign_in
from tests.drivers.until import until
from tests.drivers.whole_portal import problem
from tests.identity.invitations.conftest import NAMES, Inviting, invite, pending
from tests.partners.factories import a_primary, let_see
from workflows.client import send_update
from workflows.invitation import InvitationWorkflow

PASSWORD = "Brand-New-2026!"


async def known(inviting: Inviting, address: str) -> User | None:
    async with inviting.whole.sessions() as session:
        account = await find_account(session, address)
    return account.user if account else None


async def test_an_invited_newcomer_registers_and_signs_in_as_an_installer(
    inviting: Inviting,
) -> None:
    address = an_email()
    async with inviting.owner() as (browser, owner):
        assert (await invite(browser, address)).status_code == 200
        token = await inviting.token_for(address)
        asked = (await inviting.read(token)).json()
        assert (asked["email"], asked["has_account"]) == (address, False)
        accepted = await inviting.accept(token, **NAMES)
        assert accepted.status_code == 200, accepted.text
        assert accepted.json()["token_type"] == "complete_registration"
        waiting = await pending(browser)
        assert [(each["email"], each["state"]) for each in waiting] == [(address, "registering")]
        async with a_browser(inviting.whole.app) as fresh:
            registration = accepted.json()["registration_token"]
            chosen = await fresh.post(
                "/v1/user/set-password",
                params={"token": registration},
                json={"password": PASSWORD, "confirm_password": PASSWORD},
            )
            assert chosen.status_code == 204, chosen.text
            user = await known(inviting, address)
            assert user is not None
            assert (user.dealer_id, user.is_installer) == (owner.dealer_id, True)
            assert (await sign_in(fresh, user, password=PASSWORD)).status_code == 200

        async def empty() -> bool:
            return await pending(browser) == []

        await until(empty)


async def test_the_registration_link_is_mailed_too(inviting: Inviting) -> None:
    address = an_email()
    async with inviting.owner() as (browser, _):
        await invite(browser, address)
    accepted = await inviting.accept(await inviting.token_for(address), **NAMES)
    mailed = await inviting.token_for(address, page="set-password")
    assert mailed == accepted.json()["registration_token"]


async def test_a_registered_person_without_a_business_joins_by_accepting(
    inviting: Inviting,
) -> None:
    person = await a_registered_person(inviting.whole.sessions)
    async with a_browser(inviting.whole.app) as fresh:
        assert (await sign_in(fresh, person)).status_code == 403
    async with inviting.owner() as (browser, owner):
        await invite(browser, person.email)
        accepted = await inviting.accept(await inviting.token_for(person.email))
        assert accepted.json() == {
            "state": "accepted",
            "token_type": "accept_decline_invitation",
            "registration_token": None,
        }
        assert await pending(browser) == []
    user = await known(inviting, person.email)
    assert user is not None
    assert (user.dealer_id, user.is_installer) == (owner.dealer_id, True)
    async with a_browser(inviting.whole.app) as fresh:
        assert (await sign_in(fresh, person)).status_code == 200


async def test_a_person_of_the_business_without_an_installer_record_gets_one(
    inviting: Inviting,
) -> None:
    person = await a_non_installer(inviting.whole.sessions)
    owner = await an_owner(inviting.whole.sessions)
    async with inviting.whole.sessions.begin() as session:
        row = await session.get_one(PersonRow, owner.id)
        row.dealer_id = person.dealer_id
    async with inviting.owner(owner) as (browser, _):
        await invite(browser, person.email)
    assert (await inviting.accept(await inviting.token_for(person.email))).status_code == 200
    user = await known(inviting, person.email)
    assert user is not None
    assert user.is_installer


async def test_a_newcomer_is_asked_for_names(inviting: Inviting) -> None:
    address = an_email()
    async with inviting.owner() as (browser, _):
        await invite(browser, address)
    token = await inviting.token_for(address)
    refused = await inviting.accept(token)
    assert problem(refused) == (422, "invalid")
    assert [each["field"] for each in refused.json()["validation_errors"]] == [
        "first_name",
        "last_name",
    ]
    assert (await inviting.accept(token, **NAMES)).status_code == 200


async def test_a_person_of_another_business_is_refused_and_the_invitation_stays(
    inviting: Inviting,
) -> None:
    elsewhere = await an_installer(inviting.whole.sessions)
    async with inviting.owner() as (browser, _):
        assert (await invite(browser, elsewhere.email)).status_code == 200
        token = await inviting.token_for(elsewhere.email)
        assert problem(await inviting.accept(token)) == (409, "belongs_elsewhere")
        assert [each["state"] for each in await pending(browser)] == ["waiting"]
    user = await known(inviting, elsewhere.email)
    assert user is not None
    assert user.dealer_id == elsewhere.dealer_id
    assert (await inviting.decline(token)).status_code == 204


async def test_looking_at_a_link_uses_nothing_up(inviting: Inviting) -> None:
    address = an_email()
    async with inviting.owner() as (browser, _):
        await invite(browser, address)
    token = await inviting.token_for(address)
    async with a_browser(inviting.whole.app) as preview:
        for _ in range(3):
            await preview.get("/accept-invite", params={"token": token})
            await preview.get("/decline-invite", params={"token": token})
            assert (await inviting.read(token)).status_code == 200
    assert (await inviting.accept(token, **NAMES)).status_code == 200


async def test_a_link_is_answered_once(inviting: Inviting) -> None:
    person = await a_registered_person(inviting.whole.sessions)
    async with inviting.owner() as (browser, _):
        await invite(browser, person.email)
    token = await inviting.token_for(person.email)
    assert (await inviting.accept(token)).status_code == 200
    assert problem(await inviting.accept(token)) == (410, "invitation_ended")
    assert problem(await inviting.decline(token)) == (410, "invitation_ended")
    read = await inviting.read(token)
    assert problem(read) == (410, "invitation_ended")
    assert read.json()["detail"] == "This link is no longer valid."


async def test_a_repeat_with_the_same_key_gets_the_same_answer(inviting: Inviting) -> None:
    person, address = await a_registered_person(inviting.whole.sessions), an_email()
    async with inviting.owner() as (browser, _):
        await invite(browser, person.email)
        await invite(browser, address)
    for invited, names in ((person.email, {}), (address, NAMES)):
        token = await inviting.token_for(invited)
        answers = [await inviting.accept(token, key=f"again-{token}", **names) for _ in range(2)]
        assert [each.status_code for each in answers] == [200, 200]
        assert answers[0].json() == answers[1].json()


async def test_ten_acceptances_at_once_have_one_effect(inviting: Inviting) -> None:
    person = await a_registered_person(inviting.whole.sessions)
    async with inviting.owner() as (browser, _):
        await invite(browser, person.email)
    token = await inviting.token_for(person.email)
    answers = await asyncio.gather(*(inviting.accept(token) for _ in range(10)))
    assert sorted(each.status_code for each in answers) == [200] + [410] * 9


async def test_declining_ends_it(inviting: Inviting) -> None:
    address = an_email()
    async with inviting.owner() as (browser, _):
        await invite(browser, address)
        token = await inviting.token_for(address, page="decline-invite")
        for _ in range(2):
            assert (await inviting.decline(token, key="declined-1")).status_code == 204
        assert problem(await inviting.decline(token)) == (410, "invitation_ended")
        assert await pending(browser) == []
    assert await known(inviting, address) is None


async def test_the_business_withdraws_with_the_token_of_its_list(inviting: Inviting) -> None:
    address = an_email()
    async with inviting.owner() as (browser, _), inviting.owner() as (other, _):
        shown = (await invite(browser, address)).json()["token"]
        secret = await inviting.token_for(address)
        path = "/v1/user/invite/decline/"
        async with a_browser(inviting.whole.app) as nobody:
            for stranger in (other, nobody):
                refused = await stranger.delete(path, params={"token": shown})
                assert problem(refused) == (410, "invitation_ended")
        assert (await browser.delete(path, params={"token": shown})).status_code == 204
        assert await pending(browser) == []
    assert problem(await inviting.accept(secret, **NAMES)) == (410, "invitation_ended")


async def test_the_business_sends_it_again_and_the_link_stays(inviting: Inviting) -> None:
    address, path = an_email(), "/v1/user/invite/again"
    async with inviting.owner() as (browser, owner), inviting.owner() as (other, _):
        shown = (await invite(browser, address)).json()
        secret = await inviting.token_for(address)
        body = {"token": shown["token"]}
        assert problem(await other.post(path, json=body, headers=a_key())) == (
            410,
            "invitation_ended",
        )
        # While the run does not know that its first mail is out, there is nothing to repeat.
        await until(lambda: pending(browser), lambda shown: shown[0]["state"] == "waiting")
        key = a_key()
        for _ in range(2):  # the second one is the repeat of a lost answer
            sent = await browser.post(path, json=body, headers=key)
            assert (sent.status_code, sent.json()["token"]) == (200, shown["token"])

        await until(lambda: inviting.mails_to(address), lambda mails: len(mails) == 2)
        assert await inviting.token_for(address) == secret
        (still,) = await pending(browser)
        assert (still["token"], still["expires_at"]) == (shown["token"], shown["expires_at"])
        for _ in range(INVITING.tries - 2):
            await MailTries(inviting.whole.sessions).count_inviting(owner.dealer_id or "")
        refused = await browser.post(path, json=body, headers=a_key())
        assert problem(refused) == (429, "throttled")
        assert len(await pending(browser)) == 1
        assert (await inviting.accept(secret, **NAMES)).status_code == 200
        assert (await inviting.decline(shown["token"])).status_code == 410


async def test_one_open_invitation_for_an_address(inviting: Inviting) -> None:
    address = an_email()
    async with inviting.owner() as (browser, _), inviting.owner() as (other, _):
        answers = await asyncio.gather(*(invite(browser, address) for _ in range(5)))
        assert sorted(each.status_code for each in answers) == [200] + [409] * 4
        assert {each.json()["code"] for each in answers if each.status_code == 409} == {
            "already_invited"
        }
        assert (await invite(other, address)).status_code == 200
        assert len(await pending(browser)) == 1


async def test_the_same_key_is_the_same_invitation(inviting: Inviting) -> None:
    address = an_email()
    async with inviting.owner() as (browser, _):
        answers = [await invite(browser, address, key=f"same-{address}") for _ in range(2)]
        assert answers[0].json() == answers[1].json()
        await inviting.token_for(address)
    assert len(await inviting.mails_to(address)) == 1


async def test_a_colleague_is_not_invited(inviting: Inviting) -> None:
    dealer = await a_dealer(inviting.whole.sessions)
    owner = await an_owner(inviting.whole.sessions, dealer)
    colleague = await an_installer(inviting.whole.sessions, dealer)
    async with inviting.owner(owner) as (browser, _):
        assert problem(await invite(browser, colleague.email)) == (409, "already_works_here")


async def test_only_owners_and_reps_with_a_business_invite(inviting: Inviting) -> None:
    sessions = inviting.whole.sessions
    for person, refusal in (
        (await an_installer(sessions), (403, "forbidden")),
        (await an_admin(sessions), (403, "forbidden")),
        (await an_inside_rep(sessions), (409, "business_needed")),
    ):
        async with inviting.owner(person) as (browser, _):
            assert problem(await invite(browser, an_email())) == refusal


async def test_pending_invitations_are_the_business_own(inviting: Inviting) -> None:
    async with inviting.owner() as (browser, owner), inviting.owner() as (other, stranger):
        await invite(browser, an_email())
        assert await pending(other) == []
        own = await browser.get("/v1/user/token/", params={"dealer_id": owner.dealer_id})
        assert len(own.json()["results"]) == 1
        theirs = await browser.get("/v1/user/token", params={"dealer_id": stranger.dealer_id})
        assert problem(theirs) == (404, "partner_missing")
    async with inviting.owner(await an_admin(inviting.whole.sessions)) as (admin, _):
        found = await admin.get("/v1/user/token", params={"dealer_id": owner.dealer_id})
        assert len(found.json()["results"]) == 1


async def test_a_rep_who_names_another_of_their_businesses_is_told_that_one_is_chosen(
    inviting: Inviting,
) -> None:
    sessions = inviting.whole.sessions
    rep, chosen, other, foreign = (
        await an_inside_rep(sessions),
        *[await a_dealer(sessions) for _ in range(3)],
    )
    await a_primary(sessions, chosen)
    await let_see(sessions, rep, chosen.partner_code, other.partner_code)
    async with inviting.owner(rep) as (browser, _):
        await browser.put("/v1/auth/business", json={"sapBpCode": chosen.partner_code})

        async def asked(dealer_id: str) -> httpx.Response:
            return await browser.get("/v1/user/token", params={"dealer_id": dealer_id})

        assert (await asked(chosen.id)).json() == {"results": []}
        assert problem(await asked(other.id)) == (409, "other_business")
        for missing in (foreign.id, "nobody"):
            assert problem(await asked(missing)) == (404, "partner_missing")


@pytest.mark.parametrize("token", ["", "x", "A" * 43, "%00", "é"])
async def test_a_guessed_token_is_refused(inviting: Inviting, token: str) -> None:
    assert (await inviting.accept(token, **NAMES)).status_code == 410
    assert (await inviting.read(token)).status_code == 410


async def test_guessing_is_limited_and_refuses_no_right_token(inviting: Inviting) -> None:
    address = an_email()
    async with inviting.owner() as (browser, _):
        await invite(browser, address)
    token = await inviting.token_for(address)
    async with a_browser(inviting.whole.app) as browser:
        answers = [
            await browser.post("/v1/auth/invitations/read", json={"token": f"guess-{number}"})
            for number in range(LINK_ADDRESS.tries + 1)
        ]
        assert [each.status_code for each in answers] == [410] * LINK_ADDRESS.tries + [429]
        read = await browser.post("/v1/auth/invitations/read", json={"token": token})
        assert read.status_code == 200


async def test_the_database_holds_no_token(inviting: Inviting) -> None:
    address = an_email()
    async with inviting.owner() as (browser, _):
        await invite(browser, address)
    token = await inviting.token_for(address)
    async with inviting.whole.sessions() as session:
        row = await session.scalar(select(InvitationRow).where(InvitationRow.email == address))
    assert row is not None
    assert token not in str(vars(row))
    assert len(token) >= 43  # 256 bits in base64


async def test_no_history_holds_a_token(inviting: Inviting) -> None:
    address = an_email()
    async with inviting.owner() as (browser, _):
        shown = (await invite(browser, address)).json()["token"]
    token = await inviting.token_for(address)
    registration = (await inviting.accept(token, **NAMES)).json()["registration_token"]
    handle = inviting.whole.stage.client.get_workflow_handle(f"invite-{shown}")
    told = written(await handle.fetch_history())
    assert b"people.example" in told
    assert token.encode() not in told
    assert registration.encode() not in told


async def test_who_invited_and_who_answered_is_audited(inviting: Inviting) -> None:
    address = an_email()
    async with inviting.owner() as (browser, owner):
        shown = (await invite(browser, address)).json()["token"]
    await inviting.decline(await inviting.token_for(address))
    async with inviting.whole.sessions() as session:
        rows = await session.scalars(
            select(AuditRow).where(AuditRow.object_id == shown).order_by(AuditRow.id)
        )
        told = [(row.action, row.actor) for row in rows]
    assert told == [("invited", f"user:{owner.id}"), ("invitation declined", "anonymous")]


async def until_mailed(inviting: Inviting, inviter: User, words: str) -> None:
    """Waits until whoever invited was mailed that; once."""

    async def mailed() -> bool:
        return any(words in mail for mail in await inviting.mails_to(inviter.email))

    await until(mailed)
    assert len(await inviting.mails_to(inviter.email)) == 1


async def test_whoever_invited_is_told_of_an_acceptance(inviting: Inviting) -> None:
    person = await a_registered_person(inviting.whole.sessions)
    async with inviting.owner() as (browser, owner):
        await invite(browser, person.email)
        token = await inviting.token_for(person.email)
        assert (await inviting.accept(token)).status_code == 200
        await until_mailed(inviting, owner, f"{person.email} accepted your invitation")


async def test_whoever_invited_is_told_once_a_newcomer_has_joined(inviting: Inviting) -> None:
    address = an_email()
    async with inviting.owner() as (browser, owner):
        await invite(browser, address)
        accepted = await inviting.accept(await inviting.token_for(address), **NAMES)
        assert await inviting.mails_to(owner.email) == []
        assert (await registered(inviting, accepted.json()["registration_token"])) == 204
        await until_mailed(inviting, owner, f"{address} accepted your invitation")


async def test_whoever_invited_is_told_of_a_refusal(inviting: Inviting) -> None:
    address = an_email()
    async with inviting.owner() as (browser, owner):
        await invite(browser, address)
        token = await inviting.token_for(address, page="decline-invite")
        assert (await inviting.decline(token)).status_code == 204
        await until_mailed(inviting, owner, f"{address} declined your invitation")


async def retire(inviting: Inviting, person: User) -> None:
    async with inviting.whole.sessions.begin() as session:
        which = update(PersonRow).where(PersonRow.id == person.id)
        await session.execute(which.values(is_retired=True))


async def registered(inviting: Inviting, token: str) -> int:
    body = {"token": token, "password": PASSWORD, "confirm_password": PASSWORD}
    async with a_browser(inviting.whole.app) as fresh:
        return (await fresh.post("/v1/user/set-password", json=body)).status_code


async def test_an_invitation_of_somebody_who_has_retired_since_is_void(inviting: Inviting) -> None:
    address, person = an_email(), await a_registered_person(inviting.whole.sessions)
    async with inviting.owner() as (browser, owner):
        for invited in (address, person.email):
            await invite(browser, invited)
        tokens = [await inviting.token_for(invited) for invited in (address, person.email)]
    await retire(inviting, owner)
    for token in tokens:
        for refused in (
            await inviting.read(token),
            await inviting.accept(token, **NAMES),
            await inviting.decline(token),
        ):
            assert problem(refused) == (410, "invitation_void")
            assert refused.json()["detail"] == "This link is no longer valid."
    assert await known(inviting, address) is None
    still = await known(inviting, person.email)
    assert still is not None
    assert still.dealer_id is None
    assert await inviting.mails_to(owner.email) == []


async def test_whoever_registers_after_the_inviter_retired_joins_nothing(
    inviting: Inviting,
) -> None:
    address = an_email()
    async with inviting.owner() as (browser, owner):
        await invite(browser, address)
        accepted = await inviting.accept(await inviting.token_for(address), **NAMES)
    await retire(inviting, owner)
    assert await registered(inviting, accepted.json()["registration_token"]) == 204
    user = await known(inviting, address)
    assert user is not None
    assert (user.dealer_id, user.is_installer) == (None, False)


async def test_a_retirement_between_the_question_and_the_answer_counts(inviting: Inviting) -> None:
    """The run itself asks once more before anybody joins."""
    person = await a_registered_person(inviting.whole.sessions)
    async with inviting.owner() as (browser, owner):
        invitation = (await invite(browser, person.email)).json()["token"]
        await inviting.token_for(person.email)
    await retire(inviting, owner)
    handle = inviting.whole.stage.client.get_workflow_handle_for(
        InvitationWorkflow.run, f"invite-{invitation}"
    )
    reply = await send_update(
        handle, InvitationWorkflow.answer, InvitationMessage(event="ACCEPT", key="k"), update_id="k"
    )
    assert reply.refusal == "invitation_void"
    still = await known(inviting, person.email)
    assert still is not None
    assert still.dealer_id is None


async def test_an_ended_registration_leaves_no_member(quick: Inviting) -> None:
    address = an_email()
    async with quick.owner() as (browser, _):
        await invite(browser, address)
        accepted = await quick.accept(await quick.token_for(address), **NAMES)
        assert accepted.json()["state"] == "registering"

        async def empty() -> bool:
            return await pending(browser) == []

        await until(empty)
    user = await known(quick, address)
    assert user is not None
    assert user.dealer_id is None
    async with quick.whole.sessions() as session:
        assert (await find_user(session, user.id)) == user
