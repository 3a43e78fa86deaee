"""What an operator says of an effect whose outcome nobody noted, once they have looked. For administrators alone."""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import BaseModel, StringConstraints

from api.platform.deps import PortalDep, SignedIn
from api.platform.idempotency import answer_once
from api.runs.messages import RequiredKey
from db.operations import effects
from db.operations.audit import record_by
from domain.base import EXACT, Body
from domain.errors import NotFound
from domain.operations.effects import EffectClosed, EffectNotOver, OpenEffect

router = APIRouter(prefix="/v1/operations/effects", tags=["operations"])


class CloseEffectBody(Body):
    """`happened` is what the outside system shows, `note` how that was seen."""

    key: Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{1,300}$"), EXACT]
    happened: bool
    note: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


@router.post("/close", response_model=OpenEffect)
async def close_effect(
    portal: PortalDep, actor: SignedIn, body: CloseEffectBody, key: RequiredKey
) -> Response:
    """Says whether an effect without an outcome happened; it leaves the list. 409 when that is known, or its run still asks."""

    async def close() -> tuple[int, BaseModel]:
        async with portal.sessions.begin() as session:
            closed = await effects.close_effect(session, body.key, happened=body.happened)
            if closed is None:
                is_closed = await effects.is_closed(session, body.key)
                if is_closed is None:
                    raise NotFound
                raise EffectClosed if is_closed else EffectNotOver
            await record_by(
                session,
                actor,
                "effect closed by hand",
                on=("run", closed.run),
                more={"effect": closed.effect, "happened": body.happened, "note": body.note},
            )
        return 200, closed

    return await answer_once(portal.sessions, actor, key, "close_effect", body, close)
