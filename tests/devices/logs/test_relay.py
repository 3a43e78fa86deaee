"""Handing logs to runs and asking of devices, in a database of its own: other relays would take what is told here."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Generator
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
from sqlalchemy import text
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from db.base import Sessions, make_engine, make_sessions
from db.devices.devices import devices_waited_for, store_logs
from db.operations.cases.opening import open_case
from db.operations.cases.starts import not_begun
from db.runs.device_reservations import reserve
from dev.servers import Servers
from domain.devices.devices import DeviceLog
from domain.kinds import BUYING, CASE, CHECKING_FIRMWARE
from domain.operations.cases import CaseCause, CaseStart, on_order
from providers.device_network.device_cloud import DeviceCloud
from providers.errors import Unavailable
from tests.dealers.team_rows import an_open_run
from tests.drivers.stage import a_device_key
from workers.operations.case_starter import CaseStarter
from workers.relay import AT_ONCE, Relay

WAITS = "device-testing/waiting"


@pytest.fixture
def database_url(servers: Servers, worker_id: str) -> Generator[str]:
    with servers.database(f"logs_{worker_id}") as urls:
        yield urls[0]


@pytest.fixture
async def sessions(database_url: str) -> AsyncGenerator[Sessions]:
    engine = make_engine(database_url)
    yield make_sessions(engine)
    await engine.dispose()


class Runs:
    """Stands for Temporal: it keeps what runs are told and which are begun, and looks at each call whether anything is locked."""

    def __init__(self, sessions: Sessions) -> None:
        self.told: list[tuple[str, str]] = []
        self.begun: list[str] = []
        self.away: set[str] = set()
        self.locked: int = 0
        self._one_at_a_time = asyncio.Lock()
        self._sessions = sessions

    async def reach(self, workflow_id: str) -> None:
        async with self._one_at_a_time, self._sessions() as session:
            held = await session.scalar(
                text(
                    "select count(*) from pg_stat_activity where datname = current_database()"
                    " and state like 'idle in transaction%'"
                )
            )
        self.locked += int(held or 0)
        if workflow_id in self.away:
            raise RPCError("", RPCStatusCode.UNAVAILABLE, b"")

    def get_workflow_handle(self, workflow_id: str) -> Any:
        return _Handle(self, workflow_id)

    async def start_workflow(self, name: str, start: CaseStart, *, id: str, **more: Any) -> None:
        await self.reach(id)
        self.begun.append(id)


class _Handle:
    def __init__(self, runs: Runs, workflow_id: str) -> None:
        self._runs, self._id = runs, workflow_id

    async def signal(self, name: str, log: DeviceLog, *, rpc_timeout: timedelta) -> None:
        await self._runs.reach(self._id)
        self._runs.told.append((self._id, log.id))


class Network:
    """A device network that answers only once as many are asked as may be."""

    def __init__(self, away: str) -> None:
        self._all_ask = asyncio.Barrier(AT_ONCE)
        self._away = away

    async def logs(self, device_key: str, since: datetime) -> tuple[DeviceLog, ...]:
        await self._all_ask.wait()
        if device_key == self._away:
            raise Unavailable(system="device network", may_have_worked=False)
        return (a_log(device_key),)


def a_log(device_key: str) -> DeviceLog:
    return DeviceLog(
        id=f"log-{uuid.uuid4().hex}",
        device_key=device_key,
        type="report",
        timestamp=datetime.now(UTC),
    )


def a_case() -> CaseStart:
    token = uuid.uuid4().hex
    return CaseStart(
        id=uuid.uuid4().hex,
        cause=CaseCause.ORDER_CANCELLED,
        belongs_to=on_order(token, "T-1", token),
        amount=None,
        detail="The warehouse lost the goods.",
        partner_code="P-1",
        person_id="u1",
        dealer_id=None,
        site="ca",
        opened_at=datetime.now(UTC),
    )


def a_relay(sessions: Sessions, url: str, *, runs: Any = None, network: Any = None) -> Relay:
    return Relay(
        cast(Client, runs),
        cast(DeviceCloud, network),
        sessions,
        database_url=url,
        poll_after=timedelta(0),
    )


async def a_holder(sessions: Sessions, state: str = WAITS) -> tuple[str, str]:
    """The device of an open run, and the run's name."""
    key = a_device_key()
    flow_id = await an_open_run(sessions, None, state=state, device_key=key)
    async with sessions.begin() as session:
        assert await reserve(
            session,
            device_key=key,
            kind="activation",
            flow_id=flow_id,
            workflow_id=f"act-{flow_id}",
        )
    return key, f"act-{flow_id}"


async def test_each_device_that_is_waited_for_is_asked_of_some_time(sessions: Sessions) -> None:
    keys = {(await a_holder(sessions))[0] for _ in range(3)}
    for state in (BUYING, CHECKING_FIRMWARE):
        await a_holder(sessions, state)
    seen: set[str] = set()
    async with sessions() as session:
        for _ in range(200):
            ((key, _),) = await devices_waited_for(session, older_than=timedelta(0), limit=1)
            seen.add(key)
    assert seen == keys


async def test_devices_are_asked_of_side_by_side(sessions: Sessions, database_url: str) -> None:
    keys = [(await a_holder(sessions))[0] for _ in range(AT_ONCE)]
    relay = a_relay(sessions, database_url, network=Network(away=keys[0]))
    assert await relay.poll() == AT_ONCE - 1


class FixedLogs:
    """A device network that has these logs, whichever device is asked of."""

    def __init__(self, logs: dict[str, tuple[DeviceLog, ...]]) -> None:
        self._logs = logs

    async def logs(self, device_key: str, since: datetime) -> tuple[DeviceLog, ...]:
        return self._logs[device_key]


async def test_a_log_that_cannot_be_kept_holds_up_no_other(
    sessions: Sessions, database_url: str
) -> None:
    (first, _), (second, _) = [await a_holder(sessions) for _ in range(2)]
    bad = a_log(first).model_copy(update={"reading": {"network": "A\0T"}})
    network = FixedLogs({first: (a_log(first), bad, a_log(first)), second: (a_log(second),)})
    relay = a_relay(sessions, database_url, network=network)
    assert await relay.poll() == 3
    assert await relay.poll() == 0


async def test_a_run_that_cannot_be_told_holds_up_no_other(
    sessions: Sessions, database_url: str
) -> None:
    (first, lost), (second, found) = [await a_holder(sessions) for _ in range(2)]
    logs = [a_log(key) for key in (first, first, second)]
    for log in logs:
        async with sessions.begin() as session:
            await store_logs(session, [log])
    runs = Runs(sessions)
    runs.away.add(lost)
    relay = a_relay(sessions, database_url, runs=runs)
    assert await relay.deliver() == 1
    assert runs.told == [(found, logs[2].id)]
    runs.away.clear()
    async with sessions.begin() as session:
        await session.execute(text("update device_log set taken_until = now() - interval '1 s'"))
    assert await relay.deliver() == 2
    assert runs.told[1:] == [(lost, logs[0].id), (lost, logs[1].id)]
    assert await relay.deliver() == 0
    assert runs.locked == 0


async def test_a_log_that_another_relay_hands_on_is_left_to_it(
    sessions: Sessions, database_url: str
) -> None:
    key, run = await a_holder(sessions)
    async with sessions.begin() as session:
        await store_logs(session, [a_log(key)])
    runs = Runs(sessions)
    one, other = (a_relay(sessions, database_url, runs=runs) for _ in range(2))
    assert sorted(await asyncio.gather(one.deliver(), other.deliver())) == [0, 1]
    assert [told for told, _ in runs.told] == [run]


async def test_a_case_that_cannot_be_begun_holds_up_no_other(
    sessions: Sessions, database_url: str
) -> None:
    starts = [a_case() for _ in range(2)]
    async with sessions.begin() as session:
        for start in starts:
            await open_case(session, start)
    lost, begun = (CASE.workflow_id(start) for start in starts)
    runs = Runs(sessions)
    runs.away.add(lost)
    starter = CaseStarter(
        cast(Client, runs), sessions, task_queue="nobody", database_url=database_url
    )
    assert await starter.deliver() == 1
    assert (runs.begun, runs.locked) == ([begun], 0)
    async with sessions() as session:
        assert [start.id for start in await not_begun(session, limit=9)] == [starts[0].id]
