"""Takes device logs from the inbox to the runs that wait for them (`db/devices/devices.py`: undelivered rows are the outbox).

Any number of workers may relay at once: rows are locked while one hands them over, and a run takes each log once. Devices
that are waited for too long are asked by polling, so that a lost webhook is no stuck installer.
"""

import asyncio
from collections.abc import Iterable
from datetime import timedelta

import structlog
from sqlalchemy.exc import SQLAlchemyError
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from db.base import Sessions, reading
from db.devices import devices
from domain.devices.devices import DeviceLog
from domain.errors import PortalError
from providers.device_network.device_cloud import DeviceCloud
from workers.outbox import Outbox

log = structlog.stdlib.get_logger()

POLL_EVERY = timedelta(seconds=10)
POLL_AFTER = timedelta(seconds=20)
SKEW = timedelta(seconds=5)

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
        """Hands over one batch; answers how many rows it took."""
        async with self._sessions.begin() as session:
            taken = await devices.take_undelivered(session)
            for entry in taken:
                for workflow_id in entry.holders:
                    await self._tell(workflow_id, entry.log)
            if taken:
                await devices.mark_delivered(session, [entry.log.id for entry in taken])
        return len(taken)

    async def _tell(self, workflow_id: str, entry: DeviceLog) -> None:
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
                raise

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
        found: list[DeviceLog] = []
        for device_key, since in waiting:
            try:
                found += await self._device_cloud.logs(device_key, since - SKEW)
            except PortalError as error:
                log.info("device was not polled", device_key=device_key, code=error.code)
        return await self._keep(found)

    async def _keep(self, found: Iterable[DeviceLog]) -> int:
        async with self._sessions.begin() as session:
            return await devices.store_logs(session, found)
