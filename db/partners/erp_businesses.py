"""The mirror of the ERP's businesses: what we have of each, in the ERP's shape, and writing what differs (decision 57)."""

import secrets
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal

from sqlalchemy import ColumnElement, any_, func, literal, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.identity.people import PersonRow
from db.partner_tables import DealerRow, PartnerAddressRow, PartnerRow
from db.partners.reps import RepPartnerRow
from domain.base import Frozen
from domain.identity.people import REP_GROUPS
from domain.partners.erp_businesses import BusinessPart, ErpAddress, ErpBusiness
from domain.partners.partners import DEFAULT_CHANNEL, AddressKind

NOTHING = Decimal(0)


class Mirrored(Frozen):
    """`credit_known`: its account was asked for before. `reps` are the e-mail addresses of those who care for it, `known_reps` of
    all reps that are here."""

    business: ErpBusiness
    credit_known: bool
    reps: frozenset[str] = frozenset()
    known_reps: frozenset[str] = frozenset()


async def businesses_of(session: AsyncSession, codes: Collection[str]) -> dict[str, Mirrored]:
    """What we have of these businesses, by code."""
    found = await session.scalars(
        select(PartnerRow)
        .where(PartnerRow.sap_bp_code.in_(codes))
        .execution_options(populate_existing=True)
    )
    rows = found.all()
    ids = [row.id for row in rows]
    addresses = await _addresses_of(session, ids)
    caring, known = await _caring_for(session, ids), await _known_reps(session)
    return {
        row.sap_bp_code: Mirrored(
            business=_business(row, addresses[row.id]),
            credit_known=row.credit_limit is not None,
            reps=frozenset(caring[row.id]),
            known_reps=known,
        )
        for row in rows
    }


async def write_business(
    session: AsyncSession, business: ErpBusiness, parts: Iterable[BusinessPart]
) -> None:
    """Writes these parts of the business; of one that is not here, all but its account, which is asked for when it is
    needed. A new one that is no consumer's gets a dealer's account, in which people can be invited."""
    wanted = set(parts)
    id_ = f"bp-{business.code.lower()}"
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
    new = insert(PartnerRow).values(id=id_, sap_bp_code=business.code, **said)
    if BusinessPart.BUSINESS in wanted:
        is_new = await _id_of(session, business.code) is None
        await session.execute(new.on_conflict_do_update(index_elements=["sap_bp_code"], set_=said))
        if is_new and business.channel != DEFAULT_CHANNEL:
            account = insert(DealerRow).values(id=id_, partner_id=id_, name=business.name)
            await session.execute(account.on_conflict_do_nothing())
    if BusinessPart.CREDIT in wanted:
        await session.execute(
            update(PartnerRow)
            .where(PartnerRow.sap_bp_code == business.code)
            .values(credit_limit=business.credit_limit)
        )

    partner_id = await _id_of(session, business.code)
    if partner_id is None:
        return
    if BusinessPart.ADDRESSES in wanted and business.addresses is not None:
        await _write_addresses(session, partner_id, business.addresses)
    if BusinessPart.REP in wanted and business.rep:
        await _write_rep(session, partner_id, business.rep)


async def _id_of(session: AsyncSession, code: str) -> str | None:
    return await session.scalar(select(PartnerRow.id).where(PartnerRow.sap_bp_code == code))


async def _write_addresses(
    session: AsyncSession, partner_id: str, addresses: Iterable[ErpAddress]
) -> None:
    """All of them, and no other. Carts and orders under way keep what they name as long as it is there."""
    rows = await session.scalars(
        select(PartnerAddressRow)
        .where(PartnerAddressRow.partner_id == partner_id)
        .order_by(PartnerAddressRow.id)
        .with_for_update()
    )
    ours = {(row.kind, row.erp_name or row.id): row for row in rows}
    # One default of a kind gives way before the next one is.
    for row in ours.values():
        row.is_default = False
    await session.flush()
    for address in addresses:
        row = ours.pop((address.kind.value, address.erp_name), None)
        if row is None:
            row = PartnerAddressRow(id=f"adr-{secrets.token_hex(12)}", partner_id=partner_id)
            session.add(row)
        for name, value in address.model_dump(mode="json").items():
            setattr(row, name, value)
    for row in ours.values():
        await session.delete(row)
    await session.flush()


async def _write_rep(session: AsyncSession, partner_id: str, email: str) -> None:
    """Whom alone the business may call from now on; who cared for it before still sees it. Nothing while nobody here has this
    address."""
    person_id = await session.scalar(
        select(PersonRow.id).where(func.lower(PersonRow.email) == email, _is_rep())
    )
    if person_id is None:
        return
    caring = insert(RepPartnerRow).values(
        person_id=person_id, partner_id=partner_id, is_contact=True
    )
    await session.execute(
        caring.on_conflict_do_update(
            index_elements=["person_id", "partner_id"], set_={"is_contact": True}
        )
    )
    await session.execute(
        update(RepPartnerRow)
        .where(RepPartnerRow.partner_id == partner_id, RepPartnerRow.person_id != person_id)
        .values(is_contact=False)
    )


async def codes_between(session: AsyncSession, after: str, last: str | None) -> tuple[str, ...]:
    """Our businesses behind `after`, as far as `last` or to the end."""
    code = PartnerRow.sap_bp_code.collate("C")
    query = select(PartnerRow.sap_bp_code).where(code > after).order_by(code)
    return tuple(await session.scalars(query if last is None else query.where(code <= last)))


async def _addresses_of(
    session: AsyncSession, partner_ids: Sequence[str]
) -> Mapping[str, list[ErpAddress]]:
    rows = await session.scalars(
        select(PartnerAddressRow)
        .where(PartnerAddressRow.partner_id.in_(partner_ids))
        .order_by(PartnerAddressRow.id)
        .execution_options(populate_existing=True)
    )
    found: defaultdict[str, list[ErpAddress]] = defaultdict(list)
    for row in rows:
        found[row.partner_id].append(_address(row))
    return found


async def _caring_for(session: AsyncSession, partner_ids: Sequence[str]) -> Mapping[str, list[str]]:
    rows = await session.execute(
        select(RepPartnerRow.partner_id, func.lower(PersonRow.email))
        .join(PersonRow, PersonRow.id == RepPartnerRow.person_id)
        .where(RepPartnerRow.partner_id.in_(partner_ids), RepPartnerRow.is_contact)
    )
    found: defaultdict[str, list[str]] = defaultdict(list)
    for partner_id, email in rows:
        found[partner_id].append(email)
    return found


def _is_rep() -> ColumnElement[bool]:
    return or_(
        *(literal(group) == any_(PersonRow.permission_groups) for group in sorted(REP_GROUPS))
    )


async def _known_reps(session: AsyncSession) -> frozenset[str]:
    rows = await session.scalars(select(func.lower(PersonRow.email)).where(_is_rep()))
    return frozenset(rows)


def _address(row: PartnerAddressRow) -> ErpAddress:
    return ErpAddress.model_construct(
        kind=AddressKind(row.kind),
        erp_name=row.erp_name or row.id,
        is_default=row.is_default,
        name=row.name,
        street=row.street,
        city=row.city,
        country_area=row.country_area,
        postal_code=row.postal_code,
        country=row.country,
    )


def _business(row: PartnerRow, addresses: Sequence[ErpAddress]) -> ErpBusiness:
    return ErpBusiness.model_construct(
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
        addresses=tuple(addresses),
        rep="",
    )
