"""An administrator has a person forgotten: nothing of them is found any more, and every ledger still adds up."""

import asyncio
import json
import re
import uuid
from collections import Counter
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import psycopg
import pytest
from fastapi import FastAPI
from sqlalchemy import insert, select, text, update
from starlette.types import Message, Receive, Scope, Send

from db.base import Sessions
from db.checkout.placements import PlacementRow
from db.content.inquiries import InquiryRow
from db.dealers.dealers import make_owner, present_owners
from db.identity.erasure import known_of
from db.identity.people import PersonRow
from db.orders.tables import OrderRow
from db.partners.reps import primary_of
from db.runs.flows import FlowRow, TransitionRow
from domain.identity.people import ADMIN_ACCESS, User
from tests.canary.scan import Canary, search, tables
from tests.drivers.database.locks import waiting_behind
from tests.drivers.database.plans import plans_of
from tests.drivers.factories import Dealer, a_dealer, a_name, an_admin, an_installer, an_owner
from tests.drivers.numbers import a_phone_number
from tests.drivers.portal import a_browser, a_key, running_portal, sign_in
from tests.drivers.until import until
from tests.identity.messages import a_reachable_portal
from tests.partners.factories import a_primary

NOW = datetime(2026, 8, 1, tzinfo=UTC)
AMOUNT = "1234.56"


@pytest.fixture
async def browser(database_url: str) -> AsyncGenerator[httpx.AsyncClient]:
    async with running_portal(database_url) as app, a_browser(app) as client:
        yield client


@pytest.fixture
async def person(sessions: Sessions, browser: httpx.AsyncClient) -> User:
    """Somebody with a name and a number that nobody else has, who signed in and left traces everywhere."""
    dealer = await a_dealer(sessions)
    user = await an_owner(sessions, dealer)
    async with sessions.begin() as session:
        row = await session.get_one(PersonRow, user.id)
        row.first_name, row.last_name = "Nia", f"Newcomer-{a_name()}"
        row.phone_number = a_phone_number()
    named = user.model_copy(
        update={"first_name": "Nia", "last_name": row.last_name, "phone_number": row.phone_number}
    )
    await leave_traces(sessions, named)
    assert (await sign_in(browser, named, remember_me=True)).is_success
    return named


async def leave_traces(sessions: Sessions, user: User) -> None:
    """A run that has ended, an order, and a letter to us."""
    who = {"id": user.id, "name": user.name, "email": user.email, "phone": user.phone_number}
    run, token = a_name(), uuid.uuid4().hex
    async with sessions.begin() as session:
        session.add(
            FlowRow(
                id=run, kind="activation", version=1, workflow_id=f"act-{run}", run_id="r", rev=3, seq=1,
                state="completed", allowed=[], view={"owner": who, "note": f"asked by {user.name}"},
                site="ca", owner_id=user.id, partner=user.partner_code, dealer_id=user.dealer_id,
                created_at=NOW, updated_at=NOW, ended_at=NOW,
            )
        )  # fmt: skip
        session.add(
            TransitionRow(
                flow_id=run, rev=1, event="opened", from_state="", to_state="a", at=NOW,
                actor_id=user.id, actor=user.name,
            )
        )  # fmt: skip
        session.add(
            InquiryRow(
                id=a_name(), kind="contact_us", reply_to=user.email, said={"name": user.name}
            )
        )
        session.add(
            PlacementRow(
                token=token, turn=1, workflow_id=f"order-{token}", start={"buyer": who, "total": AMOUNT},
                quote={"total": AMOUNT}, ended_at=NOW,
            )
        )  # fmt: skip
        await session.execute(
            insert(OrderRow).values(
                id=a_name(), token=token, workflow_id=f"order-{token}",
                status="confirmed", partner_code=user.partner_code, placed_by=user.id,
                placed_by_name=user.name, pieces=1, subtotal=AMOUNT, freight=0, tax=0, total=AMOUNT,
                taxes=[], shipping_method="s", shipping_address={"name": user.name, "street": "1 Main"},
                billing_address={"name": "Shop"}, payment_type="TERMS", payment_shown="Terms", channel="dealer-1",
                accepted_at=NOW, created_at=NOW, updated_at=NOW, coupon_amount=0,
            )
        )  # fmt: skip


def of_them(user: User) -> list[Canary]:
    return [
        Canary("name", user.name),
        Canary("last name", user.last_name),
        Canary("email", user.email),
        Canary("phone", user.phone_number or ""),
    ]


async def erase(browser: httpx.AsyncClient, user: User, **given: Any) -> httpx.Response:
    body = {"email": user.email, "reason": "asked by letter", **given}
    return await browser.post(f"/v1/operations/account/{user.id}/erase", json=body, headers=a_key())


async def test_nothing_of_an_erased_person_is_found_and_their_orders_stand(
    browser: httpx.AsyncClient, sessions: Sessions, database_urls: tuple[str, str], person: User
) -> None:
    assert {one.split(" (")[0] for one in search(of_them(person), tables(database_urls[1]))} >= {
        "name", "email", "phone",
    }  # fmt: skip
    old = dict(browser.headers)
    await sign_in(browser, await an_admin(sessions))
    answer = await erase(browser, person)
    assert answer.status_code == 200, answer.text
    token = answer.json()["token"]
    assert search(of_them(person), tables(database_urls[1])) == []

    async with sessions() as session:
        order = (
            await session.scalars(select(OrderRow).where(OrderRow.placed_by == person.id))
        ).one()
        assert (str(order.total), order.placed_by_name) == (AMOUNT, token)
        assert order.shipping_address == {"name": token, "street": "1 Main"}
        placed = await session.scalar(
            select(PlacementRow.start).where(PlacementRow.token == order.token)
        )
        assert placed == {
            "buyer": {"id": person.id, "name": token, "email": token, "phone": token}, "total": AMOUNT,
        }  # fmt: skip
        said = (
            await session.execute(
                text(
                    "select actor, more from audit where action = 'person erased' and object_id = :id"
                ),
                {"id": person.id},
            )
        ).one()
        assert said.more["token"] == token
        signed_in = await session.scalar(
            text("select count(*) from audit where actor = :key"), {"key": f"user:{person.id}"}
        )
        assert signed_in > 0
    browser.headers["Authorization"] = old["authorization"]
    assert (await browser.get("/v1/auth/user")).status_code == 401
    assert (await sign_in(browser, person)).status_code in (400, 401)


async def test_somebody_of_the_same_name_keeps_it(
    browser: httpx.AsyncClient, sessions: Sessions, person: User
) -> None:
    other = await an_installer(sessions)
    async with sessions.begin() as session:
        row = await session.get_one(PersonRow, other.id)
        row.first_name, row.last_name = person.first_name, person.last_name
    namesake = other.model_copy(
        update={"first_name": person.first_name, "last_name": person.last_name}
    )
    await leave_traces(sessions, namesake)
    await sign_in(browser, await an_admin(sessions))
    assert (await erase(browser, person)).status_code == 200
    async with sessions() as session:
        order = (
            await session.scalars(select(OrderRow).where(OrderRow.placed_by == other.id))
        ).one()
        assert order.placed_by_name == namesake.name
        run = (await session.scalars(select(FlowRow).where(FlowRow.owner_id == other.id))).one()
        assert run.view["note"] == f"asked by {namesake.name}"


async def test_runs_that_name_them_end_or_go_to_somebody_else_first(
    browser: httpx.AsyncClient, sessions: Sessions, person: User
) -> None:
    async with sessions.begin() as session:
        run = (await session.scalars(select(FlowRow).where(FlowRow.owner_id == person.id))).one()
        run.ended_at = None
    await sign_in(browser, await an_admin(sessions))
    listed = await browser.get(f"/v1/operations/account/{person.id}/open-runs")
    assert listed.json() == {"results": [{"kind": "activation", "id": run.id}]}
    refused = await erase(browser, person)
    assert (refused.status_code, refused.json()["code"]) == (409, "open_runs_left")
    async with sessions.begin() as session:
        row = await session.get_one(FlowRow, run.id)
        row.ended_at = NOW + timedelta(days=1)
    assert (await erase(browser, person)).status_code == 200
    again = await erase(browser, person)
    assert (again.status_code, again.json()["code"]) == (409, "already_erased")


async def test_the_last_owner_makes_another_before_they_go(
    browser: httpx.AsyncClient, sessions: Sessions, person: User
) -> None:
    hand = await an_installer(
        sessions, Dealer(id=person.dealer_id or "", partner_code=person.partner_code or "")
    )
    await sign_in(browser, await an_admin(sessions))
    refused = await erase(browser, person)
    assert (refused.status_code, refused.json()["code"]) == (409, "last_owner")
    async with sessions.begin() as session:
        await make_owner(session, hand.id)
    assert (await erase(browser, person)).status_code == 200
    assert (await erase(browser, hand)).status_code == 200, "with nobody left, nobody needs one"


async def test_an_administrator_names_who_owns_the_business_from_then_on(
    browser: httpx.AsyncClient, sessions: Sessions, person: User
) -> None:
    """An owner who is gone makes nobody an owner any more."""
    hand = await an_installer(
        sessions, Dealer(id=person.dealer_id or "", partner_code=person.partner_code or "")
    )
    stranger = await an_installer(sessions, await a_dealer(sessions))
    await sign_in(browser, await an_admin(sessions))
    for nobody in (stranger.email, person.email, "nobody@shop.example"):
        refused = await erase(browser, person, next_owner=nobody)
        assert (refused.status_code, refused.json()["code"]) == (409, "last_owner")
    assert (await erase(browser, person, next_owner=hand.email.upper())).status_code == 200
    async with sessions() as session:
        (owner,) = await present_owners(session, person.dealer_id or "")
    assert owner.id == hand.id


async def test_whoever_owns_the_business_from_then_on_is_told(
    sessions: Sessions, database_url: str, simulators: FastAPI
) -> None:
    dealer = await a_dealer(sessions)
    gone, heir = await a_primary(sessions, dealer), await an_installer(sessions, dealer)
    async with a_reachable_portal(database_url, simulators) as here, a_browser(here.app) as admin:
        await sign_in(admin, await an_admin(sessions))
        assert (await erase(admin, gone, next_owner=heir.email)).status_code == 200
        (told,) = await here.texts_to(heir.email)
    assert f"{heir.name} is an owner of Dealer {dealer.partner_code} now" in told
    assert gone.name not in told
    async with sessions() as session:
        primary = await primary_of(session, dealer.id)
    assert primary is not None
    assert primary.id == heir.id, "else no inside rep could work for it"


async def test_of_two_administrators_who_erase_each_other_one_stays(
    browser: httpx.AsyncClient, sessions: Sessions, database_url: str
) -> None:
    one, other = await an_admin(sessions), await an_admin(sessions)
    async with running_portal(database_url) as app, a_browser(app) as second:
        await sign_in(browser, one)
        await sign_in(second, other)
        answers = await asyncio.gather(erase(browser, other), erase(second, one))
    assert sorted(answer.status_code for answer in answers) == [200, 401]
    async with sessions() as session:
        left = [(await session.get_one(PersonRow, user.id)).access_type for user in (one, other)]
    assert sorted(left, key=str) == [None, ADMIN_ACCESS]


async def test_an_administrator_who_retires_meanwhile_erases_nobody(
    browser: httpx.AsyncClient, sessions: Sessions, person: User
) -> None:
    admin = await an_admin(sessions)
    await sign_in(browser, admin)
    async with sessions.begin() as session:
        (await session.get_one(PersonRow, admin.id, with_for_update=True)).is_retired = True
        await session.flush()
        asked = asyncio.create_task(erase(browser, person))
        await until(lambda: waiting_behind(session))
    assert (await asked).status_code == 401
    async with sessions() as session:
        assert (await session.get_one(PersonRow, person.id)).email == person.email


async def test_the_address_is_typed_again_and_nobody_erases_themselves(
    browser: httpx.AsyncClient, sessions: Sessions, person: User
) -> None:
    admin = await an_admin(sessions)
    await sign_in(browser, admin)
    for user, given, code in (
        (person, {"email": "somebody@else.example"}, "not_that_person"),
        (admin, {}, "not_oneself"),
    ):
        refused = await erase(browser, user, **given)
        assert (refused.status_code, refused.json()["code"]) == (409, code)
    assert (await browser.get("/v1/operations/account/nobody/open-runs")).status_code == 404
    assert (await sign_in(browser, person)).is_success


async def test_what_is_known_of_a_person_is_handed_out_without_secrets(
    browser: httpx.AsyncClient, sessions: Sessions, person: User
) -> None:
    await sign_in(browser, await an_admin(sessions))
    answer = await browser.post(f"/v1/operations/account/{person.id}/known")
    assert answer.status_code == 200
    assert "attachment" in answer.headers["content-disposition"]
    known = answer.json()["tables"]
    assert {"person", "sign_in", "flow", "transition", "placement", "shop_order", "inquiry"} <= set(
        known
    )
    assert known["person"][0]["phone_number"] == person.phone_number
    assert "password_hash" not in known["person"][0]
    assert all("token_hash" not in row for rows in known.values() for row in rows)


async def test_what_is_known_holds_nothing_of_others(
    browser: httpx.AsyncClient, sessions: Sessions, person: User
) -> None:
    other = await an_installer(sessions)
    await leave_traces(sessions, other)
    await sign_in(browser, await an_admin(sessions))
    text_ = json.dumps((await browser.post(f"/v1/operations/account/{person.id}/known")).json())
    assert other.email not in text_
    assert other.id not in text_


async def test_what_is_known_begins_to_be_told_before_it_is_gathered(
    database_url: str, sessions: Sessions, person: User
) -> None:
    """What has not begun in a few seconds is given up (decision 71), and this may take two minutes."""
    begun: list[int] = []
    async with running_portal(database_url) as app:

        async def noticed(scope: Scope, receive: Receive, send: Send) -> None:
            async def noticing(message: Message) -> None:
                if message["type"] == "http.response.start":
                    begun.append(message["status"])
                await send(message)

            await app(scope, receive, noticing)

        async with a_browser(noticed) as browser:
            await sign_in(browser, await an_admin(sessions))
            begun.clear()
            async with sessions.begin() as session:
                await session.execute(text("lock table saved_list in access exclusive mode"))
                asked = asyncio.create_task(
                    browser.post(f"/v1/operations/account/{person.id}/known")
                )
                await until(lambda: waiting_behind(session))
                assert begun == [200]
            assert (await asked).json()["person_id"] == person.id


async def test_a_document_is_made_a_text_twice_at_most(sessions: Sessions, person: User) -> None:
    """Whatever is known of the person: an id, an address, a number, a name and a business."""
    plan = await plans_of(sessions, lambda session: known_of(session, person))
    made = [Counter(re.findall(r"lower\(\(?(\w+)", line)) for line in plan.splitlines()]
    assert any(made)
    assert max(times for line in made for times in line.values()) == 2


async def test_a_sign_in_an_address_stands_for_itself_alone(
    browser: httpx.AsyncClient, sessions: Sessions, person: User
) -> None:
    """To the database `_` is any letter."""
    name = a_name()
    addresses = {person.id: f"a_b%{name}@shop.test", "": f"axbyy{name}@shop.test"}
    runs = [a_name() for _ in addresses]
    async with sessions.begin() as session:
        (await session.get_one(PersonRow, person.id)).email = addresses[person.id]
        for run, address in zip(runs, addresses.values(), strict=True):
            session.add(
                FlowRow(
                    id=run, kind="activation", version=1, workflow_id=f"act-{run}", run_id="r", rev=3, seq=1,
                    state="completed", allowed=[], view={"consumer_email": address.upper()}, site="ca",
                    created_at=NOW, updated_at=NOW, ended_at=NOW,
                )
            )  # fmt: skip
    await sign_in(browser, await an_admin(sessions))
    known = (await browser.post(f"/v1/operations/account/{person.id}/known")).json()["tables"]
    found = {one["id"] for one in known["flow"]}
    assert [run in found for run in runs] == [True, False]


async def test_who_has_no_account_is_forgotten_and_told_what_is_known_by_address(
    browser: httpx.AsyncClient, sessions: Sessions, person: User
) -> None:
    """The owner of a car, who wrote to us once; nobody else's rows are touched."""
    address, run, letter = f"driver-{a_name()}@home.example", a_name(), a_name()
    async with sessions.begin() as session:
        session.add(
            FlowRow(
                id=run, kind="activation", version=1, workflow_id=f"act-{run}", run_id="r", rev=3, seq=1,
                state="sending", allowed=[], view={"consumer_email": address.upper()}, site="ca",
                owner_id=person.id, created_at=NOW, updated_at=NOW, ended_at=None,
            )
        )  # fmt: skip
        session.add(InquiryRow(id=letter, kind="contact_us", reply_to=address, said={"name": "D"}))
    await sign_in(browser, await an_admin(sessions))
    whose, at = {"email": address}, "/v1/operations/address"
    known = (await browser.post(f"{at}/known", json=whose)).json()
    assert known["person_id"] is None
    assert {name: len(rows) for name, rows in known["tables"].items()} == {"flow": 1, "inquiry": 1}
    listed = (await browser.post(f"{at}/open-runs", json=whose)).json()["results"]
    assert listed == [{"kind": "activation", "id": run}]
    body = {"address": address, "email": address, "reason": "asked by letter"}
    refused = await browser.post(f"{at}/erase", json=body, headers=a_key())
    assert (refused.status_code, refused.json()["code"]) == (409, "open_runs_left")
    async with sessions.begin() as session:
        (await session.get_one(FlowRow, run)).ended_at = NOW
    other = await browser.post(f"{at}/erase", json=body | {"email": "x@y.z"}, headers=a_key())
    assert (other.status_code, other.json()["code"]) == (409, "not_that_person")
    key = a_key()
    done = [await browser.post(f"{at}/erase", json=body, headers=key) for _ in range(2)]
    assert [answer.json() for answer in done] == [
        {"token": done[0].json()["token"], "rows": {"flow": 1, "inquiry": 1}}
    ] * 2
    async with sessions() as session:
        row = await session.get_one(FlowRow, run)
        assert row.view == {"consumer_email": done[0].json()["token"]}
        assert row.owner_id == person.id
        assert await session.get(InquiryRow, letter) is None
    assert (await browser.post(f"{at}/known", json=whose)).json()["tables"] == {}


async def test_an_address_that_holds_theirs_is_somebody_elses(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    """Their rows are told nobody else, stay as they are, and keep nothing from being erased."""
    name, token = a_name(), uuid.uuid4().hex
    address = f"{name}@home.example"
    others = [f"jim{address}", f"jim.{address}", f"jim+{address}", f"o'{address}", f"{address}.au"]
    theirs = {a_name(): {"consumer_email": address}, a_name(): {"note": f"for:\n{address}."}}
    foreign = {a_name(): {"consumer_email": other} for other in others}
    async with sessions.begin() as session:
        for run, view in (theirs | foreign).items():
            session.add(
                FlowRow(
                    id=run, kind="activation", version=1, workflow_id=f"act-{run}", run_id="r", rev=3, seq=1,
                    state="sending", allowed=[], view=view, site="ca",
                    created_at=NOW, updated_at=NOW, ended_at=NOW if run in theirs else None,
                )
            )  # fmt: skip
        session.add(
            PlacementRow(
                token=token, turn=1, workflow_id=f"order-{token}", start={"buyer": others}, quote={}
            )
        )
    await sign_in(browser, await an_admin(sessions))
    at, whose = "/v1/operations/address", {"email": address}
    known = (await browser.post(f"{at}/known", json=whose)).json()["tables"]
    assert {table: {row["id"] for row in rows} for table, rows in known.items()} == {
        "flow": set(theirs)
    }
    assert (await browser.post(f"{at}/open-runs", json=whose)).json() == {"results": []}
    body = {"address": address, "email": address, "reason": "asked by letter"}
    erased = (await browser.post(f"{at}/erase", json=body, headers=a_key())).json()
    assert erased["rows"] == {"flow": 2}
    async with sessions.begin() as session:
        views = {run: (await session.get_one(FlowRow, run)).view for run in theirs | foreign}
        ended = {"ended_at": NOW}
        await session.execute(update(FlowRow).where(FlowRow.id.in_(foreign)).values(ended))
        placed = await session.scalar(
            update(PlacementRow)
            .where(PlacementRow.token == token)
            .values(ended)
            .returning(PlacementRow.start)
        )
    instead = erased["token"]
    assert list(views.values())[:2] == [
        {"consumer_email": instead}, {"note": f"for:\n{instead}."},
    ]  # fmt: skip
    assert {run: views[run] for run in foreign} == foreign
    assert placed == {"buyer": others}


@pytest.mark.parametrize("what", ["known", "open-runs", "erase"])
async def test_an_address_with_an_account_is_looked_up_by_it(
    browser: httpx.AsyncClient, sessions: Sessions, person: User, what: str
) -> None:
    await sign_in(browser, await an_admin(sessions))
    road = f"/v1/operations/address/{what}"
    body = {"address": person.email, "email": person.email, "reason": "asked by letter"}
    answer = (
        await browser.post(road, json=body, headers=a_key())
        if what == "erase"
        else await browser.post(road, json={"email": person.email})
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "has_account")


def test_the_audit_cannot_be_rewritten_by_the_application(database_url: str) -> None:
    with (
        psycopg.connect(database_url) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute("update audit set actor = 'nobody'")
