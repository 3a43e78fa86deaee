"""The way of an administrator to the codec server, which opens what Temporal's own page shows (promise 41)."""

from datetime import timedelta
from urllib.parse import urlencode

from fastapi import APIRouter
from pydantic import BaseModel

from api.platform.deps import PortalDep, SignedIn, Transaction
from db.operations.audit import record_by
from domain.identity.policy import SwitchedOff
from providers.security.tokens import AtCodec

router = APIRouter(prefix="/v1/operations/codec", tags=["operations"])

TICKET_LIVES = timedelta(minutes=1)


class OpenedPayloads(BaseModel):
    """Where the browser goes within a minute: on to Temporal's page, which then reads payloads for eight hours, or until the
    sign-in ends."""

    url: str


@router.post("/open")
async def open_payloads(portal: PortalDep, session: Transaction, actor: SignedIn) -> OpenedPayloads:
    """Has Temporal's page show what it keeps sealed, to this browser. Raises SwitchedOff where there is no codec server."""
    if not portal.codec_url or actor.sign_in_id is None:
        raise SwitchedOff
    await record_by(session, actor, "payloads opened", on=("sign-in", actor.sign_in_id))
    ticket = portal.tokens.for_codec(AtCodec.TICKET, actor.sign_in_id, TICKET_LIVES)
    return OpenedPayloads(url=f"{portal.codec_url}/enter?{urlencode({'ticket': ticket})}")
