"""One change of a device outside its activation: done once per Idempotency-Key, and recorded whatever comes of it.

Under one key the device network has one effect, also when this process dies between effect and answer. Nothing here is
tried again by a machine: a car may move.
"""

import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

from fastapi import Path, Query, Response
from pydantic import BaseModel

from api.deps import Portal
from api.flows import update_id_of
from api.idempotency import answer_once
from db.audit import Outcome, record_by
from domain.devices import DeviceKey, IccidDigits
from domain.errors import PortalError
from domain.identity import Actor

PathKey = Annotated[DeviceKey, Path()]
SimDigits = Annotated[IccidDigits | None, Query()]
"""The proof for a device that is nobody's yet."""

Effect = Callable[[str], Awaitable[BaseModel]]
"""Makes the change under a key of the device network, and answers."""


class Changed(BaseModel):
    """The change was made."""

    device_key: str


async def change_once(
    portal: Portal,
    actor: Actor,
    key: str | None,
    device_key: str,
    body: BaseModel | None,
    effect: Effect,
    *,
    action: str,
    more: Mapping[str, Any] | None = None,
    is_secret: bool = False,
) -> Response:
    """The answer of `effect`, or the one given before under the same key.

    `action` is a past-tense phrase for the record and names the operation too; `more` are plain facts for it. Of a
    secret body nothing is kept, not even a hash.
    """
    own_key = key if actor.user is not None or actor.capability_hash is not None else None
    effect_key = update_id_of(actor, f"{action} {own_key}") if own_key else uuid.uuid4().hex

    async def work() -> tuple[int, BaseModel]:
        try:
            answer = await effect(effect_key)
        except PortalError as error:
            facts = {**(more or {}), "code": error.code}
            await _record(portal, actor, action, device_key, Outcome.REFUSED, facts)
            raise
        await _record(portal, actor, action, device_key, Outcome.DONE, more)
        return 200, answer

    return await answer_once(
        portal.sessions,
        actor,
        own_key,
        f"{action} {device_key}",
        body,
        work,
        keep_body_hash=not is_secret,
    )


async def _record(
    portal: Portal,
    actor: Actor,
    action: str,
    device_key: str,
    outcome: Outcome,
    more: Mapping[str, Any] | None,
) -> None:
    async with portal.sessions.begin() as session:
        await record_by(
            session,
            actor,
            action,
            outcome=outcome,
            on=("device", device_key),
            more=dict(more or {}),
        )
