"""Bank accounts of a business: add, verify by two small deposits, change, delete (shop spec 7; decision 31).

Numbers are given to the gateway or the card provider (decision 84) inside the request and kept nowhere: what stays
is its token and the last four digits. Deposits, tries and times are the affair of a run of its own
(`workflows/billing/bank_verification.py`).
"""

import re
import uuid
from typing import Annotated, Self

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field, SecretStr, StringConstraints, model_validator

from api.billing.bank_runs import ask_amounts, notify_removed, open_verification
from api.billing.payment_method_answers import SavedMethodOut, method_out
from api.billing.saving_cards import customer_at_provider, managing
from api.partners.named_business import BusinessCode
from api.platform.deps import IdempotencyKey, Portal, PortalDep, SignedIn, address_of, record_now
from api.platform.idempotency import answer_once
from api.platform.moves_money import MovesMoney
from api.platform.schemas import SpecBody
from api.platform.throttling.money import BANK_ACCOUNTS, MoneyTries
from api.runs.messages import update_id_of
from db.base import reading
from db.billing.bank_verifications import find_verification
from db.billing.payment_methods import change_method, method_of, remove_method
from db.operations.audit import record_by
from db.platform.clock import utc_day
from domain.billing.bank_verification import (
    ACCOUNT_NUMBER_FORM,
    ACCOUNT_NUMBER_INVALID,
    DEPOSIT_CODE_FORM,
    ROUTING_NUMBER_FORM,
    ROUTING_NUMBER_INVALID,
    AccountType,
    BankAccount,
    BankVerificationStart,
    Cents,
    HolderType,
    NotReady,
)
from domain.billing.payment_methods import (
    LONGEST_HOLDER,
    BillingAddress,
    MethodChanges,
    MethodId,
    MethodMissing,
    holder_fault,
)
from domain.contact import CompanyName
from domain.errors import Invalid
from domain.identity.people import Actor
from domain.partners.partners import NoUpdates
from domain.runs.access import may_access
from domain.runs.projection import RunOwner
from providers.cards.banks import RawAccount, SavedBanks

router = APIRouter(tags=["payment methods"])

Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)]
BankCountry = Annotated[str, StringConstraints(pattern=r"^(CA|US)$")]
"""The gateway reaches banks of these."""
CountryCode = Annotated[str, StringConstraints(pattern=r"^(CA|US|MX|AU)$")]
BankHolder = Annotated[CompanyName, Field(min_length=1, max_length=LONGEST_HOLDER)]
"""A company may have digits in its name; an individual follows the rule for names."""


class NewBankAccount(SpecBody):
    """`routingNumber` and `accountNumber` are digits; they go to the gateway and nowhere else."""

    name: BankHolder
    holder_type: HolderType
    account_type: AccountType
    routing_number: Annotated[SecretStr, Field(max_length=20)]
    account_number: Annotated[SecretStr, Field(max_length=20)]
    street_address_1: Annotated[Line | None, Field(alias="streetAddress1")] = None
    street_address_2: Annotated[Line | None, Field(alias="streetAddress2")] = None
    city: Line | None = None
    state: Line | None = None
    postal_code: Line | None = None
    country_code: BankCountry
    is_default: bool = False
    sap_bp_code: BusinessCode | None = None


class BankAccountChanges(SpecBody):
    """What is given is changed."""

    payment_method_id: MethodId
    name: BankHolder | None = None
    is_default: bool | None = None
    is_hidden: bool | None = None
    street_address_1: Annotated[Line | None, Field(alias="streetAddress1")] = None
    street_address_2: Annotated[Line | None, Field(alias="streetAddress2")] = None
    city: Line | None = None
    state: Line | None = None
    postal_code: Line | None = None
    country_code: CountryCode | None = None
    sap_bp_code: BusinessCode | None = None


class Amounts(SpecBody):
    """The two deposits in whole cents, in any order; or the code in the text of the one that the card provider may send."""

    payment_method_id: MethodId
    amounts: Annotated[list[Cents] | None, Field(min_length=2, max_length=2)] = None
    descriptor_code: Annotated[
        str | None,
        StringConstraints(strip_whitespace=True, to_upper=True, pattern=DEPOSIT_CODE_FORM),
    ] = None
    sap_bp_code: BusinessCode | None = None

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        if (self.amounts is None) is (self.descriptor_code is None):
            raise ValueError("The two amounts, or the code")
        return self

    @property
    def named(self) -> tuple[int, int] | str:
        return (self.amounts[0], self.amounts[1]) if self.amounts else self.descriptor_code or ""


@router.post("/api/create-bank-account", response_model=SavedMethodOut, dependencies=[MovesMoney])
async def create_bank_account(
    body: NewBankAccount,
    actor: SignedIn,
    request: Request,
    portal: PortalDep,
    key: IdempotencyKey = None,
) -> Response:
    """Adds a bank account, which can be paid with once its two deposits were named. The same key again is the same account."""
    code = await managing(portal, actor, body.sap_bp_code)
    _check_numbers(body)
    said = update_id_of(actor, f"{key} {code}") if key else uuid.uuid4().hex

    async def work() -> tuple[int, SavedMethodOut]:
        tries = MoneyTries(portal.sessions)
        async with tries.one_method(BANK_ACCOUNTS, code, said if key else None):
            start = await _start(portal, actor, code, body, said[:32])
            await open_verification(portal, start)
        await _record(portal, actor, request, "added a bank account", start.account.method_id)
        return 200, await _answer(portal, code, start.account.method_id)

    # No hash is kept of a body with numbers: it could be guessed back.
    return await answer_once(
        portal.sessions, actor, key, "create_bank_account", body, work, store_body_hash=False
    )


@router.post("/api/verify-bank-account", response_model=SavedMethodOut, dependencies=[MovesMoney])
async def verify_bank_account(
    body: Amounts,
    actor: SignedIn,
    request: Request,
    portal: PortalDep,
    key: IdempotencyKey = None,
) -> Response:
    """Names the two deposits. Wrong three times, the account has to be added anew."""
    code = await managing(portal, actor, body.sap_bp_code)
    method_id = await _own_bank_account(portal, actor, code, body.payment_method_id)
    said = update_id_of(actor, f"{key} {method_id}") if key else uuid.uuid4().hex

    async def work() -> tuple[int, SavedMethodOut]:
        await ask_amounts(
            portal,
            method_id=method_id,
            person_id=actor.person.id,
            named=body.named,
            update_id=said,
        )
        await _record(portal, actor, request, "verified a bank account", method_id)
        return 200, await _answer(portal, code, method_id)

    return await answer_once(
        portal.sessions, actor, key, "verify_bank_account", body, work, store_body_hash=False
    )


@router.patch("/api/update-bank-account", response_model=SavedMethodOut, dependencies=[MovesMoney])
async def update_bank_account(
    body: BankAccountChanges,
    actor: SignedIn,
    request: Request,
    portal: PortalDep,
    key: IdempotencyKey = None,
) -> Response:
    """Changes its name, address, default and whether it is offered. Only a verified one can become the default."""
    code = await managing(portal, actor, body.sap_bp_code)
    given = body.model_fields_set - {"payment_method_id", "sap_bp_code"}
    if not given:
        raise NoUpdates

    async def work() -> tuple[int, SavedMethodOut]:
        method_id = await _own_bank_account(portal, actor, code, body.payment_method_id)
        async with portal.sessions.begin() as session:
            held = await method_of(session, method_id, code, lock=True)
            if body.is_default and held.status != "ready":
                raise NotReady
            await change_method(
                session,
                method_id,
                code,
                MethodChanges(
                    name=body.name,
                    is_hidden=body.is_hidden,
                    billing=_address(body, held.billing),
                ),
                main=bool(body.is_default),
            )
            await record_by(
                session,
                actor,
                "changed a bank account",
                on=("payment_method", method_id),
                address=address_of(request),
                more={"fields": sorted(given)},
            )
        return 200, await _answer(portal, code, method_id)

    return await answer_once(portal.sessions, actor, key, "update_bank_account", body, work)


@router.delete("/api/delete-bank-account", status_code=204, dependencies=[MovesMoney])
async def delete_bank_account(
    actor: SignedIn,
    request: Request,
    portal: PortalDep,
    payment_method_id: Annotated[MethodId, Query(alias="paymentMethodId")],
    sap_bp_code: Annotated[BusinessCode | None, Query(alias="sapBpCode")] = None,
) -> None:
    """Deletes it. Idempotent in effect: a second time it is not found."""
    code = await managing(portal, actor, sap_bp_code)
    method_id = await _own_bank_account(portal, actor, code, payment_method_id)
    async with portal.sessions.begin() as session:
        await remove_method(session, method_id, code)
        await record_by(
            session,
            actor,
            "deleted a bank account",
            on=("payment_method", method_id),
            address=address_of(request),
        )
    await notify_removed(portal, method_id)


async def _own_bank_account(portal: Portal, actor: Actor, code: str, method_id: str) -> str:
    """Raises MethodMissing, for a card too."""
    async with reading(portal.sessions) as session:
        method = await method_of(session, method_id, code)
    owner = RunOwner(kind="bank_verification", partner=method.partner_code)
    if method.type != "BANK_ACCOUNT" or not may_access(actor, owner):
        raise MethodMissing
    return method.id


def _check_numbers(body: NewBankAccount) -> None:
    """Judged here, so that no error shows them. Raises Invalid."""
    judged = (
        ("routingNumber", body.routing_number, ROUTING_NUMBER_FORM, ROUTING_NUMBER_INVALID),
        ("accountNumber", body.account_number, ACCOUNT_NUMBER_FORM, ACCOUNT_NUMBER_INVALID),
    )
    faults = [
        (field, message)
        for field, number, form, message in judged
        if not re.fullmatch(form, number.get_secret_value())
    ]
    if body.holder_type is HolderType.INDIVIDUAL and (fault := holder_fault(body.name)):
        faults.append(("name", fault))
    if faults:
        raise Invalid(fields=faults)


async def _start(
    portal: Portal, actor: Actor, code: str, body: NewBankAccount, method_id: str
) -> BankVerificationStart:
    """Gives the numbers to the provider. Raises Refused or Unavailable."""
    key, customer_id = f"account-{method_id}", None
    if portal.bank_accounts_at == "cards":
        customer_id = await customer_at_provider(portal, code)
        token = await SavedBanks(portal.cards).tokenise(_raw(body, actor.person.email), key=key)
    else:
        token = await portal.gateway.create_account(
            holder_name=body.name,
            holder_type=body.holder_type.for_gateway,
            account_type=body.account_type.for_gateway,
            routing_number=body.routing_number,
            account_number=body.account_number,
            country=body.country_code,
            method_id=method_id,
            key=key,
        )
    return BankVerificationStart(
        account=BankAccount(
            method_id=method_id,
            token=token.token,
            fingerprint=token.fingerprint,
            last4=token.last4,
            bank_name=token.bank_name,
            holder_name=body.name,
            holder_type=body.holder_type,
            account_type=body.account_type,
            country=body.country_code,
            billing=_address(body, BillingAddress()),
            is_main=body.is_default,
            customer_id=customer_id,
        ),
        partner_code=code,
        person_id=actor.person.id,
        acting_for=actor.impersonated.id if actor.impersonated else None,
        dealer_id=actor.dealer_id,
        site=actor.site.code,
        portal_url=portal.url_of(actor.site),
        policy=portal.bank_verification_policy,
    )


def _raw(body: NewBankAccount, email: str) -> RawAccount:
    return RawAccount(
        holder_name=body.name,
        holder_type=body.holder_type.for_gateway,
        account_type=body.account_type.for_gateway,
        routing_number=body.routing_number,
        account_number=body.account_number,
        country=body.country_code,
        email=email,
    )


def _address(body: NewBankAccount | BankAccountChanges, before: BillingAddress) -> BillingAddress:
    """The address with what is given in it."""
    given = {name: getattr(body, name) for name in BillingAddress.model_fields}
    return before.model_copy(
        update={name: value for name, value in given.items() if value is not None}
    )


async def _answer(portal: Portal, code: str, method_id: str) -> SavedMethodOut:
    async with reading(portal.sessions) as session:
        method = await method_of(session, method_id, code)
        return method_out(
            method, await utc_day(session), await find_verification(session, method_id)
        )


async def _record(
    portal: Portal, actor: Actor, request: Request, action: str, method_id: str
) -> None:
    await record_now(
        portal, actor, action, on=("payment_method", method_id), address=address_of(request)
    )
