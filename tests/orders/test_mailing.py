"""The confirmation of an order: written down with its end, mailed once, whatever becomes of a worker or of the mail server."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Generator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import func, select, update
from temporalio.client import Client

from activities.orders.confirmations import Confirmations
from assembly import systems_of
from db.base import Sessions, make_engine, make_sessions
from db.dealers.dealers import set_retired
from db.identity.people import PersonRow
from db.orders.mails import TAKEN_FOR, OrderMailRow, queue_mail, take_mails
from db.orders.progress import store
from dev.servers import Servers
from domain.identity.people import User
from domain.orders.orders import Order
from domain.paper.seller import DEMO_SELLER
from settings import Settings
from simulators.main import create_app
from tests.checkout.cart.buyers import a_buyer
from tests.checkout.placements.runs import begun, ended
from tests.checkout.placements.stories import sent_meanwhile
from tests.drivers.factories import Dealer, a_name, an_owner
from tests.drivers.outside.mail_server import taking_mail
from tests.drivers.stage import Stage, a_stage
from tests.drivers.until import until
from tests.orders.factories import a_new_order, code_of
from tests.replay.histories import commands
from workers.orders.mailing import BATCH, OrderMailing

PORTAL = "https://portal.test"


class Post:
    """Workers that mail, and what the mail server got."""

    def __init__(self, sessions: Sessions, http: httpx.AsyncClient, confirmations: Confirmations):
        self.sessions, self.http, self.confirmations = sessions, http, confirmations

    def a_worker(self) -> OrderMailing:
        return OrderMailing(self.confirmations, self.sessions, database_url="")

    async def deliver(self) -> None:
        """Until nothing waits that can be sent now."""
        while await self.a_worker().deliver():
            pass

    async def mails_to(self, person: User) -> list[dict[str, Any]]:
        answer = await self.http.get("/messenger/_outbox", params={"to": person.email})
        return answer.json()["results"]

    async def confirmed(
        self, *, mailbox: str | None = None, request_id: str | None = None
    ) -> tuple[User, Order]:
        """An order whose buyer is to be mailed; `mailbox` is how the mail server is to take it (`simulators/messages/mail.py`)."""
        user = await a_buyer(self.sessions)
        async with self.sessions.begin() as session:
            if mailbox is not None:
                address = f"{mailbox}@{a_name()}.example"
                person = update(PersonRow).where(PersonRow.id == user.id)
                await session.execute(person.values(email=address))
                user = user.model_copy(update={"email": address})
            order = await store(session, a_new_order(code_of(user), placed_by=user.id))
            await queue_mail(session, order.token, PORTAL, request_id=request_id)
        return user, order

    async def waiting(self, order: Order) -> timedelta | None:
        """For how long nobody looks at it; None once it is out."""
        left = OrderMailRow.next_at - func.now()
        async with self.sessions() as session:
            return await session.scalar(select(left).where(OrderMailRow.token == order.token))

    async def later(self, order: Order) -> None:
        """The time for which somebody had taken it is over."""
        async with self.sessions.begin() as session:
            row = update(OrderMailRow).where(OrderMailRow.token == order.token)
            await session.execute(row.values(next_at=func.now() - timedelta(seconds=1)))


@pytest.fixture(scope="module")
def own_database(servers: Servers) -> Generator[str]:
    """Nobody else mails what waits here."""
    with servers.database(f"mailing_{a_name()[:12]}") as (url, _):
        yield url


@pytest.fixture(scope="module")
async def own_sessions(own_database: str) -> AsyncGenerator[Sessions]:
    engine = make_engine(own_database)
    yield make_sessions(engine)
    await engine.dispose()


@pytest.fixture
async def post(own_sessions: Sessions, tmp_path: Path) -> AsyncGenerator[Post]:
    sessions = own_sessions
    stand_ins: FastAPI = create_app(tmp_path / "simulators.sqlite", None, latency=(0.0, 0.0))
    transport = httpx.ASGITransport(stand_ins)
    async with (
        stand_ins.router.lifespan_context(stand_ins),
        httpx.AsyncClient(transport=transport, base_url="http://stand-ins") as http,
        taking_mail(lambda: stand_ins) as mail_url,
    ):
        systems = systems_of(Settings(mail_url=mail_url, mail_encryption="none"), http, sessions)
        yield Post(sessions, http, Confirmations(sessions, systems.messenger, DEMO_SELLER))


async def test_workers_that_look_at_once_mail_it_once(post: Post) -> None:
    user, order = await post.confirmed()
    await asyncio.gather(*(post.a_worker().deliver() for _ in range(4)))
    await post.deliver()
    (mail,) = await post.mails_to(user)
    assert mail["subject"] == f"Your order {order.number}"
    assert await post.waiting(order) is None


async def test_owners_get_the_papers_of_a_buyer_who_has_left(post: Post) -> None:
    buyer, order = await post.confirmed()
    dealer = Dealer(id=buyer.dealer_id or "", partner_code=code_of(buyer))
    owner = await an_owner(post.sessions, dealer)
    async with post.sessions.begin() as session:
        await set_retired(session, buyer.id, is_retired=True)
    await post.deliver()
    (mail,) = await post.mails_to(owner)
    assert mail["subject"] == f"Your order {order.number}"
    assert await post.mails_to(buyer) == []


async def test_each_mail_names_the_click_that_confirmed_its_order(post: Post) -> None:
    clicks = "0123456789abcdef01234567", None
    users = [(await post.confirmed(request_id=click))[0] for click in clicks]
    await post.deliver()
    for user, click in zip(users, clicks, strict=True):
        (mail,) = await post.mails_to(user)
        assert mail["request_id"] == click


async def test_an_end_that_is_carried_out_twice_mails_once(post: Post) -> None:
    user, order = await post.confirmed()
    await post.deliver()
    async with post.sessions.begin() as session:
        await queue_mail(session, order.token, PORTAL)
    await post.deliver()
    assert len(await post.mails_to(user)) == 1
    assert await post.waiting(order) is None


async def test_a_worker_that_dies_before_it_mails_loses_nothing(post: Post) -> None:
    user, order = await post.confirmed()
    async with post.sessions.begin() as session:
        await take_mails(session, limit=100)
    await post.deliver()
    assert await post.mails_to(user) == []
    left = await post.waiting(order)
    assert left is not None
    assert left <= TAKEN_FOR
    await post.later(order)
    await post.deliver()
    assert len(await post.mails_to(user)) == 1


async def test_a_worker_that_dies_after_it_mailed_does_not_mail_twice(post: Post) -> None:
    user, order = await post.confirmed()
    async with post.sessions.begin() as session:
        await take_mails(session, limit=100)
    await post.confirmations.mail(order.token, PORTAL)
    await post.later(order)
    await post.deliver()
    assert len(await post.mails_to(user)) == 1
    assert await post.waiting(order) is None


async def test_a_buyer_who_cannot_be_reached_waits_longer_each_time_and_holds_up_nobody(
    post: Post,
) -> None:
    _, stuck = await post.confirmed(mailbox="down")
    there, order = await post.confirmed()
    await post.deliver()
    assert len(await post.mails_to(there)) == 1
    assert await post.waiting(order) is None
    pauses: list[timedelta] = []
    for _ in range(3):
        await post.later(stuck)
        await post.a_worker().deliver()
        left = await post.waiting(stuck)
        assert left is not None
        pauses.append(left)
    assert timedelta(0) < pauses[0] < pauses[1] < pauses[2] <= timedelta(minutes=10)


async def test_a_mail_that_hangs_holds_up_no_other_of_its_batch(post: Post) -> None:
    _, slow = await post.confirmed(mailbox="slow")
    there, order = await post.confirmed()
    batch = asyncio.ensure_future(post.a_worker().deliver())
    await until(lambda: post.waiting(order), lambda left: left is None)
    assert len(await post.mails_to(there)) == 1
    assert not batch.done()
    assert await post.waiting(slow) is not None
    assert await batch == 2
    assert await post.waiting(slow) is None


async def test_behind_a_whole_batch_that_is_not_taken_there_may_be_more(post: Post) -> None:
    for _ in range(BATCH):
        await post.confirmed(mailbox="down")
    there, _ = await post.confirmed()
    assert await post.a_worker().deliver() == BATCH
    await post.deliver()
    assert len(await post.mails_to(there)) == 1


@pytest.fixture
async def stage(
    temporal: Client, own_sessions: Sessions, own_database: str, task_queue: str, tmp_path: Path
) -> AsyncGenerator[Stage]:
    """Its worker mails orders."""
    async with a_stage(
        temporal, own_sessions, own_database, task_queue, tmp_path, mails_orders=True
    ) as here:
        yield here


async def test_the_end_of_an_order_has_its_buyer_mailed_and_waits_for_nobody(stage: Stage) -> None:
    run = await begun(stage, type_="COD")
    handle = await ended(run, "confirmed")
    (mail,) = await until(lambda: stage.mails(run.shop.buyer.email), bool)
    order = (await run.moving()).order
    assert order is not None
    assert mail["subject"] == f"Your order {order.number}"
    asked = commands(json.loads((await handle.fetch_history()).to_json()))
    assert asked[-2:] == ["activity end_placement", "complete"]


async def test_who_cancelled_too_late_reads_first_that_the_order_stands(stage: Stage) -> None:
    run = await begun(stage, po_number="ERP-UNSEEN")
    await sent_meanwhile(stage, run)
    (mail,) = await until(lambda: stage.mails(run.shop.buyer.email), bool)
    order = (await run.moving()).order
    assert order is not None
    stands = "The order was sent before it could be cancelled, so it stands."
    thanks = f"Thank you for your order {order.number}."
    assert mail["subject"] == f"Your order {order.number}"
    assert mail["text"].split("\n\n")[:2] == [stands, thanks]
    said = [" ".join(one.split()) for one in re.findall(r"<p[^>]*>(.*?)</p>", mail["html"], re.S)]
    assert said.index(stands) < said.index(thanks)
