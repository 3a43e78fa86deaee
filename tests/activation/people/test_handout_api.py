"""What a finished activation leaves in the hand of the car's owner: what it tells, and who reads it by the link."""

import asyncio
from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.throttling import links as throttling
from api.platform.throttling.links import LINK_ALL
from db.devices.handouts import HandoutLinkRow, add_link, link_of, revoke_link
from db.runs.flows import FlowRow
from domain.activation.handout import HandoutLink, HandoutNotReady, handout_of
from providers.security.tokens import secret_hash
from tests.drivers.factories import a_dealer, a_name
from tests.drivers.stage import a_device_key
from tests.drivers.until import until
from tests.drivers.whole_portal import Caller, Flow, Whole, problem
from tests.plans.test_api import a_subscription, suspended

OWNER = "casey.fields@example.com"


async def finished(installer: Caller) -> Flow:
    """With one test that the vehicle confirmed, and a mail to its owner."""
    begun = await installer.started(a_device_key(), consumer_email=OWNER)
    testing = await installer.walk_to(begun, "device-testing")
    await installer.send(begun["id"], "commands", seq=testing["seq"], command="remote_start")
    tested = await installer.until(
        begun["id"], lambda flow: flow["view"]["facts"]["commands"][-1]["state"] == "confirmed"
    )
    return await installer.walk_to(tested, "completed")


async def linked(installer: Caller, flow: Flow) -> str:
    """The token of the link."""
    answer = await installer.browser.post(f"/v1/activations/{flow['id']}/handout/link", json={})
    assert answer.status_code == 200, answer.text
    return answer.json()["url"].partition("/handout#")[2]


async def test_whoever_holds_the_link_reads_what_the_owner_may_know_and_nothing_else(
    whole: Whole,
) -> None:
    async with whole.signed_in() as installer, whole.anonymous() as owner:
        flow = await finished(installer)
        token = await linked(installer, flow)
        assert len(token) >= 43
        answer = await owner.browser.post("/v1/handouts/open", json={"token": token})
        assert answer.status_code == 200, answer.text
        seen = answer.json()
        assert seen["device_key"] == flow["view"]["device"]["device_key"]
        assert seen["vehicle"]["make"] == flow["view"]["facts"]["vehicle"]["make"]
        assert seen["tests"] == ["remote_start"]
        assert (seen["connected"], seen["can_do"], seen["has_plan"]) == (True, [], False)
        assert seen["versions"]
        assert installer.user is not None
        for private in (OWNER, installer.user.email, installer.user.name, flow["id"], "iccid"):
            assert private not in answer.text
        mine = await installer.browser.get(f"/v1/activations/{flow['id']}/handout")
        assert mine.json()["handout"] == seen
        assert (mine.json()["link"]["opened"], token in mine.text) == (1, False)


async def test_wrong_tokens_are_refused_after_a_while_and_a_right_one_never(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    everybodys = LINK_ALL.model_copy(update={"kind": a_name(), "tries": 3})
    monkeypatch.setattr(throttling, "LINK_ALL", everybodys)
    async with whole.signed_in() as installer, whole.anonymous() as owner:
        token = await linked(installer, await finished(installer))

        async def opened(shown: str) -> int:
            return (
                await owner.browser.post("/v1/handouts/open", json={"token": shown})
            ).status_code

        assert [await opened("x" * 43) for _ in range(5)] == [410] * 3 + [429] * 2
        assert await opened(token) == 200


async def test_there_is_one_good_link_until_it_is_revoked(whole: Whole) -> None:
    async with whole.signed_in() as installer, whole.anonymous() as owner:
        flow = await finished(installer)
        tokens = await asyncio.gather(*(linked(installer, flow) for _ in range(4)))
        assert len(set(tokens)) == 1
        async with whole.sessions() as session:
            row = await session.scalar(
                select(HandoutLinkRow).where(HandoutLinkRow.activation_id == flow["id"])
            )
            assert row is not None
            assert row.token_hash == secret_hash(tokens[0])
            assert tokens[0] not in str(vars(row))
            assert row.expires_at - row.created_at == timedelta(days=90)
        revoked = await installer.browser.post(
            f"/v1/activations/{flow['id']}/handout/revoke", json={}
        )
        assert (revoked.status_code, revoked.json()["link"]) == (200, None)
        gone = await owner.browser.post("/v1/handouts/open", json={"token": tokens[0]})
        assert problem(gone) == (410, "handout_void")
        fresh = await linked(installer, flow)
        assert fresh != tokens[0]
        async with whole.sessions.begin() as session:
            await session.execute(
                update(HandoutLinkRow)
                .where(HandoutLinkRow.token_hash == secret_hash(fresh))
                .values(expires_at=HandoutLinkRow.created_at)
            )
        late = await owner.browser.post("/v1/handouts/open", json={"token": fresh})
        assert problem(late) == (410, "handout_void")
        assert await linked(installer, flow) not in (fresh, tokens[0])


async def test_a_link_is_made_and_revoked_at_once(whole: Whole) -> None:
    """A link that is asked for again is not revoked before it is answered."""
    async with whole.signed_in() as installer:
        user, flow = installer.user, a_name()
    assert user is not None

    async def link(session: AsyncSession) -> HandoutLink:
        return await add_link(
            session, a_name(), a_name(), activation_id=flow, maker_id=user.id, maker=user.name
        )

    async def revoke() -> str | None:
        async with whole.sessions.begin() as session:
            return await revoke_link(session, flow)

    async with whole.sessions.begin() as session:
        made = await link(session)
    async with whole.sessions.begin() as session:
        assert (await link(session)).id == made.id
        revoking = asyncio.create_task(revoke())
        await until(lambda: waits_for_a_lock(whole, flow))
        assert await link_of(session, flow) == made
    assert await revoking == made.id


async def waits_for_a_lock(whole: Whole, flow: str) -> bool:
    """Whether somebody waits for the lock of this activation's link."""
    asked = """
        select count(*) from pg_locks where locktype = 'advisory' and not granted
        and (classid::bigint << 32) + objid::bigint = hashtextextended(:of, 0)
    """
    async with whole.sessions() as session:
        return bool(await session.scalar(text(asked), {"of": f"handout_link {flow}"}))


async def test_another_dealer_and_an_unfinished_activation_have_none(whole: Whole) -> None:
    async with whole.signed_in() as installer, whole.signed_in() as stranger:
        flow = await finished(installer)
        for path in ("handout/link", "handout/revoke"):
            foreign = await stranger.browser.post(f"/v1/activations/{flow['id']}/{path}", json={})
            assert foreign.status_code == 404
        look = await stranger.browser.get(f"/v1/activations/{flow['id']}/handout")
        assert look.status_code == 404
        begun = await installer.started(a_device_key())
        early = await installer.browser.post(f"/v1/activations/{begun['id']}/handout/link", json={})
        assert problem(early) == (409, "handout_not_ready")


async def test_guessing_at_links_is_stopped(whole: Whole) -> None:
    async with whole.anonymous() as guesser:
        seen = {
            (await guesser.browser.post("/v1/handouts/open", json={"token": f"no-{n}"})).status_code
            for n in range(61)
        }
    assert seen == {410, 429}


async def test_what_the_app_can_do_is_what_was_tested_under_a_live_plan(whole: Whole) -> None:
    """The device's plan as it is when the page is read: none, one, one that has ended, one that followed."""
    async with whole.signed_in() as installer, whole.anonymous() as owner:
        flow = await finished(installer)
        token = await linked(installer, flow)
        device = flow["view"]["device"]["device_key"]

        async def opened() -> dict[str, Any]:
            answer = await owner.browser.post("/v1/handouts/open", json={"token": token})
            assert answer.status_code == 200, answer.text
            return answer.json()

        assert await shown(opened()) == (None, False, [])
        dealer = await a_dealer(whole.sessions)
        await a_subscription(whole.sessions, dealer, device=device, days_left=-1)
        assert await shown(opened()) == (None, False, [])
        await a_subscription(whole.sessions, dealer, device=device, days_left=40)
        seen = await opened()
        assert (seen["has_plan"], seen["can_do"]) == (True, ["remote_start"])
        assert (seen["plan"]["name"], seen["plan"]["term"]) == ("Premium Prepaid", "1_year")
        left = datetime.fromisoformat(seen["plan"]["ends_at"]) - datetime.now(UTC)
        assert 39 <= left.days <= 40
        await suspended(whole.sessions, device)
        seen = await opened()
        assert (seen["plan"]["is_suspended"], seen["can_do"]) == (True, [])


async def shown(told: Awaitable[dict[str, Any]]) -> tuple[Any, ...]:
    seen = await told
    return seen["plan"], seen["has_plan"], seen["can_do"]


async def test_a_plan_that_was_bought_in_the_run_and_has_ended_is_promised_no_more(
    whole: Whole,
) -> None:
    async with whole.signed_in() as installer:
        flow = await finished(installer)
        async with whole.sessions() as session:
            row = await session.get_one(FlowRow, flow["id"])
            view: dict[str, Any] = dict(row.view)
    now = datetime.now(UTC)
    bought = {**view, "plan_purchased": True}
    told = handout_of(bought, business="Harbour", present=None, now=now)
    assert (told.plan, told.has_plan, told.can_do) == (None, False, ())
    again = [{**view["facts"]["commands"][-1], "id": "later", "state": "refused"}]
    commands = [*view["facts"]["commands"], *again]
    failed = {**view, "facts": {**view["facts"], "commands": commands}}
    assert handout_of(failed, business=None, present=None, now=now).tests == ()
    with pytest.raises(HandoutNotReady):
        handout_of({**view, "outcome": "abandoned"}, business=None, present=None, now=now)
