"""Finding businesses: pages, the fuzzy search, one with all its details, and what the ERP told (shell spec 4 and 7)."""

import re
from datetime import datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    Integer,
    and_,
    case,
    cast,
    func,
    literal,
    or_,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Executes
from db.likeness import allow_for_errors
from db.partner_tables import DealerRow, PartnerAddressRow, PartnerRow, as_summary
from db.partners.reps import RepPartnerRow, primary_of, reps_of
from domain.base import Frozen
from domain.paper.buyer import Buyer
from domain.partners.partners import (
    Address,
    AddressKind,
    ErpAccount,
    Partner,
    PartnerScope,
    PartnerSummary,
)

LIKENESS = "0.4"
"""The least word similarity (0 to 1) of a name that is found: two letters swapped in a short word still are."""

NAME = func.lower(PartnerRow.company_name)
SUMMARY = (
    PartnerRow.id,
    PartnerRow.sap_bp_code.label("code"),
    PartnerRow.company_name,
    PartnerRow.channel_slug.label("channel"),
    PartnerRow.country,
    PartnerRow.subdistributor,
    (func.cardinality(PartnerRow.approved_brands) > 0).label("has_approved_brands"),
    PartnerRow.po_required,
)


class Place(Frozen):
    """Where a page ended. `rank` is 0 without a search, and falls with the quality of the match."""

    rank: int
    name: str
    id: str


class Page(Frozen):
    """`end` is where the next page begins, None on the last one; `total` counts the businesses of all pages."""

    partners: tuple[PartnerSummary, ...]
    end: Place | None
    total: int


async def list_partners(
    session: AsyncSession,
    scope: PartnerScope,
    *,
    only_us: bool = False,
    wanted: str = "",
    limit: int,
    after: Place | None = None,
) -> Page:
    """Businesses by name or, with `wanted`, by the quality of the match. One statement searches and counts."""
    if wanted:
        await allow_for_errors(session, least=LIKENESS)
    query = select(*SUMMARY, _rank(wanted).label("rank"), NAME.label("name"))
    query = query.where(_visible(scope), *([PartnerRow.country == "US"] if only_us else []))
    matched = (query.where(_matches(wanted)) if wanted else query).cte("matched")
    total = select(func.count()).select_from(matched).scalar_subquery()
    rank, name, id_ = matched.c.rank, matched.c.name, matched.c.id
    page = select(matched, total.label("total")).order_by(rank.desc(), name, id_).limit(limit + 1)
    if after is not None:
        page = page.where(_is_after(rank, name, id_, after))
    rows = (await session.execute(page)).all()
    if not rows:
        return Page(partners=(), end=None, total=await session.scalar(select(total)) or 0)
    partners = tuple(
        PartnerSummary.model_validate(row, from_attributes=True) for row in rows[:limit]
    )
    last = rows[:limit][-1]
    end = Place(rank=last.rank, name=last.name, id=last.id) if len(rows) > limit else None
    return Page(partners=partners, end=end, total=rows[0].total)


async def last_chosen_partners(
    session: AsyncSession, rep_id: str, present: str | None, *, only_us: bool = False, limit: int
) -> tuple[PartnerSummary, ...]:
    """The businesses that a rep worked for of late, the `present` one's code first, then the last one first."""
    query = (
        select(*SUMMARY)
        .join(RepPartnerRow, RepPartnerRow.partner_id == PartnerRow.id)
        .where(RepPartnerRow.person_id == rep_id, RepPartnerRow.chosen_at.is_not(None))
        .order_by(
            (PartnerRow.sap_bp_code == (present or "")).desc(), RepPartnerRow.chosen_at.desc()
        )
        .limit(limit)
    )
    if only_us:
        query = query.where(PartnerRow.country == "US")
    rows = await session.execute(query)
    return tuple(PartnerSummary.model_validate(row, from_attributes=True) for row in rows)


async def sees_partner(session: Executes, scope: PartnerScope, id_or_code: str) -> bool:
    """Whether there is a business with this id or code that can be seen."""
    seen = select(PartnerRow.id).where(_is_named(id_or_code), _visible(scope)).limit(1)
    return await session.scalar(seen) is not None


async def find_partner(
    session: AsyncSession, scope: PartnerScope, id_or_code: str
) -> Partner | None:
    """The business with this id or code, if it can be seen."""
    query = (
        select(PartnerRow)
        .where(_is_named(id_or_code), _visible(scope))
        .order_by((PartnerRow.id == id_or_code).desc())
        .limit(1)
    )
    partner = await session.scalar(query)
    if partner is None:
        return None
    dealer_id = await session.scalar(select(DealerRow.id).where(DealerRow.partner_id == partner.id))
    primary = await primary_of(session, dealer_id) if dealer_id else None
    return Partner(
        **as_summary(partner).model_dump(),
        addresses=await _addresses_of(session, partner.id),
        approved_brands=tuple(partner.approved_brands),
        dealer_id=dealer_id,
        primary_drone_user_id=primary.drone_user_id if primary else None,
        account=_account_of(partner),
        mirrored_at=partner.mirrored_at,
        reps=await reps_of(session, partner.id),
    )


def _is_named(id_or_code: str) -> ColumnElement[bool]:
    return or_(PartnerRow.id == id_or_code, PartnerRow.sap_bp_code == id_or_code.upper())


async def partner_summary(session: AsyncSession, code: str) -> PartnerSummary | None:
    row = await session.scalar(select(PartnerRow).where(PartnerRow.sap_bp_code == code))
    return as_summary(row) if row else None


async def buyer_of_code(session: AsyncSession, code: str) -> Buyer:
    """The business as papers name it; by its code while it has no name."""
    summary = await partner_summary(session, code)
    return (
        Buyer(name=summary.company_name, tax_number=summary.tax_number)
        if summary
        else Buyer(name=code)
    )


async def tax_number_of(session: AsyncSession, code: str) -> str | None:
    """What stands on the invoices of this business."""
    return await session.scalar(select(PartnerRow.tax_number).where(PartnerRow.sap_bp_code == code))


async def is_blocked(session: AsyncSession, code: str) -> bool:
    """Whether the ERP takes no order of this business."""
    row = await session.scalar(select(PartnerRow.is_blocked).where(PartnerRow.sap_bp_code == code))
    return bool(row)


async def id_of_stale_account(session: AsyncSession, code: str, fresh_for: timedelta) -> str | None:
    """The id of the business with this code, if the ERP told nothing of its account for so long, or never."""
    return await session.scalar(
        select(PartnerRow.id).where(
            PartnerRow.sap_bp_code == code,
            or_(
                PartnerRow.credit_limit.is_(None),
                PartnerRow.mirrored_at.is_(None),
                PartnerRow.mirrored_at < func.now() - fresh_for,
            ),
        )
    )


async def save_account(
    session: AsyncSession, partner_id: str, account: ErpAccount, asked_at: datetime
) -> None:
    """What the ERP told when it was asked at `asked_at`: an invoice of after that need not be in it. What it told before that
    changes nothing any more."""
    is_newer = or_(PartnerRow.mirrored_at.is_(None), PartnerRow.mirrored_at <= asked_at)
    await session.execute(
        update(PartnerRow)
        .where(PartnerRow.id == partner_id, is_newer)
        .values(**account.model_dump(), mirrored_at=asked_at)
    )


def _visible(scope: PartnerScope) -> ColumnElement[bool]:
    if scope.everything:
        return true()
    if scope.rep_id is not None:
        theirs = select(RepPartnerRow.partner_id).where(
            RepPartnerRow.person_id == scope.rep_id, RepPartnerRow.partner_id == PartnerRow.id
        )
        return theirs.exists()
    return PartnerRow.sap_bp_code == scope.own_code


def _matches(wanted: str) -> ColumnElement[bool]:
    name, plain = wanted.lower(), _plain(wanted)
    return or_(
        NAME.like(f"%{plain.lower()}%"),
        literal(name).op("<%", is_comparison=True)(NAME),
        PartnerRow.sap_bp_code.like(f"%{plain.upper()}%"),
    )


def _plain(text: str) -> str:
    """Without meaning for LIKE. Done here, because the database would do it anew for each row."""
    return re.sub(r"([\\%_])", r"\\\1", text)


def _rank(wanted: str) -> ColumnElement[int]:
    """Codes that begin so first, then names by likeness in thousandths; 0 for all when nothing is wanted."""
    if not wanted:
        return literal(0)
    begins = PartnerRow.sap_bp_code.like(f"{_plain(wanted).upper()}%")
    likeness = func.round(func.word_similarity(wanted.lower(), NAME) * 1000)
    return case((begins, 2000), else_=cast(likeness, Integer))


def _is_after(
    rank: ColumnElement[int], name: ColumnElement[str], id_: ColumnElement[str], place: Place
) -> ColumnElement[bool]:
    further = tuple_(name, id_) > tuple_(literal(place.name), literal(place.id))
    return or_(rank < place.rank, and_(rank == place.rank, further))


def _account_of(row: PartnerRow) -> ErpAccount | None:
    if (
        row.account_balance is None
        or row.credit_limit is None
        or row.past_due_invoices is None
        or row.invoice_count is None
    ):
        return None
    return ErpAccount(
        account_balance=row.account_balance,
        credit_limit=row.credit_limit,
        past_due_invoices=row.past_due_invoices,
        invoice_count=row.invoice_count,
    )


async def _addresses_of(session: AsyncSession, partner_id: str) -> tuple[Address, ...]:
    rows = await session.scalars(
        select(PartnerAddressRow)
        .where(PartnerAddressRow.partner_id == partner_id)
        .order_by(PartnerAddressRow.kind, PartnerAddressRow.is_default.desc(), PartnerAddressRow.id)
        .limit(100)
    )
    return tuple(
        Address(
            id=row.id,
            kind=AddressKind(row.kind),
            is_default=row.is_default,
            name=row.name,
            street=row.street,
            city=row.city,
            country_area=row.country_area,
            postal_code=row.postal_code,
            country=row.country,
        )
        for row in rows
    )
