"""Which logs of a device its runs are told of."""

from datetime import UTC, datetime

from db.base import Sessions
from db.devices.devices import outbox, store_logs, take_undelivered
from db.runs.device_reservations import reserve
from db.runs.projections import save_projection
from domain.devices.devices import DeviceLog
from domain.runs.projection import FlowKind, Projection
from tests.drivers.database.own_database import database_url, sessions
from tests.drivers.factories import a_name
from tests.drivers.stage import a_device_key

__all__ = ["database_url", "sessions"]


async def shown(sessions: Sessions, device_key: str, flow_id: str, rev: int, state: str) -> None:
    async with sessions.begin() as session:
        projection = Projection(
            id=flow_id,
            kind="activation",
            version=3,
            workflow_id=flow_id,
            run_id=flow_id,
            rev=rev,
            seq=rev,
            state=state,
            allowed=(),
            view={},
            device_key=device_key,
            site="ca",
            dealer_id=None,
            owner_id=None,
            partner=None,
            outcome=None,
            at=datetime.now(UTC),
            ended=False,
        )
        await save_projection(session, projection)


async def runs_told(sessions: Sessions, device_key: str, **log: object) -> set[str]:
    """The runs that such a log is for."""
    entry = {"id": a_name(), "device_key": device_key, "type": "report"} | log
    async with sessions.begin() as session:
        await store_logs(
            session, [DeviceLog.model_validate(entry | {"timestamp": datetime.now(UTC)})]
        )
        taken = await take_undelivered(session)
        await outbox.mark_delivered(session, [one.log.id for one in taken])
    (holders,) = [one.holders for one in taken if one.log.id == entry["id"]]
    return set(holders)


async def test_an_activation_that_rests_is_told_what_it_reads_and_no_more(
    sessions: Sessions,
) -> None:
    key, activation, update = a_device_key(), a_name(), a_name()
    async with sessions.begin() as session:
        holders: tuple[tuple[FlowKind, str], ...] = (
            ("activation", activation),
            ("firmware", update),
        )
        for kind, run in holders:
            await reserve(session, device_key=key, kind=kind, flow_id=run, workflow_id=run)
    both = {activation, update}
    assert await runs_told(sessions, key) == both  # nobody knows yet how it stands

    await shown(sessions, key, activation, 1, "device-testing")
    assert await runs_told(sessions, key) == {update}
    assert await runs_told(sessions, key, reading={"battery": 12.4}) == {update}
    assert await runs_told(sessions, key, command="arm") == both
    assert await runs_told(sessions, key, command_id="a-command") == both
    assert await runs_told(sessions, key, type="firmware") == both
    assert await runs_told(sessions, key, reading={"keylocker": {"mode": "standalone"}}) == both

    for rev, phase in enumerate(("busy", "waiting"), start=2):
        await shown(sessions, key, activation, rev, f"device-testing/{phase}")
        assert await runs_told(sessions, key) == both
