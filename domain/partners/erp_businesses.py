"""A business as the ERP has it, and in which parts our mirror says something else (decision 57)."""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from domain.base import Frozen

Money = Annotated[Decimal, Field(gt=-(10**10), lt=10**10, decimal_places=2)]
Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class ErpBusiness(Frozen):
    """`balance` is what it owes there; `tax_number` is empty where it has told none."""

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
    balance: Money


class BusinessPart(StrEnum):
    """What of a business can differ."""

    BUSINESS = "business"
    CREDIT = "credit"


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
    theirs: ErpBusiness, ours: ErpBusiness, *, credit_known: bool
) -> dict[BusinessPart, tuple[str, str]]:
    """Each part that differs, with what the ERP says and what we say. The balance is asked for before it is used, so an
    older one is no difference; neither is the limit of a business whose account was never asked for."""
    found: dict[BusinessPart, tuple[str, str]] = {}
    names = [name for name in BUSINESS_FIELDS if getattr(theirs, name) != getattr(ours, name)]
    if names:
        found[BusinessPart.BUSINESS] = (_said(theirs, names), _said(ours, names))
    if credit_known and theirs.credit_limit != ours.credit_limit:
        found[BusinessPart.CREDIT] = (f"limit {theirs.credit_limit}", f"limit {ours.credit_limit}")
    return found


def _said(one: ErpBusiness, names: list[str]) -> str:
    words = one.model_dump() | {"approved_brands": ", ".join(one.approved_brands)}
    return ", ".join(f"{name} {words[name]}" for name in names)[:300]
