"""What a person may say to a firmware run, from its own page or from an activation."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import Depends, Request, Response

from api.platform.deps import Caller, PortalDep
from api.runs.command import RunCommand
from api.runs.flows import FlowId, RequiredKey
from domain.base import Body, Utc
from domain.errors import Invalid
from domain.firmware.firmware import FirmwareAsk
from workflows.firmware import FirmwareWorkflow

LONGEST_DEFERRAL = timedelta(days=7)


class DeferBody(Body):
    """`until` is a time within the next seven days."""

    until: Utc


class AskBody(Body):
    """Nothing but the wish."""


class FirmwareCommand(RunCommand):
    kind = "firmware"
    audited = frozenset({"reason"})

    async def retry(self, body: AskBody) -> Response:
        return await self.send(
            FirmwareWorkflow.retry_now,
            FirmwareAsk(**self.sender),
            body,
            audit="tried a firmware run again",
        )

    async def cancel(self, body: AskBody) -> Response:
        return await self.send(
            FirmwareWorkflow.cancel,
            FirmwareAsk(**self.sender),
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

    async def _deferral(self, until: datetime) -> FirmwareAsk:
        if not timedelta(0) < until - datetime.now(UTC) <= LONGEST_DEFERRAL:
            raise Invalid(fields=[("until", "Choose a time within the next seven days")])
        return FirmwareAsk(**self.sender, until=until)


async def firmware_command(
    request: Request, portal: PortalDep, actor: Caller, id: FlowId, key: RequiredKey
) -> FirmwareCommand:
    return FirmwareCommand(request, portal, actor, id, key)


OnFirmware = Annotated[FirmwareCommand, Depends(firmware_command)]
