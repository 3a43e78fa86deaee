"""Takes device logs from the inbox to the runs that wait for them (`db/devices/devices.py`: undelivered rows are the outbox).

Any number of workers may relay at once: one takes rows for a while and hands them over, and a run takes each log once. Devices
that are waited for too long are asked by polling, so that a lost webhook is no stuck installer.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog
from sqlalchemy.exc import DataError, SQLAlchemyError
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from db.base import Sessions, one_statement, reading
from db.devices import devices
from domain.devices.devices import DeviceLog
from domain.errors import PortalError
from providers.device_network.device_cloud import DeviceCloud
from workers.outbox import Outbox

log = structlog.stdlib.get_logger()

POLL_EVERY = timedelta(seconds=10)
POLL_AFTER = timedelta(seconds=20)
SKEW = timedelta(seconds=5)
AT_ONCE = 8
"""Devices that the network is asked of at a time."""

NEVER_TAKEN = RPCStatusCode.INVALID_ARGUMENT
"""The answer to a signal that is too large, or one too many for its run."""


class Relay:
    """`database_url` is a plain libpq address for the listening connection."""

    def __init__(
        self,
        client: Client,
        device_cloud: DeviceCloud,
        sessions: Sessions,
        *,
        database_url: str,
        poll_after: timedelta = POLL_AFTER,
        poll_every: timedelta = POLL_EVERY,
    ) -> None:
        self._client = client
        self._device_cloud = device_cloud
        self._sessions = sessions
        self._poll_after = poll_after
        self._poll_every = poll_every
        self._outbox = Outbox(
            self.deliver,
            batch=devices.BATCH,
            channel=devices.CHANNEL,
            database_url=database_url,
        )

    async def run(self) -> None:
        """Until cancelled; an outage of a neighbour is waited out."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._outbox.run())
            tasks.create_task(self._poll())

    async def deliver(self) -> int:
        """Hands over one batch; answers how many rows were done. What a run could not be told now waits for the next look.
        Nothing is locked while runs are told."""
        async with one_statement(self._sessions) as session:
            taken = await devices.take_undelivered(session)
        by_run: dict[str, list[DeviceLog]] = {}
        for entry in taken:
            for workflow_id in entry.holders:
                by_run.setdefault(workflow_id, []).append(entry.log)
        unsent = await asyncio.gather(*(self._send_logs(run, logs) for run, logs in by_run.items()))
        later = {log_id for ids in unsent for log_id in ids}
        done = [entry.log.id for entry in taken if entry.log.id not in later]
        if done:
            async with one_statement(self._sessions) as session:
                await devices.outbox.mark_delivered(session, done)
        if later:
            log.warning("runs could not be told", logs=len(later))
            async with one_statement(self._sessions) as session:
                await devices.outbox.put_back(session, later)
        return len(done)

    async def _send_logs(self, workflow_id: str, logs: Sequence[DeviceLog]) -> list[str]:
        """Tells a run of its logs in their order; answers the ids of those that have to be told again."""
        for number, entry in enumerate(logs):
            try:
                await self._client.get_workflow_handle(workflow_id).signal(
                    "device_log", entry, rpc_timeout=timedelta(seconds=3)
                )
            except RPCError as error:
                if error.status is RPCStatusCode.NOT_FOUND:
                    log.info("run had ended before its log came", log_id=entry.id)
                elif error.status is NEVER_TAKEN:
                    # Nobody else's logs wait behind one that will never be taken.
                    log.error("run refused a log", log_id=entry.id, workflow_id=workflow_id)
                else:
                    log.info(
                        "a run could not be told", workflow_id=workflow_id, status=error.status.name
                    )
                    return [left.id for left in logs[number:]]
        return []

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(self._poll_every.total_seconds())
            try:
                await self.poll()
            except (SQLAlchemyError, OSError) as error:
                log.warning("polling was interrupted", kind=type(error).__name__)

    async def poll(self) -> int:
        """Asks the network for the logs of devices that are waited for; answers how many were new."""
        async with reading(self._sessions) as session:
            waiting = await devices.devices_waited_for(session, older_than=self._poll_after)
        places = asyncio.Semaphore(AT_ONCE)

        async def ask(device_key: str, since: datetime) -> tuple[DeviceLog, ...]:
            async with places:
                try:
                    return await self._device_cloud.logs(device_key, since - SKEW)
                except PortalError as error:
                    log.info("device was not polled", device_key=device_key, code=error.code)
                    return ()

        found = await asyncio.gather(*(ask(*device) for device in waiting))
        return sum([await self._store(logs) for logs in found if logs])

    async def _store(self, logs: Sequence[DeviceLog]) -> int:
        """Of one device, for itself: of an entry that the database refuses, as a text with a NUL, no other waits."""
        try:
            async with self._sessions.begin() as session:
                return await devices.store_logs(session, logs)
        except DataError as error:
            if len(logs) == 1:
                kind = type(error.orig).__name__
                log.error("a polled log cannot be kept", device_key=logs[0].device_key, kind=kind)
                return 0
        return sum([await self._store([entry]) for entry in logs])
