"""Somebody of every role, what is theirs, and what belongs to another dealer and to a dealer of the other site."""

import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

import httpx
from fastapi import FastAPI
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.deps import Portal
from db.base import Sessions
from db.billing.invoices.documents import mirror
from db.billing.payment_methods import add_method
from db.checkout.cart import open_cart
from db.checkout.saved_lists import add_list
from db.identity.invitations import InvitationRow
from db.identity.people import PersonRow
from db.identity.sign_ins import open_sign_in
from db.identity.trusted_devices import trust_device
from db.orders.progress import store
from db.partner_tables import PartnerRow
from db.partners.reps import select_partner
from db.plans.receipts import save_receipt
from db.platform.throttles import ThrottleRow
from db.runs import capabilities, device_reservations
from db.runs.flows import FlowRow
from domain.activation.activation import ActivationOutcome, ActivationView, DeviceView, Facts
from domain.billing.payment_methods import NewMethod
from domain.billing.payments import PaymentType
from domain.checkout.placement import PaymentView, PlacementProgress
from domain.checkout.saved_lists import ListedRow
from domain.devices.activation_type import ActivationType
from domain.firmware.firmware import FirmwareView
from domain.identity.people import DEALER_ACCOUNTING_GROUP, INSTALLER_GROUP, Role, User
from providers.security.tokens import new_capability, secret_hash
from tests.billing.invoice_payments.factories import a_paid
from tests.billing.invoices.factories import a_memo, an_invoice
from tests.drivers.factories import (
    Dealer,
    a_consumer,
    a_dealer,
    a_name,
    an_admin,
    an_inside_rep,
    an_installer,
    an_outside_rep,
    an_owner,
)
from tests.drivers.portal import a_browser, use_token
from tests.drivers.stage import a_device_key
from tests.orders.factories import a_new_order
from tests.partners.factories import a_primary, let_see
from tests.plans.purchases.factories import a_bought, a_receipt


class Whose(StrEnum):
    OWN = "own"
    OTHER_DEALER = "another dealer's"
    OTHER_SITE = "of a dealer of the other site"


@dataclass(frozen=True)
class Things:
    """Ids of what belongs to one dealer and to one of its people: a run that has ended, and one that goes on with
    `device_key`."""

    person_id: str
    dealer_id: str
    partner_code: str
    run_id: str
    device_key: str
    trusted_device_id: str
    invitation_id: str
    cart_token: str
    order_id: str
    saved_list_id: str
    spare_list_id: str
    """One to be deleted."""
    invoice_number: str
    memo_number: str
    bank_account_id: str
    spare_account_id: str
    """One to be deleted."""
    card_id: str
    spare_card_id: str
    other_spare_card_id: str

    @property
    def marks(self) -> tuple[str, ...]:
        """What an answer about somebody else's things must not hold."""
        return (
            self.person_id,
            self.dealer_id,
            self.partner_code,
            self.run_id,
            self.device_key,
            self.trusted_device_id,
            self.invitation_id,
            self.cart_token,
            self.order_id,
            self.saved_list_id,
            self.spare_list_id,
            self.invoice_number,
            self.memo_number,
            self.bank_account_id,
            self.spare_account_id,
            self.card_id,
            self.spare_card_id,
            self.other_spare_card_id,
        )


@dataclass(frozen=True)
class Somebody:
    """`user` is None for guests, who have `token`, and for anonymous visitors, who have nothing."""

    role: Role
    own: Things
    user: User | None = None
    token: str | None = None
    itself: Things | None = None
    """With a rep's own person and trusted device in place of those of the dealer acted for."""

    @property
    def roles(self) -> frozenset[Role]:
        """With those that come along: owners, purchasers and consumers are installers too."""
        if self.role in (Role.OWNER, Role.PURCHASER, Role.CONSUMER, Role.DEALER_ACCOUNTANT):
            return frozenset({self.role, Role.INSTALLER})
        return frozenset({self.role})


@dataclass
class World:
    """Everybody is made when first asked for."""

    app: FastAPI
    sessions: Sessions
    _somebody: dict[Role, Somebody] = field(default_factory=dict[Role, Somebody])
    _others: dict[Whose, Things] = field(default_factory=dict[Whose, Things])
    _held: dict[tuple[Role, bool], str] = field(default_factory=dict[tuple[Role, bool], str])
    """Tokens of sign-ins in which nothing was done that could end them, by whether a dealer is acted for."""

    async def somebody(self, role: Role) -> Somebody:
        if role not in self._somebody:
            self._somebody[role] = await self._make(role)
        return self._somebody[role]

    async def others(self, whose: Whose) -> Things:
        """What belongs to another dealer of the same site or of the other one."""
        if whose not in self._others:
            more = {"prefix": "A", "country": "US"} if whose is Whose.OTHER_SITE else {}
            dealer = await a_dealer(self.sessions, **more)
            primary = await a_primary(self.sessions, dealer)
            site = "us" if whose is Whose.OTHER_SITE else "ca"
            self._others[whose] = await self._things(dealer, primary, site=site)
        return self._others[whose]

    @asynccontextmanager
    async def browser(
        self, somebody: Somebody, *, acting: bool = True
    ) -> AsyncGenerator[httpx.AsyncClient]:
        """A new sign-in of this person; a rep acts for their own dealer unless told otherwise. What is done in it may end
        those that the person had before."""
        for held in (True, False):
            self._held.pop((somebody.role, held), None)
        async with self.reading_browser(somebody, acting=acting) as browser:
            self._held.pop((somebody.role, acting), None)
            yield browser

    @asynccontextmanager
    async def reading_browser(
        self, somebody: Somebody, *, acting: bool
    ) -> AsyncGenerator[httpx.AsyncClient]:
        """For calls that read or are refused, and so leave the sign-in as it is: one of the person's for all in a row."""
        key = (somebody.role, acting)
        async with a_browser(self.app) as browser:
            if somebody.user is not None and key not in self._held:
                self._held[key] = await self._sign_in(somebody, somebody.user, acting=acting)
            if token := self._held.get(key) or somebody.token:
                use_token(browser, token)
            yield browser

    async def _sign_in(self, somebody: Somebody, user: User, *, acting: bool) -> str:
        portal: Portal = self.app.state.portal
        async with self.sessions.begin() as session:
            family = await open_sign_in(session, user.id, remembered=False)
            if acting and user.is_sales_rep:
                partner_id = await _partner_of(session, somebody.own)
                primary = None if user.is_outside_rep else somebody.own.person_id
                await select_partner(session, family.id, partner_id, primary)
        return portal.tokens.access(person_id=user.id, sign_in_id=family.id).token

    async def _make(self, role: Role) -> Somebody:
        dealer = await a_dealer(self.sessions)
        match role:
            case Role.ANONYMOUS:
                return Somebody(role, await self._things(dealer, None))
            case Role.GUEST:
                return await self._guest(dealer)
            case Role.INSIDE_REP | Role.OUTSIDE_REP:
                return await self._rep(role, dealer)
            case _:
                user = await self._person(role, dealer)
                return Somebody(role, await self._things(dealer, user), user)

    async def _person(self, role: Role, dealer: Dealer) -> User:
        match role:
            case Role.OWNER:
                return await an_owner(self.sessions, dealer)
            case Role.PURCHASER:
                return await an_installer(self.sessions, dealer, is_purchaser=True)
            case Role.RETIRED:
                return await an_installer(self.sessions, dealer, is_retired=True)
            case Role.CONSUMER:
                return await a_consumer(self.sessions)
            case Role.ADMIN:
                return await an_admin(self.sessions)
            case _:
                user = await an_installer(self.sessions, dealer)
                if role is Role.DEALER_ACCOUNTANT:
                    await self._join(user, INSTALLER_GROUP, DEALER_ACCOUNTING_GROUP)
                return user

    async def _join(self, user: User, *groups: str) -> None:
        async with self.sessions.begin() as session:
            await session.execute(
                update(PersonRow)
                .where(PersonRow.id == user.id)
                .values(permission_groups=list(groups))
            )

    async def _rep(self, role: Role, dealer: Dealer) -> Somebody:
        """An inside rep's own things are those of the dealer acted for; an outside rep's run is their own."""
        is_outside = role is Role.OUTSIDE_REP
        rep = await (an_outside_rep if is_outside else an_inside_rep)(self.sessions)
        await let_see(self.sessions, rep, dealer.partner_code)
        primary = await a_primary(self.sessions, dealer)
        things = await self._things(dealer, rep if is_outside else primary)
        async with self.sessions.begin() as session:
            device = await trust_device(session, rep.id, secret_hash(rep.id), "Browser")
            cart = await open_cart(session, rep.id, dealer.partner_code)
            lists = [await _a_list(session, rep.id, dealer.partner_code) for _ in range(2)]
        itself = replace(
            things,
            person_id=rep.id,
            trusted_device_id=device.id,
            cart_token=cart.token,
            saved_list_id=lists[0],
            spare_list_id=lists[1],
        )
        return Somebody(role, things, rep, itself=itself)

    async def _guest(self, dealer: Dealer) -> Somebody:
        things = await self._things(dealer, None)
        capability = new_capability()
        async with self.sessions.begin() as session:
            await capabilities.add_capability(
                session,
                token_hash=capability.hash,
                flow_id=things.run_id,
                life=timedelta(days=1),
            )
        return Somebody(Role.GUEST, things, token=capability.token)

    async def _things(self, dealer: Dealer, person: User | None, *, site: str = "ca") -> Things:
        run_id, live_id, key, name = uuid.uuid4().hex, uuid.uuid4().hex, a_device_key(), a_name()
        past_key, firmware_key = a_device_key(), a_device_key()
        runs = (
            _run("activation", run_id, past_key, person, dealer, site, ended=True),
            _run("firmware", f"fw{run_id}", firmware_key, person, dealer, site, ended=True),
            _run("placement", f"placed-{run_id}", None, person, dealer, site, ended=True),
            _run("activation", live_id, key, person, dealer, site, ended=False),
        )
        async with self.sessions.begin() as session:
            session.add_all(runs)
            session.add(a_paid(f"paid-{run_id}", person, dealer, site))
            session.add(a_bought(f"bought-{run_id}", person, dealer, site))
            await save_receipt(session, a_receipt(f"bought-{run_id}", person, dealer))
            holders = [(past_key, run_id), (firmware_key, run_id), (key, live_id)]
            for held, holder in holders:
                await device_reservations.reserve(
                    session, device_key=held, kind="activation", flow_id=holder, workflow_id=name
                )
            session.add(_invitation(dealer, name))
            trusted, cart = "", f"nobodys-cart-{name}"
            lists = [f"nobodys-list-{name}", f"nobodys-spare-{name}"]
            partner_code = (person.partner_code if person else None) or dealer.partner_code
            if person is not None:
                trusted = (await trust_device(session, person.id, secret_hash(name), "Browser")).id
                cart = (await open_cart(session, person.id, partner_code)).token
                lists = [await _a_list(session, person.id, partner_code) for _ in range(2)]
            order = await store(session, a_new_order(partner_code))
            invoice, memo = an_invoice(partner_code), a_memo(partner_code)
            for document in (invoice, memo):
                await mirror(session, document)
            for account_id in (f"bank-{name}", f"spare-{name}"):
                assert await add_method(session, _bank_account(account_id, partner_code))
            for n in range(3):
                assert await add_method(session, _card(f"card{n}-{name}", partner_code))
        return Things(
            person_id=person.id if person else f"nobody-{name}",
            dealer_id=dealer.id,
            partner_code=partner_code,
            run_id=run_id,
            device_key=key,
            trusted_device_id=trusted or f"none-{name}",
            invitation_id=name,
            cart_token=cart,
            order_id=order.id,
            saved_list_id=lists[0],
            spare_list_id=lists[1],
            invoice_number=invoice.number,
            memo_number=memo.number,
            bank_account_id=f"bank-{name}",
            spare_account_id=f"spare-{name}",
            card_id=f"card0-{name}",
            spare_card_id=f"card1-{name}",
            other_spare_card_id=f"card2-{name}",
        )


async def let_try_again(sessions: Sessions) -> None:
    """A guest's wrong tries at a foreign device are counted, and so many doors use them up."""
    async with sessions.begin() as session:
        await session.execute(delete(ThrottleRow))


async def _a_list(session: AsyncSession, person_id: str, code: str) -> str:
    rows = [ListedRow(sku="POLICY-1", quantity=2)]
    return await add_list(session, person_id, code, name=a_name(), is_shared=False, rows=rows)


async def _partner_of(session: AsyncSession, things: Things) -> str:
    found = await session.scalar(
        select(PartnerRow.id).where(PartnerRow.sap_bp_code == things.partner_code)
    )
    assert found is not None
    return found


def _run(
    kind: str,
    id_: str,
    device_key: str | None,
    person: User | None,
    dealer: Dealer,
    site: str,
    *,
    ended: bool,
) -> FlowRow:
    """A run of the person, or of a guest. Consumers and administrators have no dealer."""
    now = datetime.now(UTC)
    return FlowRow(
        id=id_,
        kind=kind,
        version=1,
        workflow_id=f"{kind}/{device_key or id_}",
        run_id=id_,
        rev=1,
        seq=1,
        state="abandoned" if ended else "power-on-device",
        allowed=[],
        view=a_view_of_run(kind, id_, device_key, person) if device_key else _placement(id_),
        device_key=device_key,
        site=site,
        dealer_id=person.dealer_id if person else None,
        owner_id=person.id if person else None,
        partner=dealer.partner_code,
        outcome="abandoned" if ended else None,
        created_at=now,
        updated_at=now,
        ended_at=now if ended else None,
    )


def _placement(token: str) -> dict[str, object]:
    """What moves of a placement; what is frozen of it is not there."""
    payment = PaymentView(type=PaymentType.COD, method_id=None, shown="COD")
    return {"token": token, **PlacementProgress(payment=payment).model_dump(mode="json")}


def a_view_of_run(kind: str, id_: str, device_key: str, person: User | None) -> dict[str, object]:
    now, name = datetime.now(UTC), person.name if person else "Guest"
    firmware = FirmwareView(
        run_id=id_ if kind == "firmware" else f"fw{id_}", state="cancelled", since=now
    )
    if kind == "firmware":
        return firmware.model_dump(mode="json")
    return ActivationView(
        id=id_,
        flow_version=1,
        type=ActivationType.NEW_DEVICE,
        is_advanced_flow=False,
        device=DeviceView(device_key=device_key, product_name="FT-X1"),
        plan=("power-on-device",),
        state="abandoned",
        step="power-on-device",
        phase="ready",
        position=1,
        total=9,
        error=None,
        facts=Facts(firmware=firmware),
        commands=(),
        skipped={},
        deadline=None,
        idle_at=now,
        owner=name,
        owner_id=person.id if person else None,
        guest=person is None,
        consumer_email=None,
        outcome=ActivationOutcome.ABANDONED,
        reason="",
        created_at=now,
        updated_at=now,
        updated_by=name,
    ).model_dump(mode="json")


def _card(method_id: str, partner_code: str) -> NewMethod:
    return NewMethod(
        id=method_id,
        type="CARD",
        partner_code=partner_code,
        brand="Visa",
        last4="4242",
        exp_month=12,
        exp_year=2031,
        name="Policy",
        country="CA",
        status="ready",
        provider_id=f"pm_demo_visa_{method_id}",
        customer_id=f"cus_demo_{method_id}",
        fingerprint=method_id,
    )


def _bank_account(id_: str, partner_code: str) -> NewMethod:
    return NewMethod(
        id=id_,
        type="BANK_ACCOUNT",
        partner_code=partner_code,
        brand="Checking",
        last4="6789",
        name="Policy",
        country="US",
        status="ready",
        provider_id=f"ba_{id_}",
        fingerprint=id_,
    )


def _invitation(dealer: Dealer, name: str) -> InvitationRow:
    now = datetime.now(UTC)
    return InvitationRow(
        id=name,
        workflow_id=f"invitation/{name}",
        token_hash=secret_hash(f"invitation {name}"),
        dealer_id=dealer.id,
        dealer_name=dealer.id,
        email=f"{name}@people.example",
        user_type="installer",
        invited_by=name,
        inviter="Robin",
        rev=1,
        state="waiting",
        created_at=now,
        updated_at=now,
        expires_at=now + timedelta(days=7),
    )
