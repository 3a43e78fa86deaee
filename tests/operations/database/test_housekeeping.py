"""Old rows go, young ones stay, and one process sweeps at a time."""

import asyncio
import uuid
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from pydantic import ValidationError
from sqlalchemy import delete, func, select, text

from db.base import Sessions
from db.devices.devices import DeviceLogRow
from db.identity.sign_ins import SignInRow, open_sign_in
from db.operations.housekeeping import LOCK, swept
from db.operations.third_parties import third_parties
from db.platform.idempotency import IdempotencyRow
from db.platform.throttles import Limit, ThrottleRow, count_tries
from domain.operations.operations import ThirdParty
from domain.operations.retention import Retention
from providers.instrumentation import WatchedClient
from tests.drivers.factories import an_installer
from tests.drivers.outside.mail_server import a_messenger
from workers.housekeeping import Housekeeping


def a_house(sessions: Sessions, retention: Retention | None = None) -> Housekeeping:
    return Housekeeping(
        sessions,
        a_messenger(httpx.AsyncClient(), "smtp://127.0.0.1:9", base_url="http://127.0.0.1:9"),
        inquiries_to="nobody@turnkey.example",
        retention=retention,
    )


async def test_old_answers_go_batch_by_batch_and_young_ones_stay(sessions: Sessions) -> None:
    actor = f"user:{uuid.uuid4().hex}"
    async with sessions.begin() as session:
        await session.execute(
            text(
                "insert into idempotency (actor, key, operation, claimed_at)"
                " select :actor, 'old-' || n, 'x', now() - interval '8 days'"
                " from generate_series(1, 1200) n"
            ),
            {"actor": actor},
        )
        session.add(IdempotencyRow(actor=actor, key="young", operation="x"))
    gone = await a_house(sessions).sweep()
    assert gone["idempotency"] >= 1200
    async with sessions() as session:
        left = await session.scalars(
            select(IdempotencyRow.key).where(IdempotencyRow.actor == actor)
        )
        assert left.all() == ["young"]


async def test_an_ended_sign_in_is_remembered_for_a_week(sessions: Sessions) -> None:
    user = await an_installer(sessions)
    async with sessions.begin() as session:
        ages = {"open": None, "today": "1 day", "long ago": "8 days"}
        ids = {name: (await open_sign_in(session, user.id, remembered=True)).id for name in ages}
        for name, age in ages.items():
            if age is not None:
                await session.execute(
                    text(
                        "update sign_in set ended_at = now() - cast(:age as interval) where id = :id"
                    ),
                    {"age": age, "id": ids[name]},
                )
    await a_house(sessions).sweep()
    async with sessions() as session:
        left = await session.scalars(select(SignInRow.id).where(SignInRow.person_id == user.id))
        assert set(left) == {ids["open"], ids["today"]}


async def test_a_throttle_that_counts_is_not_forgotten(sessions: Sessions) -> None:
    limit = Limit(kind=f"test-{uuid.uuid4().hex}", tries=1, window=timedelta(minutes=15))
    async with sessions.begin() as session:
        await count_tries(session, [(limit, "somebody")])
    await a_house(sessions).sweep()
    async with sessions() as session:
        count = select(func.count()).where(ThrottleRow.kind == limit.kind)
        assert await session.scalar(count) == 1


@pytest.mark.parametrize("days", [60, 365])
async def test_what_devices_told_is_forgotten_after_its_time(sessions: Sessions, days: int) -> None:
    key = f"FT-X1-{uuid.uuid4().hex[:8]}"
    ages = {"old": days + 1, "waits": days + 1, "young": days - 1}
    async with sessions.begin() as session:
        for name, age in ages.items():
            then = datetime.now(UTC) - timedelta(days=age)
            session.add(
                DeviceLogRow(
                    id=f"{name}-{key}",
                    device_key=key,
                    type="report",
                    timestamp=then,
                    ok=True,
                    reading={"latitude": 49.2},
                    received_at=then,
                    delivered_at=None if name == "waits" else then,
                    taken_until=datetime.now(UTC) + timedelta(hours=1),
                )
            )
    await a_house(sessions, Retention(device_logs=timedelta(days=days))).sweep()
    async with sessions.begin() as session:
        rows = await session.scalars(
            select(DeviceLogRow.id).where(DeviceLogRow.device_key == key).order_by(DeviceLogRow.id)
        )
        assert [id_.partition("-")[0] for id_ in rows] == ["waits", "young"]
        await session.execute(delete(DeviceLogRow).where(DeviceLogRow.device_key == key))


def test_what_devices_told_is_kept_for_as_long_as_a_run_may_last() -> None:
    with pytest.raises(ValidationError):
        Retention(device_logs=timedelta(days=59))


async def test_only_one_process_sweeps(sessions: Sessions) -> None:
    actor = f"user:{uuid.uuid4().hex}"
    async with sessions.begin() as session:
        await session.execute(
            text(
                "insert into idempotency (actor, key, operation, claimed_at)"
                " values (:actor, 'old', 'x', now() - interval '8 days')"
            ),
            {"actor": actor},
        )
    async with sessions.begin() as another:
        await another.execute(
            select(func.pg_advisory_xact_lock(LOCK, func.hashtext("idempotency")))
        )
        assert "idempotency" not in await a_house(sessions).sweep()
    gone = await asyncio.gather(*(a_house(sessions).sweep() for _ in range(3)))
    assert sum(each.get("idempotency", 0) for each in gone) >= 1, gone


async def test_what_is_swept_is_a_table_and_every_short_lived_one_is(sessions: Sessions) -> None:
    async with sessions() as session:
        held = await session.scalars(
            text(
                "select table_name from information_schema.columns where column_name = 'expires_at'"
            )
        )
        # An invitation stays as the record of who joined, a verification as that of how its account was proven, a visit
        # as that of whom an owner let in.
        short_lived = set(held) - {"invitation", "bank_verification", "visit"}
    assert short_lived <= set(swept())


async def test_how_an_outside_system_answers_is_written_down(sessions: Sessions) -> None:
    async def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("slow"):
            raise httpx.ReadTimeout("")
        return httpx.Response(503 if request.url.path.endswith("bad") else 404)

    process = uuid.uuid4().hex
    async with WatchedClient(
        systems={"network": "http://there/network"},
        process=process,
        transport=httpx.MockTransport(answer),
    ) as client:
        house = Housekeeping(
            sessions,
            a_messenger(client, "smtp://127.0.0.1:9", base_url="http://there"),
            inquiries_to="nobody@turnkey.example",
            seen=client.seen,
        )
        await client.get("http://there/network/bad")
        with pytest.raises(httpx.ReadTimeout):
            await client.get("http://there/network/slow")
        await house.report()
        (away,) = await written(sessions, process)
        assert (away.system, away.calls, away.failures) == ("network", 2, 2)
        assert (away.is_well, away.reason) == (False, "ReadTimeout")
        await client.get("http://there/network/absent")
        await house.report()
        (well,) = await written(sessions, process)
        assert (well.calls, well.failures, well.is_well) == (3, 2, True)


async def written(sessions: Sessions, process: str) -> list[ThirdParty]:
    async with sessions() as session:
        return [each for each in await third_parties(session) if each.process == process]
