"""A business as the ERP has it, and in which parts our mirror says something else (decision 57)."""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from domain.address import AddressLines
from domain.base import Frozen
from domain.partners.partners import AddressKind

Money = Annotated[Decimal, Field(gt=-(10**10), lt=10**10, decimal_places=2)]
Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class ErpAddress(AddressLines):
    """`erp_name` is what the ERP calls it, once for each kind of a business."""

    kind: AddressKind
    erp_name: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    is_default: bool = False
    name: Word
    street: Word
    city: Word
    country_area: Annotated[str, StringConstraints(strip_whitespace=True, max_length=80)] = ""
    postal_code: Annotated[str, StringConstraints(strip_whitespace=True, max_length=20)] = ""
    country: Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$")]


class ErpBusiness(Frozen):
    """`tax_number` is empty where it has told none. `addresses` is None where none are told, or
    one cannot be read: ours stay then. `rep` is the e-mail address of its sales person, empty for none."""

    code: Annotated[str, StringConstraints(pattern=r"^[A-Z0-9][A-Z0-9_-]{0,39}$")]
    name: Word
    channel: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,80}$")]
    country: Literal["AU", "CA", "MX", "US"]
    is_blocked: bool
    po_required: bool
    subdistributor: bool
    approved_brands: tuple[Word, ...]
    tax_number: Annotated[str, StringConstraints(strip_whitespace=True, max_length=40)] = ""
    credit_limit: Money
    addresses: Annotated[tuple[ErpAddress, ...] | None, Field(max_length=500)] = None
    rep: str = ""


class BusinessPart(StrEnum):
    """What of a business can differ."""

    BUSINESS = "business"
    CREDIT = "credit"
    ADDRESSES = "addresses"
    REP = "rep"


BUSINESS_FIELDS = (
    "name",
    "channel",
    "country",
    "is_blocked",
    "po_required",
    "subdistributor",
    "approved_brands",
    "tax_number",
)


def differing_parts(
    theirs: ErpBusiness,
    ours: ErpBusiness,
    *,
    credit_known: bool,
    reps: frozenset[str] = frozenset(),
    known_reps: frozenset[str] = frozenset(),
) -> dict[BusinessPart, tuple[str, str]]:
    """Each part that differs, with what the ERP says and what we say. What it owes is asked for before it is used,
    and is none of them; neither is the limit of a business whose account was never asked for. `reps` are those whom
    we know to care for it, of `known_reps`; one whom nobody knows here is no difference."""
    found: dict[BusinessPart, tuple[str, str]] = {}
    names = [name for name in BUSINESS_FIELDS if getattr(theirs, name) != getattr(ours, name)]
    if names:
        found[BusinessPart.BUSINESS] = (_said(theirs, names), _said(ours, names))
    if credit_known and theirs.credit_limit != ours.credit_limit:
        found[BusinessPart.CREDIT] = (f"limit {theirs.credit_limit}", f"limit {ours.credit_limit}")
    if theirs.addresses is not None and set(theirs.addresses) != set(ours.addresses or ()):
        found[BusinessPart.ADDRESSES] = (_listed(theirs), _listed(ours))
    if theirs.rep in known_reps and theirs.rep not in reps:
        found[BusinessPart.REP] = (theirs.rep, ", ".join(sorted(reps))[:300])
    return found


def _listed(one: ErpBusiness) -> str:
    named = sorted(
        f"{address.kind} {address.erp_name}{' (main)' if address.is_default else ''}, {address.city}"
        for address in one.addresses or ()
    )
    return "; ".join(named)[:300]


def _said(one: ErpBusiness, names: list[str]) -> str:
    words = one.model_dump() | {"approved_brands": ", ".join(one.approved_brands)}
    return ", ".join(f"{name} {words[name]}" for name in names)[:300]
