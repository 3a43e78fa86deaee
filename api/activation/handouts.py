"""What a finished activation leaves in the hand of the car's owner: shown, linked to, read by whoever holds the link.

The token comes in the body: it stands in no address that a server is sent, and so in no log (decision 79).
"""

import uuid
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.deps import Caller, PortalDep, SignedIn, counted_address
from api.platform.throttling.links import LinkTries
from api.runs.flows import FlowId, authorize_run
from db.base import reading
from db.dealers.dealers import find_dealer
from db.devices import handouts
from db.operations.audit import record_by
from db.plans.plans import present_subscriptions
from db.platform.clock import database_now
from db.runs import flows
from domain.activation.handout import Handout, HandoutLink, HandoutVoid, handout_of
from domain.base import EXACT, Body, Frozen, Utc
from domain.errors import NotFound
from providers.security.tokens import MailedLink, secret_hash

router = APIRouter(tags=["activation"])

Token = Annotated[str, Field(min_length=1, max_length=200, repr=False), EXACT]


class OpenHandoutBody(Body):
    token: Token


class HandoutLinkBody(Body):
    """Nothing but the request."""


class HandoutLinkSeen(Frozen):
    """The good link of a handout, without its secret."""

    maker: str
    expires_at: Utc
    opened_at: Utc | None
    opened: int


class HandoutAnswer(Frozen):
    handout: Handout
    link: HandoutLinkSeen | None


class HandoutLinked(Frozen):
    """`url` holds the secret in its fragment."""

    url: str = Field(repr=False)
    expires_at: Utc


@router.get("/v1/activations/{id}/handout")
async def get_handout(portal: PortalDep, actor: Caller, id: FlowId) -> HandoutAnswer:
    """What the car's owner may see of a finished activation, and whether a link to it is good."""
    async with reading(portal.sessions) as session:
        await authorize_run(session, actor, "activation", id)
        found = await _handout(session, id)
        link = await handouts.link_of(session, id) if actor.user else None
    return HandoutAnswer(handout=found, link=_seen(link) if link else None)


@router.post("/v1/activations/{id}/handout/link")
async def link_handout(
    portal: PortalDep, actor: SignedIn, id: FlowId, body: HandoutLinkBody
) -> HandoutLinked:
    """The link for the car's owner: good for ninety days, the same one as long as it is good."""
    await LinkTries(portal.sessions).count_handout_link(actor.key)
    fresh = uuid.uuid4().hex
    async with reading(portal.sessions) as session:
        await authorize_run(session, actor, "activation", id)
    async with portal.sessions.begin() as session:
        await _handout(session, id)
        link = await handouts.add_link(
            session,
            fresh,
            secret_hash(portal.tokens.link(MailedLink.HANDOUT, fresh)),
            activation_id=id,
            maker_id=actor.person.id,
            maker=actor.person.name,
        )
        if link.id == fresh:
            await record_by(session, actor, "made a handout link", on=("activation", id))
    token = portal.tokens.link(MailedLink.HANDOUT, link.id)
    url = f"{portal.url_of(actor.site)}/handout#{token}"
    return HandoutLinked(url=url, expires_at=link.expires_at)


@router.post("/v1/activations/{id}/handout/revoke")
async def revoke_handout_link(
    portal: PortalDep, actor: SignedIn, id: FlowId, body: HandoutLinkBody
) -> HandoutAnswer:
    """Nobody reads the handout by the link any more. Idempotent."""
    async with reading(portal.sessions) as session:
        await authorize_run(session, actor, "activation", id)
    async with portal.sessions.begin() as session:
        found = await _handout(session, id)
        if await handouts.revoke_link(session, id):
            await record_by(session, actor, "revoked a handout link", on=("activation", id))
    return HandoutAnswer(handout=found, link=None)


@router.post("/v1/handouts/open")
async def open_handout(portal: PortalDep, request: Request, body: OpenHandoutBody) -> Handout:
    """The handout of the link, and nothing else. Only a wrong token uses up the limit."""
    async with portal.sessions.begin() as session:
        link = await handouts.open_link(session, secret_hash(body.token))
        if link is not None:
            try:
                return await _handout(session, link.activation_id)
            except NotFound:
                raise HandoutVoid from None
    await LinkTries(portal.sessions).count_link(counted_address(request))
    raise HandoutVoid


async def _handout(session: AsyncSession, activation_id: str) -> Handout:
    """Raises NotFound, HandoutNotReady."""
    shown = await flows.find_flow(session, "activation", activation_id)
    owner = await flows.find_owner(session, "activation", activation_id)
    if shown is None or owner is None:
        raise NotFound
    dealer = await find_dealer(session, owner.dealer_id) if owner.dealer_id else None
    device_key = shown.view["device"]["device_key"]
    present = (await present_subscriptions(session, [device_key])).get(device_key)
    return handout_of(
        shown.view,
        business=dealer.name if dealer else None,
        present=present,
        now=await database_now(session),
    )


def _seen(link: HandoutLink) -> HandoutLinkSeen:
    return HandoutLinkSeen(
        maker=link.maker,
        expires_at=link.expires_at,
        opened_at=link.opened_at,
        opened=link.opened,
    )
