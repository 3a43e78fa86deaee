"""One effect and one answer per Idempotency-Key."""

import asyncio
import uuid
from datetime import timedelta

import pytest
from fastapi import Response
from pydantic import BaseModel
from sqlalchemy import func, select, update

from api.platform import idempotency
from api.platform.idempotency import answer_once, claimed
from api.platform.sites import CANADA
from db.base import Sessions
from db.platform.idempotency import TAKEN_OVER_AFTER, IdempotencyRow, KeyReused, StillUnderWay
from domain.errors import Conflict
from domain.identity.people import Actor, User
from tests.drivers.until import until


class Order(BaseModel):
    quantity: int


class Effects:
    """Counts what was done; the first can be held in the middle, all can be made to refuse."""

    def __init__(self) -> None:
        self.count = 0
        self.refuse = False
        self.started = asyncio.Event()
        self.first_may_finish = asyncio.Event()
        self.first_may_finish.set()

    async def __call__(self) -> tuple[int, BaseModel]:
        self.count += 1
        number = self.count
        self.started.set()
        if number == 1:
            await self.first_may_finish.wait()
        if self.refuse:
            raise Conflict
        return 201, Order(quantity=number)


def somebody() -> Actor:
    name = uuid.uuid4().hex
    user = User(id=name, email=f"{name}@people.example", first_name="Robin", last_name="Test")
    return Actor(request_id="test", site=CANADA, user=user, sign_in_id="test")


class Client:
    def __init__(self, sessions: Sessions, effects: Effects) -> None:
        self.sessions, self.effects, self.actor = sessions, effects, somebody()

    async def order(self, key: str | None, quantity: int = 1, operation: str = "order") -> Response:
        return await answer_once(
            self.sessions, self.actor, key, operation, Order(quantity=quantity), self.effects
        )


@pytest.fixture
def effects() -> Effects:
    return Effects()


@pytest.fixture
def client(sessions: Sessions, effects: Effects) -> Client:
    return Client(sessions, effects)


async def test_a_repeat_gets_the_first_answer(client: Client, effects: Effects) -> None:
    first, second = await client.order("key-00001"), await client.order("key-00001")
    assert (first.status_code, first.body) == (second.status_code, second.body)
    assert second.headers["idempotency-replayed"] == "true"
    assert effects.count == 1


async def test_another_key_or_none_is_another_effect(client: Client, effects: Effects) -> None:
    for key in ("key-00001", "key-00002", None, None):
        await client.order(key)
    assert effects.count == 4


async def test_two_people_may_choose_the_same_key(
    client: Client, sessions: Sessions, effects: Effects
) -> None:
    await client.order("key-00001")
    await Client(sessions, effects).order("key-00001")
    assert effects.count == 2


async def test_the_same_key_with_another_body_or_operation_is_refused(
    client: Client, effects: Effects
) -> None:
    await client.order("key-00001", quantity=1)
    with pytest.raises(KeyReused):
        await client.order("key-00001", quantity=2)
    with pytest.raises(KeyReused):
        await client.order("key-00001", quantity=1, operation="cancel")
    assert effects.count == 1


async def test_fifty_at_once_have_one_effect(client: Client, effects: Effects) -> None:
    answers = await asyncio.gather(
        *(client.order("key-00001") for _ in range(50)), return_exceptions=True
    )
    assert effects.count == 1
    assert all(isinstance(answer, Response | StillUnderWay) for answer in answers)
    assert any(isinstance(answer, Response) for answer in answers)


async def test_a_repeat_may_join_what_is_under_way(client: Client, effects: Effects) -> None:
    effects.first_may_finish.clear()
    first = asyncio.create_task(client.order("key-00001"))
    await effects.started.wait()
    async with claimed(
        client.sessions, client.actor, "key-00001", "order", Order(quantity=1), joins=True
    ) as held:
        assert held.joined
        answer = await held.answer(200, Order(quantity=7))
    effects.first_may_finish.set()
    stored = await first
    assert (await client.order("key-00001")).body == stored.body != answer.body


async def test_a_refusal_may_be_tried_again(client: Client, effects: Effects) -> None:
    effects.refuse = True
    with pytest.raises(Conflict):
        await client.order("key-00001")
    effects.refuse = False
    assert (await client.order("key-00001")).status_code == 201


async def grown_old(client: Client, sessions: Sessions) -> None:
    async with sessions.begin() as session:
        await session.execute(
            update(IdempotencyRow)
            .where(IdempotencyRow.actor == client.actor.key)
            .values(claimed_at=IdempotencyRow.claimed_at - 2 * TAKEN_OVER_AFTER)
        )


async def test_a_dead_requests_key_is_taken_over(
    client: Client, sessions: Sessions, effects: Effects
) -> None:
    effects.first_may_finish.clear()
    dead = asyncio.create_task(client.order("key-00001"))
    await effects.started.wait()
    with pytest.raises(StillUnderWay):
        await client.order("key-00001")
    await grown_old(client, sessions)
    second = await client.order("key-00001")
    effects.first_may_finish.set()
    await dead
    assert effects.count == 2
    assert (await client.order("key-00001")).body == second.body


async def test_a_request_keeps_its_key_however_long_it_works(
    client: Client, sessions: Sessions, effects: Effects, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "RENEWED_EVERY", timedelta(milliseconds=10))
    effects.first_may_finish.clear()
    slow = asyncio.create_task(client.order("key-00001"))
    await effects.started.wait()
    await grown_old(client, sessions)

    async def renewed() -> bool:
        old = func.now() - TAKEN_OVER_AFTER
        query = select(IdempotencyRow.claimed_at > old)
        async with sessions() as session:
            return bool(await session.scalar(query.where(IdempotencyRow.actor == client.actor.key)))

    await until(renewed)
    with pytest.raises(StillUnderWay):
        await client.order("key-00001")
    effects.first_may_finish.set()
    first = await slow
    assert (await client.order("key-00001")).body == first.body
    assert effects.count == 1


async def test_what_is_refused_before_takes_no_key(client: Client) -> None:
    async def refuse(_: object) -> None:
        raise Conflict

    with pytest.raises(Conflict):
        async with claimed(
            client.sessions, client.actor, "key-00001", "another", None, check=refuse
        ):
            pytest.fail("it was refused")
    assert (await client.order("key-00001")).status_code == 201


async def test_an_answer_that_cannot_be_read_gives_its_key_back(client: Client) -> None:
    async def unreadable(_: object) -> BaseModel:
        raise Conflict

    with pytest.raises(Conflict):
        async with claimed(client.sessions, client.actor, "key-00001", "another", None) as held:
            await held.answer(200, unreadable)
    assert (await client.order("key-00001")).status_code == 201
