"""Asking to work on another's device, being let in once, and what an attacker learns: nothing."""

import asyncio
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from api.devices import visits
from api.platform.throttling import devices as throttling
from api.platform.throttling.devices import GUEST_ALL
from db.base import Sessions
from db.devices.visits import VisitRow
from db.identity.people import PersonRow
from db.plans.plans import subscribe
from db.platform.clock import database_now
from db.runs.flows import FlowRow
from domain.devices.ownership import Party
from domain.identity.people import User
from domain.plans.plans import FOUR, Subscription, Term, plan_id
from tests.activation.people.test_openings_api import limited
from tests.devices.ownership.test_whose_device_api import a_row
from tests.drivers.factories import (
    a_dealer,
    a_name,
    an_admin,
    an_inside_rep,
    an_installer,
    an_outside_rep,
    an_owner,
)
from tests.drivers.portal import a_key
from tests.drivers.stage import a_device_key
from tests.drivers.until import until
from tests.drivers.whole_portal import Caller, Whole, iccid_of, problem
from tests.operations.reconciler.rounds import a_round

Json = dict[str, Any]
CHANGING = ("instance", "request_id")


async def pays(whole: Whole, key: str, owner: User, *, name: str = "paid") -> None:
    """A live plan makes the device the business's own."""
    kind, now = FOUR[1], datetime.now(UTC)
    async with whole.sessions.begin() as session:
        await subscribe(
            session,
            Subscription(
                id=f"{name}:{key}",
                device_key=key,
                product_name="ft-x1",
                plan_id=plan_id(kind.slug, Term.ONE_YEAR),
                plan_slug=kind.slug,
                plan_name=kind.name,
                rank=kind.rank,
                term=Term.ONE_YEAR,
                starts_at=now - timedelta(days=1),
                ends_at=now + timedelta(days=364),
                worth="73.00",  # pyright: ignore[reportArgumentType] read by pydantic
                partner_code=owner.partner_code,
                dealer_id=owner.dealer_id,
                owner_id=None,
                purchase_id=None,
            ),
        )


async def an_owned_device(whole: Whole) -> tuple[str, User]:
    """A device that can be serviced (`27` in front), and an owner of whose business it is."""
    owner = await an_owner(whole.sessions)
    key = a_device_key("DR5400", traits="270")
    await pays(whole, key, owner)
    return key, owner


async def ask(caller: Caller, key: str, digits: str | None = None, **more: Any) -> httpx.Response:
    body = {"device_key": key, "iccid_last_digits": digits or iccid_of(key), "reason": "the siren"}
    return await caller.browser.post("/v1/visits", json=body | more, headers=a_key())


async def asked(caller: Caller, key: str) -> Json:
    answer = await ask(caller, key)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def send(caller: Caller, visit: Json, call: str, **body: Any) -> httpx.Response:
    return await caller.browser.post(
        f"/v1/visits/{visit['id']}/{call}", json=body or None, headers=a_key()
    )


async def answers(caller: Caller, visit: Json, answer: str) -> httpx.Response:
    return await send(caller, visit, "answer", answer=answer)


NONE = {"waiting": 0, "permitted": 0, "refused": 0, "lapsed": 0, "ended": 0}
STANDING = (
    ("waiting", 1),
    ("waiting", -1),
    ("permitted", 1),
    ("permitted", -1),
    ("refused", 1),
    ("lapsed", -1),
    ("ended", 1),
)
"""States of rows, and in how many hours their time is over."""


async def save(
    whole: Whole, owner: User, person: User, standing: Iterable[tuple[str, int]]
) -> None:
    """Visits whose runs have not noticed that a time is over."""
    now = datetime.now(UTC)
    async with whole.sessions.begin() as session:
        for place, (state, hours) in enumerate(standing):
            id_ = uuid.uuid4().hex
            session.add(
                VisitRow(
                    id=id_,
                    workflow_id=f"visit-{id_}",
                    device_key=a_device_key(),
                    visitor_id=person.id,
                    visitor_dealer_id=person.dealer_id,
                    visitor_name=person.name,
                    visitor_business="Prairie Remote Start",
                    owner_dealer_id=owner.dealer_id,
                    owner_partner_code=owner.partner_code,
                    owner_person_id=None,
                    reason="the siren",
                    start={},
                    rev=1,
                    state=state,
                    answered_by=None,
                    asked_at=now - timedelta(minutes=place),
                    expires_at=now + timedelta(hours=hours),
                    updated_at=now,
                    ended_at=None if state in ("waiting", "permitted") else now,
                )
            )


async def page_of(caller: Caller, side: str, **narrowed: Any) -> Json:
    answer = await caller.browser.get("/v1/visits", params={"of": side, **narrowed})
    assert answer.status_code == 200, answer.text
    return answer.json()


def text_of(answer: httpx.Response) -> Json:
    """All of a refusal but what differs with each request."""
    return {name: said for name, said in answer.json().items() if name not in CHANGING}


async def test_an_owner_lets_a_visitor_in_once(whole: Whole) -> None:
    key, owner = await an_owned_device(whole)
    async with whole.signed_in() as visitor, whole.signed_in(owner) as home:
        refused = await visitor.start(key, type="service-device")
        assert refused.status_code == 404
        visit = await asked(visitor, key)
        assert (visit["state"], visit["mine"], visit["answered_by"]) == ("waiting", True, None)
        assert (await asked(visitor, key))["id"] == visit["id"]
        (listed,) = (await home.browser.get("/v1/visits")).json()["results"]
        assert (listed["visitor"], listed["reason"]) == (visitor.user.name, "the siren")  # pyright: ignore[reportOptionalMemberAccess]
        assert (await visitor.start(key, type="service-device")).status_code == 404
        permitted = (await answers(home, visit, "yes")).json()
        assert (permitted["state"], permitted["answered_by"]) == ("permitted", owner.name)
        assert (await visitor.start(key, type="replace-device")).status_code == 404
        assert (await visitor.browser.get(f"/v1/devices/{key}")).status_code == 404
        run = await visitor.started(key, type="service-device")
        run = await visitor.walk_to(run, "completed")
        seen = (await visitor.browser.get(f"/v1/visits/{visit['id']}")).json()
        assert seen["state"] == "ended"
        for caller, side in ((visitor, "mine"), (home, "ours")):
            assert [
                one["id"] for one in (await page_of(caller, side, state="ended"))["results"]
            ] == [visit["id"]]
            may = await page_of(caller, side, state="permitted")
            assert (may["results"], may["counts"]) == ([], NONE | {"ended": 1})
        again = await visitor.start(key, type="service-device")
        assert (again.status_code, text_of(again)) == (404, text_of(refused))
        assert (await home.browser.get(f"/v1/devices/{key}")).status_code == 200


async def test_a_visitor_who_chooses_the_type_again_is_still_let_in(whole: Whole) -> None:
    key, owner = await an_owned_device(whole)
    async with whole.signed_in() as visitor, whole.signed_in(owner) as home:
        visit = await asked(visitor, key)
        await answers(home, visit, "yes")
        run = await visitor.started(key, type="service-device")
        await visitor.send(run["id"], "back", step="power-on-device", seq=run["seq"])
        await visitor.until(run["id"], lambda flow: flow["state"] == "choose-type")
        async with whole.sessions.begin() as session:
            await session.execute(
                update(FlowRow).where(FlowRow.id == run["id"]).values(outcome="needs_attention")
            )
        seen = (await visitor.browser.get(f"/v1/visits/{visit['id']}")).json()
        assert seen["state"] == "permitted"
        assert (await visitor.start(key, type="service-device")).is_success


async def test_each_side_counts_and_narrows_by_the_state_that_is_shown(whole: Whole) -> None:
    owner, person = await an_owner(whole.sessions), await an_installer(whole.sessions)
    await save(whole, owner, person, STANDING)
    await save(whole, await an_owner(whole.sessions), await an_installer(whole.sessions), STANDING)
    wanted = {"waiting": 1, "permitted": 1, "refused": 1, "lapsed": 2, "ended": 2}
    async with (
        whole.signed_in(person) as visitor,
        whole.signed_in(owner) as home,
        whole.signed_in() as stranger,
    ):
        for caller, side in ((visitor, "mine"), (home, "ours")):
            everything = await page_of(caller, side)
            assert everything["counts"] == wanted
            assert len(everything["results"]) == sum(wanted.values()) == len(STANDING)
            for state, count in wanted.items():
                page = await page_of(caller, side, state=state)
                assert [one["state"] for one in page["results"]] == [state] * count
                assert page["counts"] == wanted
            first = await page_of(caller, side, state="ended", limit=1)
            rest = await page_of(caller, side, state="ended", limit=1, cursor=first["end_cursor"])
            assert [one["state"] for one in first["results"] + rest["results"]] == ["ended"] * 2
            assert (rest["counts"], rest["end_cursor"]) == (None, None)
        for caller, side in ((visitor, "ours"), (home, "mine"), (stranger, "ours")):
            assert await page_of(caller, side) == {
                "results": [],
                "counts": NONE,
                "end_cursor": None,
            }


async def test_a_tab_shows_what_is_over_by_the_clock_of_the_database(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which is hours ahead of the process's here."""
    owner, person = await an_owner(whole.sessions), await an_installer(whole.sessions)
    await save(whole, owner, person, STANDING)

    async def ahead(session: AsyncSession) -> datetime:
        return await database_now(session) + timedelta(hours=2)

    monkeypatch.setattr(visits, "database_now", ahead)
    async with whole.signed_in(owner) as home:
        page = await page_of(home, "ours")
        over = {"refused": 1, "lapsed": 3, "ended": 3}
        assert page["counts"] == NONE | over
        assert Counter(one["state"] for one in page["results"]) == over
        lapsed = await page_of(home, "ours", state="lapsed")
        assert [one["state"] for one in lapsed["results"]] == ["lapsed"] * 3
        read = (await home.browser.get(f"/v1/visits/{lapsed['results'][0]['id']}")).json()
        assert read["state"] == "lapsed"


async def test_owners_and_visitor_are_written_to(whole: Whole) -> None:
    key, owner = await an_owned_device(whole)
    async with whole.signed_in() as visitor, whole.signed_in(owner) as home:
        visit = await asked(visitor, key)
        link = f"/visits/{visit['id']}"

        async def is_mailed(to: str, subject: str) -> bool:
            mails = await whole.stage.mails(to)
            return [link in mail["text"] for mail in mails if subject in mail["subject"]] == [True]

        await until(lambda: is_mailed(owner.email, "asks to work on your device"))
        await answers(home, visit, "yes")
        assert visitor.user is not None
        email = visitor.user.email
        await until(lambda: is_mailed(email, "You may work on the device"))


async def test_an_owners_end_takes_the_visitors_run_along(whole: Whole) -> None:
    key, owner = await an_owned_device(whole)
    async with whole.signed_in() as visitor, whole.signed_in(owner) as home:
        visit = await asked(visitor, key)
        await answers(home, visit, "yes")
        run = await visitor.started(key, type="service-device")
        assert (await send(home, visit, "end")).json()["state"] == "ended"
        step = await visitor.submit(run)
        assert step.status_code in (404, 410)

        async def stopped() -> bool:
            look = await visitor.browser.get(f"/v1/activations/{run['id']}")
            return look.status_code == 200 and look.json()["ended"]

        await until(stopped)
        assert (await visitor.start(key, type="service-device")).status_code == 404
        assert problem(await send(home, visit, "end")) == (410, "visit_ended")
        assert problem(await answers(home, visit, "yes"))[0] in (409, 410)


async def test_of_a_device_that_is_not_in_hand_nothing_is_learnt(whole: Whole) -> None:
    key, _ = await an_owned_device(whole)
    nobodys, never = a_device_key(), a_device_key()
    await whole.stage.control(never, unknown=True)
    async with whole.signed_in() as visitor:
        said = [
            await ask(visitor, key, "99999"),
            await ask(visitor, nobodys, "99999"),
            await ask(visitor, never, "99999"),
        ]
        assert [each.status_code for each in said] == [404, 404, 404]
        assert text_of(said[0]) == text_of(said[1]) == text_of(said[2])
        assert problem(await ask(visitor, nobodys)) == (409, "nobodys_device")
        wrong = [await ask(visitor, key, "99998") for _ in range(10)]
        assert problem(wrong[-1])[0] == 429
        assert problem(await ask(visitor, key))[0] == 429


async def test_no_guest_uses_up_the_tries_of_who_is_signed_in(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither of the visitor nor of who finds a device of nobody."""
    shut = GUEST_ALL.model_copy(update={"kind": a_name(), "tries": 0})
    monkeypatch.setattr(throttling, "GUEST_ALL", shut)
    key, _ = await an_owned_device(whole)
    nobodys = a_device_key()
    async with whole.signed_in() as visitor:
        del visitor.browser.headers["X-Bot-Check"]
        assert (await asked(visitor, key))["state"] == "waiting"
        proof = {"iccid_last_digits": iccid_of(nobodys)}
        shown = await visitor.browser.get(f"/v1/device/{nobodys}/features", params=proof)
        assert shown.status_code == 200, shown.text


async def test_who_guesses_at_one_device_after_the_other_is_slowed(whole: Whole) -> None:
    with limited(whole, wrong_per_hour=2):
        async with whole.signed_in() as visitor:
            told = [await ask(visitor, a_device_key(), "00000") for _ in range(3)]
    assert [one.status_code for one in told] == [404, 404, 429]


async def test_a_visit_is_a_404_to_everybody_else(whole: Whole) -> None:
    key, owner = await an_owned_device(whole)
    async with (
        whole.signed_in() as visitor,
        whole.signed_in() as stranger,
        whole.signed_in(owner) as home,
    ):
        visit = await asked(visitor, key)
        never = {"id": "0" * 32}
        for call in ("answer", "end"):
            body = {"answer": "yes"} if call == "answer" else {}
            foreign = await send(stranger, visit, call, **body)
            absent = await send(stranger, never, call, **body)
            assert foreign.status_code == 404
            assert text_of(foreign) == text_of(absent)
        assert (await stranger.browser.get(f"/v1/visits/{visit['id']}")).status_code == 404
        assert (await stranger.browser.get("/v1/visits")).json()["results"] == []
        assert (await answers(visitor, visit, "yes")).status_code == 404
        assert problem(await ask(home, key)) == (409, "own_device")


async def test_of_two_answers_at_once_one_counts(whole: Whole) -> None:
    key, owner = await an_owned_device(whole)
    async with whole.signed_in() as visitor, whole.signed_in(owner) as home:
        visit = await asked(visitor, key)
        both = await asyncio.gather(answers(home, visit, "yes"), answers(home, visit, "no"))
        assert sorted(each.status_code for each in both) == [200, 409]
        (lost,) = [each for each in both if each.status_code == 409]
        assert problem(lost) == (409, "visit_answered")


async def test_a_refusal_lets_nobody_in(whole: Whole) -> None:
    key, owner = await an_owned_device(whole)
    async with whole.signed_in() as visitor, whole.signed_in(owner) as home:
        visit = await asked(visitor, key)
        assert (await answers(home, visit, "no")).json()["state"] == "refused"
        assert (await visitor.start(key, type="service-device")).status_code == 404


async def test_what_ended_a_visit_is_answered_the_same_after_its_answer_was_lost(
    whole: Whole,
) -> None:
    key, owner = await an_owned_device(whole)
    async with whole.signed_in() as visitor, whole.signed_in(owner) as home:
        for permits, call, body in ((False, "answer", {"answer": "no"}), (True, "end", None)):
            visit = await asked(visitor, key)
            if permits:
                assert (await answers(home, visit, "yes")).status_code == 200
            path, headers = f"/v1/visits/{visit['id']}/{call}", a_key()
            ended = await home.browser.post(path, json=body, headers=headers)
            assert ended.status_code == 200
            await whole.forget(headers)
            again = await home.browser.post(path, json=body, headers=headers)
            assert (again.status_code, again.json()) == (200, ended.json()), call
            assert "Idempotency-Replayed" not in again.headers
            assert (await send(home, visit, "end")).status_code in (409, 410)


async def test_who_retires_or_changes_the_business_is_let_in_no_more(whole: Whole) -> None:
    key, owner = await an_owned_device(whole)
    elsewhere = await a_dealer(whole.sessions)
    person = await an_installer(whole.sessions)
    async with whole.signed_in(person) as visitor, whole.signed_in(owner) as home:
        visit = await asked(visitor, key)
        await answers(home, visit, "yes")
        async with whole.sessions.begin() as session:
            await session.execute(
                update(PersonRow).where(PersonRow.id == person.id).values(dealer_id=elsewhere.id)
            )
        assert (await visitor.start(key, type="service-device")).status_code == 404


async def test_a_yes_whose_time_is_over_opens_no_door(whole: Whole) -> None:
    """Also while its run has not noticed."""
    key, owner = await an_owned_device(whole)
    async with whole.signed_in() as visitor, whole.signed_in(owner) as home:
        visit = await asked(visitor, key)
        assert (await answers(home, visit, "yes")).json()["state"] == "permitted"
        async with whole.sessions.begin() as session:
            over = update(VisitRow).where(VisitRow.id == visit["id"])
            await session.execute(over.values(expires_at=datetime.now(UTC)))
        assert (await visitor.start(key, type="service-device")).status_code == 404
        seen = (await visitor.browser.get(f"/v1/visits/{visit['id']}")).json()
        assert seen["state"] == "ended"


async def test_the_yes_of_a_former_owner_counts_no_more(whole: Whole) -> None:
    key, owner = await an_owned_device(whole)
    buyer = await an_owner(whole.sessions)
    async with whole.signed_in() as visitor, whole.signed_in(owner) as home:
        visit = await asked(visitor, key)
        await whole.stage.control(key, owner_dealer_id=buyer.dealer_id)
        assert problem(await answers(home, visit, "yes")) == (410, "visit_ended")
        assert (await visitor.start(key, type="service-device")).status_code == 404


async def test_a_request_that_no_run_took_up_is_begun_by_the_reconciler(whole: Whole) -> None:
    key, owner = await an_owned_device(whole)
    async with whole.signed_in() as visitor, whole.signed_in(owner) as home:
        visit = await asked(visitor, key)
        async with whole.sessions() as session:
            lost = await session.get_one(VisitRow, visit["id"])
        fresh = uuid.uuid4().hex
        async with whole.sessions.begin() as session:
            values = {c.name: getattr(lost, c.name) for c in VisitRow.__table__.columns}
            values |= {
                "id": fresh,
                "workflow_id": f"visit-{fresh}",
                "device_key": a_device_key(),
                "rev": 0,
                "asked_at": datetime.now(UTC) - timedelta(hours=1),
                "start": lost.start | {"id": fresh},
            }
            session.add(VisitRow(**values))

        async def begun() -> bool:
            async with whole.sessions() as session:
                return (await session.get_one(VisitRow, fresh)).rev > 0

        await a_round(whole.stage)
        await until(begun)
        assert (await answers(home, {"id": fresh}, "no")).json()["state"] == "refused"


@pytest.mark.parametrize("somebody", [an_outside_rep, an_inside_rep, an_admin])
async def test_who_has_a_device_alone_is_asked_by_mail_and_answers(
    whole: Whole, somebody: Callable[[Sessions], Awaitable[User]]
) -> None:
    alone, key = await somebody(whole.sessions), a_device_key("DR5400", traits="270")
    party, now = Party(person_id=alone.id), datetime.now(UTC)
    async with whole.sessions.begin() as session:
        row = a_row("activation", a_name(), key, party, ended=True)
        row.ended_at = now
        session.add(row)
    async with whole.signed_in(alone) as home, whole.signed_in() as visitor:
        visit = await asked(visitor, key)
        (mail,) = await until(lambda: whole.stage.mails(alone.email))
        assert f"/visits/{visit['id']}" in mail["text"]
        shown = await home.browser.get(f"/v1/visits/{visit['id']}")
        assert (shown.status_code, shown.json()["mine"]) == (200, False)
        listed = await home.browser.get("/v1/visits", params={"of": "ours"})
        assert [one["id"] for one in listed.json()["results"]] == [visit["id"]]
        answer = await answers(home, visit, "yes")
        assert answer.json()["state"] == "permitted", answer.text
