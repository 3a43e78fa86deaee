"""Finding businesses: pages, the fuzzy search, one with all its details, and what the ERP told (shell spec 4 and 7)."""

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
    text,
    true,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession

from db.partners import DealerRow, PartnerAddressRow, PartnerRow, as_card
from db.reps import RepPartnerRow, primary_of, reps_of
from domain.base import Frozen
from domain.partners import Address, AddressKind, ErpAccount, Partner, PartnerCard, Reach

LIKENESS = "0.4"
"""The least word similarity (0 to 1) of a name that is found: two letters swapped in a short word still are."""

NAME = func.lower(PartnerRow.company_name)


class Place(Frozen):
    """Where a page ended. `rank` is 0 without a search, and falls with the quality of the match."""

    rank: int
    name: str
    id: str


async def count_partners(
    session: AsyncSession, reach: Reach, *, only_us: bool = False, wanted: str = ""
) -> int:
    """How many businesses `list_partners` would find on all its pages."""
    query = select(func.count()).select_from(PartnerRow).where(_visible(reach))
    if only_us:
        query = query.where(PartnerRow.country == "US")
    if wanted:
        await _allow_for_errors(session)
        query = query.where(_matches(wanted))
    return await session.scalar(query) or 0


async def list_partners(
    session: AsyncSession,
    reach: Reach,
    *,
    only_us: bool = False,
    wanted: str = "",
    limit: int,
    after: Place | None = None,
) -> list[tuple[PartnerCard, Place]]:
    """Businesses by name, or by the quality of the match with `wanted`, and where the next page would begin."""
    rank = _rank(wanted) if wanted else literal(0)
    query = select(PartnerRow, rank.label("rank"), NAME.label("name")).where(_visible(reach))
    if only_us:
        query = query.where(PartnerRow.country == "US")
    if wanted:
        await _allow_for_errors(session)
        query = query.where(_matches(wanted))
    if after is not None:
        query = query.where(_is_after(rank if wanted else None, after))
    order = (rank.desc(), NAME, PartnerRow.id) if wanted else (NAME, PartnerRow.id)
    found = await session.execute(query.order_by(*order).limit(limit))
    return [(as_card(row), Place(rank=rank, name=name, id=row.id)) for row, rank, name in found]


async def find_partner(session: AsyncSession, reach: Reach, id_or_code: str) -> Partner | None:
    """The business with this id or code, if it can be seen."""
    which = or_(PartnerRow.id == id_or_code, PartnerRow.sap_bp_code == id_or_code.upper())
    query = (
        select(PartnerRow)
        .where(which, _visible(reach))
        .order_by((PartnerRow.id == id_or_code).desc())
        .limit(1)
    )
    partner = await session.scalar(query)
    if partner is None:
        return None
    dealer_id = await session.scalar(select(DealerRow.id).where(DealerRow.partner_id == partner.id))
    primary = await primary_of(session, dealer_id) if dealer_id else None
    return Partner(
        **as_card(partner).model_dump(),
        addresses=await _addresses_of(session, partner.id),
        approved_brands=tuple(partner.approved_brands),
        dealer_id=dealer_id,
        primary_drone_user_id=primary.drone_user_id if primary else None,
        account=_account_of(partner),
        mirrored_at=partner.mirrored_at,
        reps=await reps_of(session, partner.id),
    )


async def card_of_code(session: AsyncSession, code: str) -> PartnerCard | None:
    row = await session.scalar(select(PartnerRow).where(PartnerRow.sap_bp_code == code))
    return as_card(row) if row else None


async def keep_account(session: AsyncSession, partner_id: str, account: ErpAccount) -> None:
    """What the ERP told, in place of what it told before."""
    await session.execute(
        update(PartnerRow)
        .where(PartnerRow.id == partner_id)
        .values(**account.model_dump(), mirrored_at=func.now())
    )


def _visible(reach: Reach) -> ColumnElement[bool]:
    if reach.everything:
        return true()
    if reach.rep_id is not None:
        theirs = select(RepPartnerRow.partner_id).where(
            RepPartnerRow.person_id == reach.rep_id, RepPartnerRow.partner_id == PartnerRow.id
        )
        return theirs.exists()
    return PartnerRow.sap_bp_code == reach.own_code


async def _allow_for_errors(session: AsyncSession) -> None:
    """For this transaction; the operator `<%` can use the index, the function cannot."""
    await session.execute(
        text("select set_config('pg_trgm.word_similarity_threshold', :least, true)"),
        {"least": LIKENESS},
    )


def _matches(wanted: str) -> ColumnElement[bool]:
    name, code = wanted.lower(), wanted.upper()
    return or_(
        NAME.contains(name, autoescape=True),
        literal(name).op("<%", is_comparison=True)(NAME),
        PartnerRow.sap_bp_code.contains(code, autoescape=True),
    )


def _rank(wanted: str) -> ColumnElement[int]:
    """Codes that begin so first, then names by likeness in thousandths."""
    begins = PartnerRow.sap_bp_code.startswith(wanted.upper(), autoescape=True)
    likeness = func.round(func.word_similarity(wanted.lower(), NAME) * 1000)
    return case((begins, 2000), else_=cast(likeness, Integer))


def _is_after(rank: ColumnElement[int] | None, place: Place) -> ColumnElement[bool]:
    further = tuple_(NAME, PartnerRow.id) > tuple_(literal(place.name), literal(place.id))
    if rank is None:
        return further
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
