"""What a person may say to a firmware run, from its own page or from an activation."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import structlog
from fastapi import Depends, Request, Response
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError
from temporalio.service import RPCError

from api.platform.deps import Caller, PortalDep
from api.platform.idempotency import Look
from api.runs.command import RunCommand
from api.runs.flows import FlowId
from api.runs.messages import FlowRejected, RequiredKey
from db.base import reading
from db.runs import device_reservations, flows
from domain.activation.lost_firmware import end_of
from domain.base import Body, Utc
from domain.errors import Invalid
from domain.firmware.firmware import ENDED, FirmwareMessage
from domain.runs.projection import FlowOwner
from workflows.activation import ActivationWorkflow
from workflows.firmware import FirmwareWorkflow

log = structlog.stdlib.get_logger()

LONGEST_DEFERRAL = timedelta(days=7)
NOTIFIED_WITHIN = 1.0
"""Seconds: the refusal is answered in time all the same."""


class DeferBody(Body):
    """`until` is a time within the next seven days."""

    until: Utc


class EmptyBody(Body):
    """Nothing more is said."""


class FirmwareCommand(RunCommand):
    kind = "firmware"
    audited = frozenset({"reason"})

    async def retry(self, body: EmptyBody) -> Response:
        return await self.send(
            FirmwareWorkflow.retry_now,
            FirmwareMessage(**self.sender),
            body,
            audit="tried a firmware run again",
            begins=True,
        )

    async def cancel(self, body: EmptyBody) -> Response:
        return await self.send(
            FirmwareWorkflow.cancel,
            FirmwareMessage(**self.sender),
            body,
            audit="cancelled a firmware run",
        )

    async def defer(self, body: DeferBody) -> Response:
        return await self.send(
            FirmwareWorkflow.defer,
            self._deferral(body.until),
            body,
            audit="deferred a firmware run",
        )

    async def deliver(
        self, run: FlowOwner, update: Any, message: BaseModel
    ) -> tuple[int, BaseModel | Look]:
        """Before it is answered that a run is gone, the activation that waits for it is told of its end. Where that fails, the
        next round of the reconciler tells it."""
        try:
            return await super().deliver(run, update, message)
        except FlowRejected as refused:
            if refused.is_gone:
                try:
                    async with asyncio.timeout(NOTIFIED_WITHIN):
                        await self._notify_activation(run)
                except (SQLAlchemyError, RPCError, RuntimeError, TimeoutError) as error:
                    log.warning("activation was not told", kind=type(error).__name__, run=run.id)
            raise

    async def _notify_activation(self, run: FlowOwner) -> None:
        """Nothing where no activation waits for this very run."""
        async with reading(self.portal.sessions) as session:
            shown = await flows.find_flow(session, "firmware", run.id)
            holder = await device_reservations.holder_of(
                session, run.device_key or "", "activation"
            )
            waiting = holder and await flows.find_flow(session, "activation", holder.flow_id)
        if shown is None or not holder or not waiting:
            return
        known = waiting.view.get("facts", {}).get("firmware")
        if known is None or known["run_id"] != run.id or known["state"] in ENDED:
            return
        handle = self.portal.temporal.get_workflow_handle(holder.workflow_id)
        await handle.signal(ActivationWorkflow.firmware_progress, end_of(shown))

    async def _deferral(self, until: datetime) -> FirmwareMessage:
        if not timedelta(0) < until - datetime.now(UTC) <= LONGEST_DEFERRAL:
            raise Invalid(fields=[("until", "Choose a time within the next seven days")])
        return FirmwareMessage(**self.sender, until=until)


async def firmware_command(
    request: Request, portal: PortalDep, actor: Caller, id: FlowId, key: RequiredKey
) -> FirmwareCommand:
    return FirmwareCommand(request, portal, actor, id, key)


OnFirmware = Annotated[FirmwareCommand, Depends(firmware_command)]
