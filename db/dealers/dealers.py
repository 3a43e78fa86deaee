"""Dealers and their installers, as those who run the business see and change them (devices spec 6 and 7)."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import ValidationError
from sqlalchemy import Select, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.identity.people import InstallerRow, PersonRow
from db.identity.sign_ins import SignInRow
from db.partner_tables import DealerRow, PartnerRow
from db.partners.reps import ensure_primary
from db.runs.flows import FlowRow
from domain.dealers.dealers import Dealer, DealerProfile, Installer


async def find_dealer(session: AsyncSession, dealer_id: str) -> Dealer | None:
    row = (await session.execute(_dealers().where(DealerRow.id == dealer_id))).one_or_none()
    return _dealer(row[0], row[1]) if row else None


async def list_dealers(
    session: AsyncSession,
    only: str | None,
    *,
    subscriber_id: str | None = None,
    limit: int,
    offset: int,
) -> tuple[tuple[Dealer, ...], int]:
    """A page by name and how many there are in all; the one dealer named by `only`, or all for None. Of a subscriber those
    alone where the person works."""
    which = [DealerRow.id == only] if only is not None else []
    if subscriber_id is not None:
        works = select(PersonRow.dealer_id).where(PersonRow.subscriber_id == subscriber_id)
        which.append(DealerRow.id.in_(works))
    count = await session.scalar(select(func.count()).select_from(DealerRow).where(*which))
    page = _dealers().where(*which).order_by(func.lower(DealerRow.name), DealerRow.id)
    rows = await session.execute(page.limit(limit).offset(offset))
    return tuple(_dealer(row[0], row[1]) for row in rows), count or 0


async def change_dealer(session: AsyncSession, dealer_id: str, values: Mapping[str, Any]) -> None:
    await session.execute(update(DealerRow).where(DealerRow.id == dealer_id).values(**values))


async def lock_dealer(session: AsyncSession, dealer_id: str) -> None:
    """Until the transaction ends nobody else changes who owns the dealer: of two owners who retire at once, the later
    one sees the earlier."""
    await session.execute(select(DealerRow.id).where(DealerRow.id == dealer_id).with_for_update())


async def list_installers(
    session: AsyncSession,
    dealer_id: str,
    *,
    subscriber_id: str | None = None,
    limit: int,
    offset: int,
) -> tuple[tuple[Installer, ...], int]:
    """Owners first, of both the retired last, then by name; and how many there are in all. Of a subscriber that person alone."""
    ours = PersonRow.dealer_id == dealer_id
    if subscriber_id is not None:
        ours &= PersonRow.subscriber_id == subscriber_id
    count = await session.scalar(
        select(func.count())
        .select_from(PersonRow)
        .join(InstallerRow, InstallerRow.person_id == PersonRow.id)
        .where(ours)
    )
    query = (
        _installers()
        .where(ours)
        .order_by(
            InstallerRow.is_owner.desc(),
            PersonRow.is_retired,
            func.lower(PersonRow.first_name),
            func.lower(PersonRow.last_name),
            PersonRow.id,
        )
    )
    rows = await session.execute(query.limit(limit).offset(offset))
    return tuple(_installer(*row) for row in rows), count or 0


async def find_installers(
    session: AsyncSession, ids: Sequence[str], dealer_id: str
) -> tuple[Installer, ...]:
    """Those of the ids that are installers of this dealer."""
    query = _installers().where(PersonRow.id.in_(ids), PersonRow.dealer_id == dealer_id)
    return tuple(_installer(*row) for row in await session.execute(query))


async def present_owners(session: AsyncSession, dealer_id: str) -> tuple[PersonRow, ...]:
    """The owners who are not retired."""
    rows = await session.scalars(
        select(PersonRow)
        .join(InstallerRow, InstallerRow.person_id == PersonRow.id)
        .where(
            PersonRow.dealer_id == dealer_id,
            InstallerRow.is_owner,
            PersonRow.is_retired.is_(False),
        )
        .order_by(PersonRow.id)
    )
    return tuple(rows)


async def at_work(session: AsyncSession, dealer_id: str) -> frozenset[str]:
    """Ids of the dealer's people who are not retired."""
    people = select(PersonRow.id).where(
        PersonRow.dealer_id == dealer_id, PersonRow.is_retired.is_(False)
    )
    return frozenset(await session.scalars(people))


async def set_retired(session: AsyncSession, person_id: str, *, is_retired: bool) -> None:
    await session.execute(
        update(PersonRow).where(PersonRow.id == person_id).values(is_retired=is_retired)
    )


async def set_purchaser(session: AsyncSession, person_id: str, *, is_purchaser: bool) -> None:
    await session.execute(
        update(InstallerRow)
        .where(InstallerRow.person_id == person_id)
        .values(is_purchaser=is_purchaser)
    )


async def make_owner(session: AsyncSession, person_id: str) -> None:
    """An installer of a dealer owns it; and is its primary person, where it has none who is present."""
    await session.execute(
        update(InstallerRow).where(InstallerRow.person_id == person_id).values(is_owner=True)
    )
    await ensure_primary(session, person_id)


async def has_subscriber(session: AsyncSession, dealer_id: str, subscriber_id: str) -> bool:
    """Whether somebody of the dealer is this subscriber of the device network."""
    found = select(PersonRow.id).where(
        PersonRow.dealer_id == dealer_id, PersonRow.subscriber_id == subscriber_id
    )
    return bool(await session.scalar(select(found.exists())))


async def names_of(session: AsyncSession, ids: Sequence[str]) -> dict[str, str]:
    """Person → their name; whoever is gone is not in it."""
    rows = await session.execute(
        select(PersonRow.id, PersonRow.first_name, PersonRow.last_name).where(PersonRow.id.in_(ids))
    )
    return {id_: f"{first} {last}".strip() for id_, first, last in rows}


def _dealers() -> Select[DealerRow, str | None]:
    query = select(DealerRow, PartnerRow.sap_bp_code).outerjoin(
        PartnerRow, PartnerRow.id == DealerRow.partner_id
    )
    # The types do not know that an outer join may find nothing.
    return cast("Select[DealerRow, str | None]", query)


def _dealer(row: DealerRow, code: str | None) -> Dealer:
    return Dealer(
        id=row.id,
        name=row.name,
        partner_code=code,
        is_public_profile=row.is_public_profile,
        dealer_profile=_profile(row.dealer_profile),
    )


def _profile(stored: Mapping[str, Any]) -> DealerProfile:
    """Without what an earlier release took and the rules do not take any more."""
    try:
        return DealerProfile.model_validate(stored)
    except ValidationError as error:
        refused = {one["loc"][0] for one in error.errors()}
        return DealerProfile.model_validate(
            {name: value for name, value in stored.items() if name not in refused}
        )


def _installers() -> Any:
    seen = (
        select(func.max(SignInRow.turned_at))
        .where(SignInRow.person_id == PersonRow.id)
        .correlate(PersonRow)
        .scalar_subquery()
    )
    unfinished = (
        select(func.count())
        .select_from(FlowRow)
        .where(
            FlowRow.owner_id == PersonRow.id,
            FlowRow.kind == "activation",
            FlowRow.ended_at.is_(None),
        )
        .correlate(PersonRow)
        .scalar_subquery()
    )
    return (
        select(PersonRow, InstallerRow, seen, unfinished)
        .join(InstallerRow, InstallerRow.person_id == PersonRow.id)
        .execution_options(populate_existing=True)
    )


def _installer(person: PersonRow, installer: InstallerRow, seen: Any, unfinished: int) -> Installer:
    assert person.dealer_id is not None
    return Installer(
        id=person.id,
        dealer_id=person.dealer_id,
        first_name=person.first_name,
        last_name=person.last_name,
        email=person.email,
        is_owner=installer.is_owner,
        is_purchaser=installer.is_purchaser,
        is_retired=person.is_retired,
        last_seen_at=seen,
        open_activations=unfinished,
    )
