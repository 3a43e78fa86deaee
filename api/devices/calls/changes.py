"""Asking and changing a device outside its activation: authorized by the rules of `access`, done once, recorded.

Under one Idempotency-Key the device network has one effect, also when this process dies between effect and answer.
Nothing here is tried again by a machine: a car may move.
"""

import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request, Response
from pydantic import BaseModel

from api.devices.access import READING, AuthorizedDevice, DeviceRequest, authorize_call
from api.platform.deps import Caller, IdempotencyKey, Portal, PortalDep, counted_as
from api.platform.idempotency import answer_once
from api.runs.messages import update_id_of
from db.devices.changes import begin_change, end_change
from db.operations.audit import Outcome, record_by
from domain.devices.devices import DeviceKey, IccidDigits
from domain.errors import PortalError
from domain.identity.people import Actor
from providers.device_network.device_cloud import DeviceCloud
from providers.errors import may_have_worked

PathKey = Annotated[DeviceKey, Path()]
SimDigits = Annotated[IccidDigits | None, Query()]
"""The proof for a device that is nobody's yet."""

Effect = Callable[[str], Awaitable[BaseModel]]
"""Makes the change under a key of the device network, and answers."""


class Changed(BaseModel):
    """The change was made."""

    device_key: str


class Asking:
    """Somebody who asks something of a device."""

    def __init__(self, request: Request, portal: PortalDep, actor: Caller) -> None:
        self.portal: Portal = portal
        self.actor: Actor = actor
        self._request = request

    @property
    def devices(self) -> DeviceCloud:
        return self.portal.device_cloud

    @property
    def counted_as(self) -> str:
        return counted_as(self._request, self.actor)

    async def authorized_key(
        self, device_key: str, iccid_last_digits: str | None, wanted: DeviceRequest = READING
    ) -> str:
        """The key in its one spelling, once the caller may; raises as `authorize_call`."""
        return (await self.authorize(device_key, iccid_last_digits, wanted)).key

    async def authorize(
        self, device_key: str, iccid_last_digits: str | None, wanted: DeviceRequest = READING
    ) -> AuthorizedDevice:
        """The same with what was read for that."""
        return await authorize_call(
            self._request,
            self.portal,
            self.actor,
            device_key,
            wanted,
            iccid_last_digits=iccid_last_digits,
        )


class Changing(Asking):
    """Somebody who changes a device."""

    def __init__(
        self, request: Request, portal: PortalDep, actor: Caller, key: IdempotencyKey = None
    ) -> None:
        super().__init__(request, portal, actor)
        is_anonymous = actor.user is None and actor.capability_hash is None
        self._key = None if is_anonymous else key

    async def once(
        self,
        device_key: str,
        body: BaseModel | None,
        effect: Effect,
        *,
        action: str,
        more: Mapping[str, Any] | None = None,
        is_secret: bool = False,
        is_looked_up: bool = False,
    ) -> Response:
        """The answer of `effect`, or the one given before under the same key.

        `action` is a past-tense phrase for the record and names the operation too; `more` are plain facts for it. Of a
        secret body nothing is kept, not even a hash. Who asks for it is noted before: where this process dies meanwhile, the
        reconciler records it, and with `is_looked_up` finds out what came of it, also where the network did not answer.
        """
        effect_key = (
            update_id_of(self.actor, f"{action} {self._key}") if self._key else uuid.uuid4().hex
        )

        async def work() -> tuple[int, BaseModel]:
            async with self.portal.sessions.begin() as session:
                await begin_change(
                    session,
                    self.actor,
                    key=effect_key,
                    device_key=device_key,
                    action=action,
                    more=more,
                )
            try:
                answer = await effect(effect_key)
            except PortalError as error:
                if not (is_looked_up and may_have_worked(error)):
                    facts = {**(more or {}), "code": error.code}
                    await self._record(effect_key, action, device_key, Outcome.REFUSED, facts)
                raise
            await self._record(effect_key, action, device_key, Outcome.DONE, more)
            return 200, answer

        return await answer_once(
            self.portal.sessions,
            self.actor,
            self._key,
            f"{action} {device_key}",
            body,
            work,
            store_body_hash=not is_secret,
        )

    async def _record(
        self,
        effect_key: str,
        action: str,
        device_key: str,
        outcome: Outcome,
        more: Mapping[str, Any] | None,
    ) -> None:
        async with self.portal.sessions.begin() as session:
            await end_change(session, effect_key)
            await record_by(
                session,
                self.actor,
                action,
                outcome=outcome,
                on=("device", device_key),
                more=dict(more or {}),
            )


AskingDep = Annotated[Asking, Depends()]
ChangingDep = Annotated[Changing, Depends()]
