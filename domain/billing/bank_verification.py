"""Verifying a bank account by two small deposits (shop spec 7; times and tries our choice, decision 31)."""

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from domain.base import Frozen, Utc
from domain.billing.payment_methods import BillingAddress, NewMethod
from domain.errors import Conflict, Gone, PortalError

MOST_CENTS = 99
"""A deposit is a few cents."""

ROUTING_NUMBER_FORM = r"[0-9]{9}"
ROUTING_NUMBER_INVALID = "Must have 9 digits"
ACCOUNT_NUMBER_FORM = r"[0-9]{4,17}"
ACCOUNT_NUMBER_INVALID = "Must have 4 to 17 digits"

Cents = Annotated[int, Field(strict=True, ge=1, le=MOST_CENTS)]
DEPOSIT_CODE_FORM = r"(?i)^SM[A-Z0-9]{4}$"
"""What the card provider may write into the text of one deposit, instead of sending two."""


class HolderType(StrEnum):
    INDIVIDUAL = "Individual"
    COMPANY = "Company"

    @property
    def for_gateway(self) -> Literal["individual", "company"]:
        return "company" if self is HolderType.COMPANY else "individual"


class AccountType(StrEnum):
    CHECKING = "Checking"
    SAVINGS = "Savings"

    @property
    def for_gateway(self) -> Literal["checking", "savings"]:
        return "savings" if self is AccountType.SAVINGS else "checking"


class BankVerificationPolicy(Frozen):
    """How often the amounts may be wrong, how long they are waited for, and how long a verified account is watched for
    deposits that its bank sends back."""

    tries: int = 3
    expiry: timedelta = timedelta(days=10)
    watch: timedelta = timedelta(days=60)


class BankAccount(Frozen):
    """A new bank account as its provider knows it: its token, and what may be shown. No number is in it. `fingerprint` is the
    provider's name for the number behind it; `is_main`: it is to become the default once it is verified; `customer_id` is the
    card provider's name of the business, where the account is there (decision 84)."""

    method_id: str
    token: str
    fingerprint: str
    last4: str
    bank_name: str | None
    holder_name: str
    holder_type: HolderType
    account_type: AccountType
    country: str
    billing: BillingAddress = BillingAddress()
    is_main: bool = False
    customer_id: str | None = None


class BankVerificationStart(Frozen):
    """The workflow's input."""

    account: BankAccount
    partner_code: str
    person_id: str
    acting_for: str | None = None
    dealer_id: str | None = None
    site: str
    portal_url: str
    policy: BankVerificationPolicy = BankVerificationPolicy()


class BankOpened(Frozen):
    """The message that a verification is opened with."""

    person_id: str


class AmountsMessage(Frozen):
    """The amounts that a person read, named by the id of their sealed row: they are a code, and in no history."""

    secret_id: str
    person_id: str


class DepositsReturned(Frozen):
    """The bank sent the deposits back, in its own words."""

    reason: str | None = None


class BankReply(Frozen):
    """Where the verification stands; `refusal` is the code of why the last amounts had no effect."""

    method_id: str
    state: str
    tries_left: int
    refusal: str | None = None


class BankVerification(Frozen):
    """A verification as the database keeps it. `reason` is why it ended badly."""

    method_id: str
    workflow_id: str
    rev: int
    state: str
    tries_left: int
    reason: str | None
    expires_at: Utc
    updated_at: Utc


class AlreadySaved(Conflict):
    code = "bank_account_saved"
    detail = "This bank account has already been added."


class NotReady(Conflict):
    code = "payment_method_not_ready"
    detail = "This bank account has to be verified first."


class WrongAmounts(Conflict):
    code = "wrong_amounts"
    detail = "These are not the amounts of the two deposits."


class AmountsNotChecked(Conflict):
    """The gateway did not answer in time; no try is used up."""

    code = "amounts_not_checked"
    detail = "The amounts could not be compared. Please try again."


class TooManyAmounts(Conflict):
    code = "too_many_amounts"
    detail = "The amounts were wrong too often. Please add the bank account again."


class DepositsOnTheirWay(Conflict):
    """Also while other amounts are being compared."""

    code = "deposits_on_their_way"
    detail = "The two deposits are still on their way. Please try again later."


class VerificationEnded(Gone):
    code = "verification_ended"
    detail = "This bank account cannot be verified any more. Please add it again."


REFUSALS: Mapping[str, type[PortalError]] = {
    each.code: each
    for each in (
        AlreadySaved,
        WrongAmounts,
        AmountsNotChecked,
        TooManyAmounts,
        DepositsOnTheirWay,
        VerificationEnded,
    )
}
"""What a run may refuse, by code."""


def purpose_of_amounts(method_id: str) -> str:
    """What the amounts are sealed for."""
    return f"amounts:{method_id}"


def new_method(start: BankVerificationStart) -> NewMethod:
    """The account as it is saved: it cannot be paid with before its deposits are named."""
    account = start.account
    return NewMethod(
        id=account.method_id,
        type="BANK_ACCOUNT",
        partner_code=start.partner_code,
        brand=account.account_type,
        last4=account.last4,
        name=account.holder_name,
        country=account.country,
        billing=account.billing,
        status="pending",
        provider_id=account.token,
        customer_id=account.customer_id,
        fingerprint=account.fingerprint,
        created_by=start.person_id,
    )
