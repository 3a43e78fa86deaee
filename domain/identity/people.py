"""People, their roles and what follows from them (shell spec 3, 4 and 6)."""

from enum import StrEnum
from typing import Literal

from domain.base import Frozen, Utc
from domain.errors import Conflict, Forbidden, Invalid, Throttled, Unauthenticated
from domain.letters.language import Language

ADMIN_ACCESS = "firstech_admin"
"""The one value of `access_type` that the spec shows."""

OUTSIDE_REP_GROUP = "Outside Sales Rep"
INSIDE_REP_GROUP = "Inside Sales Rep"
OUTSIDE_REP_GROUPS = frozenset({OUTSIDE_REP_GROUP, "Firstech Outside Sales Rep"})
INSIDE_REP_GROUPS = frozenset({INSIDE_REP_GROUP, "Firstech Inside Sales Rep"})
"""With and without the maker's name (shell spec 6)."""
REP_GROUPS = OUTSIDE_REP_GROUPS | INSIDE_REP_GROUPS
DEALER_PRIMARY_GROUP = "Dealer Primary"
DEALER_ACCOUNTING_GROUP = "Dealer Accounting"
INSTALLER_GROUP = "Installer"


class Role(StrEnum):
    """What a caller is, as far as rights go. A caller may have several."""

    ANONYMOUS = "anonymous"
    GUEST = "guest"
    CONSUMER = "consumer"
    INSTALLER = "installer"
    PURCHASER = "purchaser"
    OWNER = "owner"
    DEALER_ACCOUNTANT = "dealer_accountant"
    INSIDE_REP = "inside_rep"
    OUTSIDE_REP = "outside_rep"
    ADMIN = "admin"
    RETIRED = "retired"


class MfaType(StrEnum):
    """Second factors (shell spec 1)."""

    NONE = "none"
    SMS = "sms"
    TOTP = "totp"


class UserType(Frozen):
    """One entry of `user_type`."""

    type: Literal["installer"] = "installer"
    is_owner: bool = False
    is_purchaser: bool = False


class User(Frozen):
    """A signed-in person as the portal knows them (shell spec 3); `sub` equals `id`."""

    id: str
    email: str
    first_name: str
    last_name: str
    image: str | None = None
    phone_number: str | None = None
    user_type: tuple[UserType, ...] = ()
    drone_user_id: str | None = None
    permission_groups: tuple[str, ...] = ()
    access_type: str | None = None
    subscriber_id: str | None = None
    dealer_id: str | None = None
    partner_code: str | None = None
    is_retired: bool = False
    mfa_type: MfaType = MfaType.NONE
    language: Language | None = None
    """Of the mails to them; None where it is not known."""

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def is_outside_rep(self) -> bool:
        return not OUTSIDE_REP_GROUPS.isdisjoint(self.permission_groups)

    @property
    def is_sales_rep(self) -> bool:
        return not REP_GROUPS.isdisjoint(self.permission_groups)

    @property
    def is_admin(self) -> bool:
        return self.access_type == ADMIN_ACCESS

    @property
    def is_installer(self) -> bool:
        return bool(self.user_type)

    @property
    def is_owner(self) -> bool:
        return any(entry.is_owner for entry in self.user_type)

    @property
    def is_purchaser(self) -> bool:
        return any(entry.is_purchaser for entry in self.user_type)

    @property
    def is_b2c(self) -> bool:
        return (self.partner_code or "").startswith("B2C")

    @property
    def is_dealer_primary(self) -> bool:
        return DEALER_PRIMARY_GROUP in self.permission_groups

    @property
    def is_dealer_accountant(self) -> bool:
        return DEALER_ACCOUNTING_GROUP in self.permission_groups


class Site(Frozen):
    """One edition of the portal, chosen by the Host header."""

    code: str
    host: str
    label: str
    country: Literal["CA", "US"]
    time_zone: str

    @property
    def is_canadian(self) -> bool:
        return self.country == "CA"


class Trade(Frozen):
    """What decides the prices of a business: its channel, and the brands that it is approved for, as they are called."""

    channel: str | None
    approved_brands: tuple[str, ...] = ()


class Actor(Frozen):
    """Who makes a request. Exactly one of `user` and `capability_hash` is set, or neither (anonymous).

    `capability_hash` is the SHA-256 (hex) of a guest's capability for one activation. While a rep acts for a business,
    `user` stays the rep, `impersonated` is the dealer's primary person and `partner_code` the business. `trade` is that of
    the business that the request works for, where it was read with the caller.
    """

    request_id: str
    site: Site
    user: User | None = None
    sign_in_id: str | None = None
    capability_hash: str | None = None
    impersonated: User | None = None
    partner_code: str | None = None
    trade: Trade | None = None

    @property
    def roles(self) -> frozenset[Role]:
        if self.user is not None:
            return roles_of(self.user)
        return frozenset({Role.GUEST if self.capability_hash else Role.ANONYMOUS})

    @property
    def person(self) -> User:
        """The signed-in user. Raises Unauthenticated for anybody else."""
        if self.user is None:
            raise Unauthenticated
        return self.user

    @property
    def key(self) -> str:
        """One string per caller, for throttles, idempotency keys and records."""
        if self.user is not None:
            return f"user:{self.user.id}"
        return f"guest:{self.capability_hash}" if self.capability_hash else "anonymous"

    @property
    def dealer_id(self) -> str | None:
        """The dealer that the request works for: the impersonated one before one's own."""
        person = self.impersonated or self.user
        return person.dealer_id if person else None

    @property
    def is_acting(self) -> bool:
        """Whether a rep has chosen a business; an outside rep impersonates nobody there."""
        return self.partner_code is not None

    @property
    def business_code(self) -> str | None:
        """The code of the business that the request works for: the chosen one before one's own."""
        return self.partner_code or (self.user.partner_code if self.user else None)


class IncompleteSignIn(Invalid):
    code = "incomplete"
    detail = "Please complete all fields"


class InvalidCredentials(Unauthenticated):
    """Unknown user and wrong password are told apart by nothing (promise 26)."""

    code = "invalid_credentials"
    detail = "Invalid Password/Email"


class Unconfirmed(Forbidden):
    code = "unconfirmed"
    detail = "New account setup not complete. Please check email for next steps."


class ResetRequired(Forbidden):
    code = "reset_required"
    detail = "Account locked. Please reset password."


class NotAnInstaller(Forbidden):
    code = "not_an_installer"
    detail = "Invalid Installer Account. Please activate as guest."


class NoDroneProfile(Unauthenticated):
    """Nobody stays signed in without an identity at the device network (shell spec 4)."""

    code = "no_drone_profile"
    detail = "Your account has no device profile. Please contact us."


class TooManySignIns(Throttled):
    """Says nothing of the account: it is never locked by this. A solved bot check or a reset is the way out."""

    code = "too_many_attempts"


class InvalidToken(Unauthenticated):
    """An access token that cannot be decoded or was not signed by us."""

    code = "invalid_token"
    detail = "Invalid JWT token"


class TokenExpired(Unauthenticated):
    code = "token_expired"
    detail = "Your session has expired. Please log in again."


class SignedOut(Unauthenticated):
    """The session that the token belongs to has ended, wherever that was done."""

    code = "signed_out"
    detail = "You have been logged out. Please log in again."


class CredentialsChanged(Unauthenticated):
    """The sign-in ended because what one signs in with has changed (shell spec 8)."""

    code = "credentials_changed"
    detail = "Login credentials need to be refreshed after a recent change. Please log in again."


class IdentityMismatch(Conflict):
    """Another person has signed in with this browser: the page belongs to somebody else now (shell spec 4)."""

    code = "identity_mismatch"
    detail = "Somebody else has logged in with this browser. Please reload the page."


class EmailTaken(Conflict):
    code = "email_taken"
    detail = "This e-mail address belongs to another account."


CREDENTIAL_CHANGES = frozenset(
    {
        "password set",
        "password reset",
        "password changed",
        "second factor switched on",
        "second factor switched off",
        "e-mail changed",
        "account locked",
    }
)
"""Reasons for which a sign-in ends that tell its page to ask for the credentials anew."""


def ended_because(reason: str | None) -> type[Unauthenticated]:
    """What the page of an ended sign-in is told."""
    return CredentialsChanged if reason in CREDENTIAL_CHANGES else SignedOut


class Account(Frozen):
    """What sign-in needs to know of a person besides who they are. `password_hash` never leaves the server;
    `security_stamp` is the one that what is made from this reading carries."""

    user: User
    password_hash: str | None
    confirmed_at: Utc | None
    reset_required: bool
    security_stamp: int = 1
    last_address: str | None = None

    @property
    def awaits_password(self) -> bool:
        """Registered, and never completed: there is no password that could be right."""
        return self.password_hash is None and self.confirmed_at is None and not self.reset_required


def roles_of(user: User) -> frozenset[Role]:
    """The person's roles. Retired beats everything (rulings)."""
    if user.is_retired:
        return frozenset({Role.RETIRED})
    held = {
        Role.ADMIN: user.is_admin,
        Role.OUTSIDE_REP: user.is_outside_rep,
        Role.INSIDE_REP: user.is_sales_rep and not user.is_outside_rep,
        Role.OWNER: user.is_owner,
        Role.PURCHASER: user.is_purchaser,
        Role.INSTALLER: user.is_installer,
        Role.DEALER_ACCOUNTANT: user.is_dealer_accountant,
        Role.CONSUMER: user.is_b2c,
    }
    return frozenset(role for role, holds in held.items() if holds)


def purchasing_rights(user: User) -> bool:
    """A person who is not retired and is a rep, or an installer flagged owner or purchaser (shell spec 6)."""
    return not user.is_retired and (user.is_sales_rep or user.is_owner or user.is_purchaser)


def check_password_fits(account: Account | None, *, fits: bool) -> Account:
    """The account whose password was given. Whoever has none yet is told so, as the spec has it (shell spec 8).

    Raises InvalidCredentials, or Unconfirmed.
    """
    if account is not None and account.awaits_password:
        raise Unconfirmed
    if account is None or not fits:
        raise InvalidCredentials
    return account


def check_may_sign_in(account: Account) -> None:
    """Whether the right password opens the portal. Asked only after it was given (promise 26).

    Raises ResetRequired, Unconfirmed, NoDroneProfile or NotAnInstaller, in that order.
    """
    if account.reset_required:
        raise ResetRequired
    if account.confirmed_at is None:
        raise Unconfirmed
    user = account.user
    check_drone_profile(user)
    if not (user.is_installer or user.is_sales_rep or user.is_admin):
        raise NotAnInstaller


def check_drone_profile(user: User) -> None:
    """Raises NoDroneProfile."""
    if not user.drone_user_id:
        raise NoDroneProfile


def profile_label(user: User) -> Literal["Sales Rep", "Dealer", "Installer"]:
    """The role as the profile menu shows it (shell spec 2)."""
    if user.is_sales_rep:
        return "Sales Rep"
    return "Dealer" if user.is_owner else "Installer"


def reads_any_business(actor: Actor) -> bool:
    """Whether somebody reads the orders, invoices and credit memos of every business: administrators, who change none."""
    return Role.ADMIN in actor.roles


def may_manage_methods(actor: Actor) -> bool:
    """Whether somebody manages what a business pays with: whoever has purchasing rights, owners, and inside reps acting for
    a business; consumers for themselves. Outside reps and the retired never, nor administrators as such (rulings)."""
    user = actor.user
    if user is None or user.is_retired or user.is_outside_rep or actor.business_code is None:
        return False
    if Role.INSIDE_REP in roles_of(user):
        return actor.is_acting
    return purchasing_rights(user) or user.is_b2c
