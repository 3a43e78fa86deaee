"""The mirror of the ERP's businesses: what we have of each, in the ERP's shape, and writing what differs (decision 57)."""

from collections.abc import Collection, Iterable
from decimal import Decimal

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.partner_tables import PartnerRow
from domain.base import Frozen
from domain.partners.erp_businesses import BusinessPart, ErpBusiness

NOTHING = Decimal(0)


class Mirrored(Frozen):
    """`credit_known`: its account was asked for before."""

    business: ErpBusiness
    credit_known: bool


async def businesses_of(session: AsyncSession, codes: Collection[str]) -> dict[str, Mirrored]:
    """What we have of these businesses, by code."""
    found = await session.scalars(
        select(PartnerRow)
        .where(PartnerRow.sap_bp_code.in_(codes))
        .execution_options(populate_existing=True)
    )
    return {row.sap_bp_code: _mirrored(row) for row in found}


async def write_business(
    session: AsyncSession, business: ErpBusiness, parts: Iterable[BusinessPart]
) -> None:
    """Writes these parts of the business; of one that is not here, all but its account, which is asked for when it is
    needed."""
    wanted = set(parts)
    said = {
        "company_name": business.name,
        "channel_slug": business.channel,
        "country": business.country,
        "is_blocked": business.is_blocked,
        "po_required": business.po_required,
        "subdistributor": business.subdistributor,
        "approved_brands": list(business.approved_brands),
        "tax_number": business.tax_number or None,
    }
    new = insert(PartnerRow).values(
        id=f"bp-{business.code.lower()}", sap_bp_code=business.code, **said
    )
    if BusinessPart.BUSINESS in wanted:
        await session.execute(new.on_conflict_do_update(index_elements=["sap_bp_code"], set_=said))
    if BusinessPart.CREDIT in wanted:
        await session.execute(
            update(PartnerRow)
            .where(PartnerRow.sap_bp_code == business.code)
            .values(credit_limit=business.credit_limit, account_balance=business.balance)
        )


async def codes_between(session: AsyncSession, after: str, last: str | None) -> tuple[str, ...]:
    """Our businesses behind `after`, as far as `last` or to the end."""
    code = PartnerRow.sap_bp_code.collate("C")
    query = select(PartnerRow.sap_bp_code).where(code > after).order_by(code)
    return tuple(await session.scalars(query if last is None else query.where(code <= last)))


def _mirrored(row: PartnerRow) -> Mirrored:
    business = ErpBusiness.model_construct(
        code=row.sap_bp_code,
        name=row.company_name,
        channel=row.channel_slug,
        country=row.country,
        is_blocked=row.is_blocked,
        po_required=row.po_required,
        subdistributor=row.subdistributor,
        approved_brands=tuple(sorted(row.approved_brands)),
        tax_number=row.tax_number or "",
        credit_limit=row.credit_limit if row.credit_limit is not None else NOTHING,
        balance=row.account_balance if row.account_balance is not None else NOTHING,
    )
    return Mirrored(business=business, credit_known=row.credit_limit is not None)
