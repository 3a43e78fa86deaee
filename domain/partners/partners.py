"""Business partners, and acting for one (shell spec 3, 4 and 6; rulings "People and rights")."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from urllib.parse import urlsplit

from domain.address import AddressLines
from domain.base import Frozen, Utc
from domain.errors import Conflict, Forbidden, Invalid, NotFound
from domain.identity.people import INSTALLER_GROUP, Role, Site, Trade, User, roles_of
from domain.money import Money

DEFAULT_CHANNEL = "msrp"
CONSUMER_PREFIX = "B2C"
"""Codes of consumers, whose products are not sold here (rulings "People and rights")."""
PAGE_SIZE = 100
"""Partners on a page, at most (shell spec 9)."""

NO_PRIMARY = (
    "The business you selected does not have a dealer primary account. Please note that in order to impersonate said "
    "business, it is mandatory that they have an associated dealer account."
)


class AddressKind(StrEnum):
    SHIPPING = "SHIPPING"
    BILLING = "BILLING"


class Address(AddressLines):
    """One of the addresses of a business."""

    id: str
    kind: AddressKind
    is_default: bool


def is_linked(partner_code: str | None) -> bool:
    """Whether products are sold to the business with this code."""
    return partner_code is not None and not partner_code.startswith(CONSUMER_PREFIX)


def of_kind(addresses: Sequence[Address], kind: AddressKind) -> tuple[Address, ...]:
    return tuple(address for address in addresses if address.kind is kind)


class ErpAccount(Frozen):
    """What a business owes, as the ERP told last. `past_due_invoices` and `invoice_count` are numbers of invoices."""

    account_balance: Money
    credit_limit: Money
    past_due_invoices: int
    invoice_count: int


class PartnerSummary(Frozen):
    """A business in a list. `po_required`: its orders need a PO number of the buyer. `tax_number` is null in
    lists."""

    id: str
    code: str
    company_name: str
    channel: str
    country: str
    subdistributor: bool
    has_approved_brands: bool = False
    po_required: bool = False
    tax_number: str | None = None


class Rep(Frozen):
    """A sales rep who is named on the account."""

    id: str
    name: str
    email: str
    is_outside: bool
    phone: str | None = None


class RecentPartner(Frozen):
    """A business that a rep worked for of late. What it owes is null until it was first mirrored."""

    code: str
    company_name: str
    town: str | None
    balance: Money | None
    past_due_invoices: int | None
    last_order_at: Utc | None


class Partner(PartnerSummary):
    """A business with everything that hangs on it. `account` is None until it was first mirrored;
    `primary_drone_user_id` is the identity of the dealer's primary person, if there is one."""

    addresses: tuple[Address, ...]
    approved_brands: tuple[str, ...]
    dealer_id: str | None
    primary_drone_user_id: str | None
    account: ErpAccount | None
    mirrored_at: Utc | None
    reps: tuple[Rep, ...]

    def default_address(self, kind: AddressKind) -> Address | None:
        """The default of this kind, else the first."""
        fitting = [address for address in self.addresses if address.kind is kind]
        return next((a for a in fitting if a.is_default), fitting[0] if fitting else None)


class Acting(Frozen):
    """The business that a rep works for now. Outside reps impersonate nobody."""

    partner: PartnerSummary
    trade: Trade
    impersonated: User | None


class PartnerScope(Frozen):
    """Which businesses a person may see: all, those they are a rep for, or their own."""

    everything: bool = False
    rep_id: str | None = None
    own_code: str | None = None


class PartnerMissing(NotFound):
    """Absent, or not the caller's: the two are never told apart."""

    code = "partner_missing"
    detail = "Unexpected error. Please try again later."


class NoDealerAccount(Conflict):
    """The word is spelt as the spec has it."""

    code = "no_dealer_account"
    detail = "Business parter does not have an associated dealer account."


class NoDealerPrimary(Conflict):
    code = "no_dealer_primary"
    detail = NO_PRIMARY


class WrongChannel(Conflict):
    code = "wrong_channel"
    detail = "These prices are not those of your business. Please reload the page."


class OtherBusiness(Conflict):
    """A rep named one of their businesses, and has chosen another one or none."""

    code = "other_business"
    detail = "Another business is selected. Please reload the page."


class ActingForBusiness(Forbidden):
    """Secrets are changed by oneself, not while acting for somebody (promise 40)."""

    code = "acting_for_business"
    detail = "Clear the selected business first."


class NoUpdates(Invalid):
    code = "no_updates"
    detail = "Updates object is required"


def partner_scope_of(user: User) -> PartnerScope:
    """A retired rep sees none but their own; retired beats everything (rulings)."""
    roles = roles_of(user)
    if Role.ADMIN in roles:
        return PartnerScope(everything=True)
    if roles & {Role.INSIDE_REP, Role.OUTSIDE_REP}:
        return PartnerScope(rep_id=user.id)
    return PartnerScope(own_code=user.partner_code)


def sees_limited(user: User) -> bool:
    """Whether a business is shown without money and addresses: to those with no group but Installer, unless they own or
    buy for it (shell spec 6; decision 13)."""
    if user.is_admin or user.is_sales_rep or user.is_owner or user.is_purchaser:
        return False
    return set(user.permission_groups) <= {INSTALLER_GROUP}


def reads_documents(user: User) -> bool:
    """Whether the documents of a business are shown, with its money: consumers, who have none of their own, see that."""
    return not user.is_retired and (user.is_b2c or not sees_limited(user))


def must_choose(user: User) -> bool:
    """Sales reps work for a business that they choose first."""
    return bool(roles_of(user) & {Role.INSIDE_REP, Role.OUTSIDE_REP})


def is_wrong_site(site: Site, code: str | None) -> bool:
    """Codes that start with N are Canadian, all others are not; nobody without a code is at the wrong site (rulings)."""
    if code is None:
        return False
    return code.startswith("N") is not site.is_canadian


def url_of_site(host: str, portal_url: str, hosts: Collection[str]) -> str:
    """Where browsers reach the site at this host, without a slash at its end. `portal_url` is how they reach one of the sites, which are
    at `hosts`, and that one is there; where it is at none of these, all are."""
    named = urlsplit(portal_url)
    if host not in hosts or named.hostname not in hosts or named.hostname == host:
        return portal_url.rstrip("/")
    port = f":{named.port}" if named.port is not None else ""
    return f"{named.scheme}://{host}{port}{named.path}".rstrip("/")


def check_channel(sent: str | None, own: str | None) -> None:
    """The list price is open to everybody; any other channel must be that of the business. Raises WrongChannel."""
    if sent is not None and sent not in (DEFAULT_CHANNEL, own or DEFAULT_CHANNEL):
        raise WrongChannel
