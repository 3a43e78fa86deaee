"""What endpoints ask for: the caller, a transaction, the outside systems."""

import ipaddress
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NewType

import structlog
from anyio import CapacityLimiter
from fastapi import Depends, Header, Request
from pydantic import SecretStr
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession
from temporalio.client import Client

from api.platform.backlog import BacklogMonitor
from api.platform.border.database_watch import DatabaseWatch
from api.platform.errands import Errands, Questions
from api.platform.live import Live
from api.platform.product_pages import ProductPages
from api.platform.sites import Sites
from db.base import Sessions, one_statement, reading
from db.identity.sign_ins import caller_of_sign_in, end_of
from db.operations.audit import Outcome, record_by
from db.partners.reps import acting_in
from domain.checkout.cart import NoPurchasingRights
from domain.content.pages import Features, SiteLinks
from domain.devices.keylocker import PinSlot
from domain.errors import Forbidden, Unauthenticated
from domain.identity.people import Actor, Site, User, ended_because
from domain.identity.policy import POLICY, REFUSED_WHILE_ACTING, SwitchedOff
from domain.letters.language import Language, preferred
from domain.partners.partners import DEFAULT_CHANNEL, ActingForBusiness, check_channel, must_choose
from domain.policies import Policies
from providers.instrumentation import WatchedClient
from providers.security.passwords import Passwords
from providers.security.tokens import CAPABILITY_PREFIX, secret_hash
from providers.systems import Systems
from workflows.release import OwnRelease


@dataclass(frozen=True, kw_only=True)
class Portal(Systems, Policies):
    """Everything that lives as long as the process; built in `api.main`, found in `app.state.portal`."""

    engine: AsyncEngine
    sessions: Sessions
    sites: Sites
    temporal: Client
    temporal_ui_url: str
    codec_url: str
    task_queue: str
    own_release: OwnRelease
    backlog_monitor: BacklogMonitor
    watched: WatchedClient
    raw_cards: bool
    bank_accounts_at: Literal["gateway", "cards"]
    default_pins: dict[PinSlot, SecretStr]
    device_webhook_secret: str
    card_webhook_secret: str
    bank_webhook_secret: str
    erp_webhook_secret: str
    passwords: Passwords
    mfa_support: bool
    portal_url: str
    links: SiteLinks
    features: Features
    bot_check_key: str
    partner_email_domains: tuple[str, ...]
    live: Live
    database_watch: DatabaseWatch
    product_pages: ProductPages = field(default_factory=ProductPages)
    errands: Errands = field(default_factory=Errands)
    questions: Questions = field(default_factory=Questions)
    tables: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(1))
    """Uploaded tables are read one at a time, in a thread that nothing else waits for."""

    @property
    def behind_tls(self) -> bool:
        return self.portal_url.startswith("https://")

    def url_of(self, site: Site) -> str:
        """Where a link leads whoever is at this site, without a slash at its end: cookies are those of one host."""
        return self.sites.url_of(site, self.portal_url)


CountedAddress = NewType("CountedAddress", str)
"""An address as limits count it (`counted_address`)."""


def portal(request: Request) -> Portal:
    return request.app.state.portal


async def the_portal(request: Request) -> Portal:
    """Asynchronous, because FastAPI runs plain functions in a thread."""
    return portal(request)


async def transaction(request: Request) -> AsyncGenerator[AsyncSession]:
    """One transaction for the request, committed before the answer is sent."""
    async with portal(request).sessions.begin() as session:
        yield session


async def caller(request: Request) -> Actor:
    """Who asks, possibly nobody. Raises InvalidToken, TokenExpired or SignedOut for a token that does not hold."""
    known: Actor | None = getattr(request.state, "actor", None)
    if known is None:
        known = await _find_caller(request)
        request.state.actor = known
        who = known.user.id if known.user else "guest" if known.capability_hash else "anonymous"
        structlog.contextvars.bind_contextvars(actor=who)
    return known


async def signed_in(actor: Annotated[Actor, Depends(caller)]) -> Actor:
    """The caller, who has a user and a sign-in."""
    if actor.user is None:
        raise Unauthenticated
    return actor


async def permitted(request: Request) -> None:
    """The policy's door, before every operation. An operation without a rule is closed to all.

    A known person who is turned away is audited. Raises Forbidden, NoPurchasingRights, Unauthenticated,
    ActingForBusiness, SwitchedOff or WrongChannel.
    """
    route = request.scope.get("route")
    name = getattr(route, "operation_id", None) or getattr(route, "name", "")
    rule = POLICY.get(name)
    if rule is None:
        raise Forbidden
    if rule.feature is not None and not getattr(portal(request).features, rule.feature):
        raise SwitchedOff
    if rule.is_open:
        return
    actor = await caller(request)
    if not actor.roles & rule.roles:
        if actor.user is None:
            raise Unauthenticated
        await _audit_refusal(request, actor, name)
        if rule.is_buying and actor.user.is_retired:
            raise NoPurchasingRights
        raise Forbidden
    if actor.is_acting and name in REFUSED_WHILE_ACTING:
        await _audit_refusal(request, actor, name)
        raise ActingForBusiness
    _check_channel(request, actor)


async def record_now(
    here: Portal,
    actor: Actor,
    action: str,
    *,
    outcome: Outcome = Outcome.DONE,
    on: tuple[str, str] | None = None,
    address: str | None = None,
    more: dict[str, Any] | None = None,
) -> None:
    """An entry as of `record_by` by itself, where nothing else is written or what was is rolled back."""
    async with one_statement(here.sessions) as connection:
        await record_by(
            connection, actor, action, outcome=outcome, on=on, address=address, more=more
        )


async def _audit_refusal(request: Request, actor: Actor, operation: str) -> None:
    await record_now(
        portal(request),
        actor,
        "operation refused",
        outcome=Outcome.REFUSED,
        on=("operation", operation),
        address=address_of(request),
    )


def _check_channel(request: Request, actor: Actor) -> None:
    """The channel that a client names is a request, not a fact (promise 36)."""
    sent = request.headers.get("x-channel-type")
    if sent is None or sent == DEFAULT_CHANNEL:
        return
    check_channel(sent, actor.trade.channel if actor.trade else None)


def address_of(request: Request) -> str:
    """Whoever connected to us or, where that is one of `TRUSTED_PROXIES`, whom it speaks for."""
    return request.client.host if request.client else "unknown"


def counted_address(request: Request) -> CountedAddress:
    """What limits count of `address_of`: of IPv6 the /64, which one line has whole, and an IPv4 address that is written in IPv6
    as what it is."""
    host = address_of(request)
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return CountedAddress(host)
    if isinstance(address, ipaddress.IPv4Address):
        return CountedAddress(str(address))
    if address.ipv4_mapped is not None:
        return CountedAddress(str(address.ipv4_mapped))
    return CountedAddress(str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64))))


def language_of(request: Request, user: User | None = None) -> Language | None:
    """What the portal speaks where this is asked from; else what it spoke to the person before."""
    spoken = preferred(request.headers.get("accept-language"))
    return spoken or (user.language if user is not None else None)


def counted_as(request: Request, actor: Actor) -> str:
    """Whose tries these are: a person's own, all others' those of their address. Whoever likes invents a capability."""
    return counted_address(request) if actor.user is None else actor.key


async def url_here(request: Request) -> str:
    """Where links lead whoever asks, without a slash at its end: to the site at which they are."""
    here = portal(request)
    return here.url_of(await here.sites.of(request.headers.get("host", "")))


def token_in(request: Request) -> str | None:
    """From either header on either family of calls (rulings "Names and addresses")."""
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and bearer.strip():
        return bearer.strip()
    return request.headers.get("x-access-token") or None


async def _find_caller(request: Request) -> Actor:
    here = portal(request)
    site = await here.sites.of(request.headers.get("host", ""))
    nobody = Actor(request_id=request.state.request_id, site=site)
    token = token_in(request)
    if token is None:
        return nobody
    if token.startswith(CAPABILITY_PREFIX):
        return nobody.model_copy(update={"capability_hash": secret_hash(token)})
    sign_in_id = here.tokens.sign_in_of(token)
    async with one_statement(here.sessions) as connection:
        found = await caller_of_sign_in(connection, sign_in_id)
    if found is None:
        async with reading(here.sessions) as session:
            raise ended_because(await end_of(session, sign_in_id))
    user, trade = found
    known = nobody.model_copy(update={"user": user, "sign_in_id": sign_in_id, "trade": trade})
    if not must_choose(user):
        return known
    async with reading(here.sessions) as session:
        acting = await acting_in(session, sign_in_id)
    if acting is None:
        return known
    return known.model_copy(
        update={
            "partner_code": acting.partner.code,
            "impersonated": acting.impersonated,
            "trade": acting.trade,
        }
    )


PortalDep = Annotated[Portal, Depends(the_portal)]
Transaction = Annotated[AsyncSession, Depends(transaction, scope="function")]
Caller = Annotated[Actor, Depends(caller)]
SignedIn = Annotated[Actor, Depends(signed_in)]
IdempotencyKey = Annotated[
    str | None,
    Header(alias="Idempotency-Key", min_length=8, max_length=200, pattern=r"^[\x21-\x7e]+$"),
]
