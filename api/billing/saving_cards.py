"""What every way to save, change or delete a card goes through: the provider first, then our row and the record of it."""

import hashlib
from datetime import date
from typing import Annotated

import structlog
from fastapi import Request
from pydantic import Field, StringConstraints

from api.partners.named_business import BusinessCode, check_named
from api.platform.deps import Portal, address_of
from api.platform.schemas import SpecBody
from api.platform.throttling.money import CARDS, MoneyTries
from api.runs.messages import update_id_of
from db.base import reading
from db.billing import payment_methods
from db.operations.audit import record_by
from db.partners.businesses import find_partner
from db.platform.clock import utc_day
from domain.billing.payment_methods import (
    EXPIRY_YEARS,
    BillingAddress,
    CardExpiryInvalid,
    HolderName,
    MethodChanges,
    MethodMissing,
    NewMethod,
    PaymentMethod,
    check_hides,
    check_may_manage,
)
from domain.card_numbers import masked
from domain.errors import PortalError
from domain.identity.people import Actor
from domain.partners.partners import PartnerScope
from providers.cards.saved import CardToken, RawCard

log = structlog.stdlib.get_logger()

Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)]
CountryCode = Annotated[str, StringConstraints(pattern=r"^(CA|US|MX|AU)?$")]
Month = Annotated[int, Field(ge=1, le=12)]
Year = Annotated[int, Field(ge=2000, le=2100)]


class CardFields(SpecBody):
    """What of a card may be given and changed. Dates are a month and a year of four digits."""

    name: HolderName | None = None
    exp_month: Month | None = None
    exp_year: Year | None = None
    is_default: bool | None = None
    is_hidden: bool | None = None
    street_address_1: Annotated[Line | None, Field(alias="streetAddress1")] = None
    street_address_2: Annotated[Line | None, Field(alias="streetAddress2")] = None
    city: Line | None = None
    state: Line | None = None
    postal_code: Line | None = None
    country_code: CountryCode | None = None
    sap_bp_code: BusinessCode | None = None

    def billing(self, before: BillingAddress) -> BillingAddress:
        """The address with what is given in it."""
        given = {name: getattr(self, name) for name in BillingAddress.model_fields}
        return before.model_copy(
            update={name: value for name, value in given.items() if value is not None}
        )


async def card_day(portal: Portal) -> date:
    """In UTC, by the database's clock, as a card expires."""
    async with reading(portal.sessions) as session:
        return await utc_day(session)


def check_expiry(year: int | None, today: date) -> None:
    """One of 26 years, from this one on (shop spec 3). Raises CardExpiryInvalid."""
    if year is not None and not today.year <= year < today.year + EXPIRY_YEARS:
        raise CardExpiryInvalid


async def managing(portal: Portal, actor: Actor, named: str | None) -> str:
    """The business whose cards the caller manages. Raises NotYours, OtherBusiness or PartnerMissing."""
    async with reading(portal.sessions) as session:
        await check_named(session, actor, named)
    return check_may_manage(actor)


async def own_card(portal: Portal, code: str, method_id: str) -> PaymentMethod:
    """Raises MethodMissing, for a bank account too."""
    async with reading(portal.sessions) as session:
        method = await payment_methods.method_of(session, method_id, code)
    if method.type != "CARD":
        raise MethodMissing
    return method


async def save(
    portal: Portal,
    actor: Actor,
    request: Request,
    code: str,
    card: RawCard | str,
    fields: CardFields,
    key: str | None,
) -> PaymentMethod:
    """Ties the card, a number or the provider's token of it, to the business and keeps it; the first one, or one that is to be
    it, becomes the main one.

    The one door to the provider's judgement of a card: it counts before. A card that is saved already is renewed.
    Idempotent by the provider's token; `key` is the caller's. Raises CardRefused, Throttled, Unavailable.
    """
    said = update_id_of(actor, f"{key} {code}") if key else None
    async with MoneyTries(portal.sessions).one_method(CARDS, code, said):
        new = await _saved_at_provider(portal, actor, code, card, fields)
    async with portal.sessions.begin() as session:
        method_id, earlier = await payment_methods.save_card(session, new)
        if fields.is_default:
            await payment_methods.make_main(session, method_id, code)
        await record_by(
            session,
            actor,
            "saved a card",
            on=("payment_method", method_id),
            address=address_of(request),
        )
        method = await payment_methods.method_of(session, method_id, code)
    if earlier is not None and earlier != new.provider_id:
        await forget_at_provider(portal, earlier)
    return method


async def _saved_at_provider(
    portal: Portal, actor: Actor, code: str, card: RawCard | str, fields: CardFields
) -> NewMethod:
    """Under the name and address that are given."""
    given = card if isinstance(card, str) else (await portal.cards.tokenise(card)).provider_id
    customer_id = await customer_at_provider(portal, code)
    token = await portal.cards.save_card(given, customer_id, key=f"save-{given}-{customer_id}")
    billing = fields.billing(_without_numbers(token.billing))
    name = fields.name or masked(token.name)
    if (name, billing) != (token.name, token.billing):
        await portal.cards.update_card(
            token.provider_id,
            name=name,
            exp_month=token.exp_month,
            exp_year=token.exp_year,
            billing=billing,
        )
    return _new_method(actor, code, token, customer_id, name, billing)


async def change(
    portal: Portal, actor: Actor, request: Request, code: str, method_id: str, fields: CardFields
) -> PaymentMethod:
    """Raises MethodMissing, MainHidden, CardRefused, CardExpiryInvalid, Unavailable."""
    held = await own_card(portal, code, method_id)
    today = await card_day(portal)
    check_expiry(fields.exp_year, today)
    changes = MethodChanges(
        name=fields.name,
        exp_month=fields.exp_month,
        exp_year=fields.exp_year,
        is_hidden=fields.is_hidden,
        billing=fields.billing(held.billing),
    )
    main = bool(fields.is_default)
    check_hides(held, changes, main=main)  # before the provider is told anything
    of_token = {"name", "exp_month", "exp_year", *BillingAddress.model_fields}
    if fields.model_fields_set & of_token:
        await portal.cards.update_card(
            held.provider_id,
            name=changes.name or held.name,
            exp_month=changes.exp_month or held.exp_month or 1,
            exp_year=changes.exp_year or held.exp_year or today.year,
            billing=changes.billing or held.billing,
        )
    async with portal.sessions.begin() as session:
        await payment_methods.change_method(session, method_id, code, changes, main=main)
        await record_by(
            session,
            actor,
            "changed a card",
            on=("payment_method", method_id),
            address=address_of(request),
            more={"fields": sorted(fields.model_fields_set - {"sap_bp_code"})},
        )
        return await payment_methods.method_of(session, method_id, code)


async def remove(portal: Portal, actor: Actor, request: Request, code: str, method_id: str) -> None:
    """Raises MethodMissing. What the provider still knows of it is harmless and forgotten when it can be told."""
    held = await own_card(portal, code, method_id)
    async with portal.sessions.begin() as session:
        await payment_methods.remove_method(session, held.id, code)
        await record_by(
            session,
            actor,
            "deleted a card",
            on=("payment_method", held.id),
            address=address_of(request),
        )
    await forget_at_provider(portal, held.provider_id)


async def forget_at_provider(portal: Portal, provider_id: str) -> None:
    try:
        await portal.cards.forget_card(provider_id)
    except PortalError as error:
        log.info("card was left at the provider", code=error.code)


async def customer_at_provider(portal: Portal, code: str) -> str:
    """The card provider's name of the business, which it has from now on. Raises Unavailable."""
    async with reading(portal.sessions) as session:
        known = await payment_methods.customer_of(session, code)
        if known is not None:
            return known
        partner = await find_partner(session, PartnerScope(everything=True), code)
    name = partner.company_name if partner is not None else code
    made = await portal.cards.create_customer(name, code, key=f"customer-{code}")
    async with portal.sessions.begin() as session:
        return await payment_methods.save_customer(session, code, made)


def _without_numbers(billing: BillingAddress) -> BillingAddress:
    """What was typed into the provider's form is text as any other."""
    return BillingAddress(**{name: masked(line) for name, line in billing})


def _new_method(
    actor: Actor,
    code: str,
    token: CardToken,
    customer_id: str,
    name: str,
    billing: BillingAddress,
) -> NewMethod:
    digest = hashlib.sha256(f"{code}:{token.provider_id}".encode()).hexdigest()
    return NewMethod(
        id=f"card_{digest[:24]}",
        type="CARD",
        partner_code=code,
        brand=token.brand,
        last4=token.last4,
        exp_month=token.exp_month,
        exp_year=token.exp_year,
        name=name,
        country=billing.country_code or token.country,
        billing=billing,
        status="ready",
        provider_id=token.provider_id,
        customer_id=customer_id,
        fingerprint=token.fingerprint,
        created_by=actor.person.id,
    )
