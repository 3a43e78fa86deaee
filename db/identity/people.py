"""People and what they are (shell spec 3)."""

import uuid
from datetime import datetime
from typing import Any, cast

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    ColumnElement,
    ForeignKey,
    Index,
    Row,
    Select,
    Text,
    func,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.partner_tables import DealerRow, PartnerRow
from domain.identity.people import ADMIN_ACCESS, Account, MfaType, Trade, User, UserType
from domain.letters.language import Language, Reader, known


class PersonRow(Base):
    """`partner_id` is set for consumers only; everybody else has a partner through the dealer, or none."""

    __tablename__ = "person"
    __table_args__ = (
        CheckConstraint("mfa_type in ('none', 'sms', 'totp')", name="mfa_type"),
        CheckConstraint("dealer_id is null or partner_id is null", name="one_business"),
        CheckConstraint("email = lower(email)", name="email_lower"),
        Index("ix_person_dealer_id", "dealer_id"),
        Index("ix_person_last_name", text("lower(last_name)")),
        Index(
            "ix_person_subscriber_id",
            "subscriber_id",
            postgresql_where=text("subscriber_id is not null"),
        ),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    email: Mapped[str] = mapped_column(Text, unique=True)
    password_hash: Mapped[str | None] = mapped_column(Text)
    first_name: Mapped[str] = mapped_column(Text)
    last_name: Mapped[str] = mapped_column(Text)
    image: Mapped[str | None] = mapped_column(Text)
    phone_number: Mapped[str | None] = mapped_column(Text)
    dealer_id: Mapped[str | None] = mapped_column(ForeignKey("dealer.id"))
    partner_id: Mapped[str | None] = mapped_column(ForeignKey("partner.id"))
    drone_user_id: Mapped[str | None] = mapped_column(Text, unique=True)
    permission_groups: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default="{}")
    access_type: Mapped[str | None] = mapped_column(Text)
    subscriber_id: Mapped[str | None] = mapped_column(Text)
    is_retired: Mapped[bool] = mapped_column(server_default="false")
    confirmed_at: Mapped[datetime | None]
    reset_required: Mapped[bool] = mapped_column(server_default="false")
    last_address: Mapped[str | None] = mapped_column(Text)
    """Where the person last signed in or chose a password."""
    security_stamp: Mapped[int] = mapped_column(server_default="1")
    mfa_type: Mapped[str] = mapped_column(Text, server_default="none")
    totp_secret: Mapped[bytes | None]
    totp_pending: Mapped[bytes | None]
    totp_last_step: Mapped[int | None]
    mfa_since: Mapped[datetime | None]
    """When the second factor that is on was switched on; unknown for those from before this was kept."""
    language: Mapped[str | None] = mapped_column(Text)
    """What the portal spoke when they were last here; unknown until then."""
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class InstallerRow(Base):
    """The installer record: it makes a person an installer of their dealer."""

    __tablename__ = "installer"

    person_id: Mapped[str] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), primary_key=True
    )
    is_owner: Mapped[bool] = mapped_column(server_default="false")
    is_purchaser: Mapped[bool] = mapped_column(server_default="false")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


def people() -> Select[PersonRow, InstallerRow | None, str | None]:
    """Each person with their installer record and their partner's code: the base of every query that yields a User."""
    query = (
        select(PersonRow, InstallerRow, PartnerRow.sap_bp_code)
        .outerjoin(InstallerRow, InstallerRow.person_id == PersonRow.id)
        .outerjoin(DealerRow, DealerRow.id == PersonRow.dealer_id)
        .outerjoin(
            PartnerRow, PartnerRow.id == func.coalesce(PersonRow.partner_id, DealerRow.partner_id)
        )
    )
    # The types do not know that an outer join may find nothing.
    return cast("Select[PersonRow, InstallerRow | None, str | None]", query)


def as_user(row: Row[PersonRow, InstallerRow | None, str | None]) -> User:
    return _user(row[0], row[1], row[2])


def plain_people() -> Select[*tuple[Any, ...]]:
    """The same as `people`, with no more than a User and the prices of their business need, and without objects of rows:
    for what every request asks."""
    return people().with_only_columns(*_OF_A_CALLER, maintain_column_froms=True)


def as_plain_user(row: Row[*tuple[Any, ...]]) -> User:
    """Of a row of `plain_people`."""
    return _user(row, row if row.is_owner is not None else None, row.sap_bp_code)


def trade_in(row: Row[*tuple[Any, ...]]) -> Trade | None:
    """Of a row of `plain_people`; None of somebody without a business."""
    if row.sap_bp_code is None:
        return None
    return Trade(channel=row.channel_slug, approved_brands=tuple(row.approved_brands))


_OF_A_CALLER = (
    PersonRow.id,
    PersonRow.email,
    PersonRow.first_name,
    PersonRow.last_name,
    PersonRow.image,
    PersonRow.phone_number,
    PersonRow.drone_user_id,
    PersonRow.permission_groups,
    PersonRow.access_type,
    PersonRow.subscriber_id,
    PersonRow.dealer_id,
    PersonRow.is_retired,
    PersonRow.mfa_type,
    PersonRow.language,
    InstallerRow.is_owner,
    InstallerRow.is_purchaser,
    PartnerRow.sap_bp_code,
    PartnerRow.channel_slug,
    PartnerRow.approved_brands,
)


def _user(
    person: PersonRow | Row[*tuple[Any, ...]],
    installer: InstallerRow | Row[*tuple[Any, ...]] | None,
    partner_code: str | None,
) -> User:
    kinds = (
        (UserType(is_owner=installer.is_owner, is_purchaser=installer.is_purchaser),)
        if installer
        else ()
    )
    return User(
        id=person.id,
        email=person.email,
        first_name=person.first_name,
        last_name=person.last_name,
        image=person.image,
        phone_number=person.phone_number,
        user_type=kinds,
        drone_user_id=person.drone_user_id,
        permission_groups=tuple(person.permission_groups),
        access_type=person.access_type,
        subscriber_id=person.subscriber_id,
        dealer_id=person.dealer_id,
        partner_code=partner_code,
        is_retired=person.is_retired,
        mfa_type=MfaType(person.mfa_type),
        language=known(person.language),
    )


def reader_of(person: PersonRow) -> Reader:
    return Reader.model_validate(person, from_attributes=True)


async def find_user(session: AsyncSession, person_id: str) -> User | None:
    row = (await session.execute(people().where(PersonRow.id == person_id))).one_or_none()
    return as_user(row) if row else None


async def find_account(session: AsyncSession, email: str) -> Account | None:
    """The account that signs in with this address, in whatever case it was typed."""
    return await _find_account(session, PersonRow.email == email.strip().lower())


async def find_account_of(session: AsyncSession, person_id: str) -> Account | None:
    return await _find_account(session, PersonRow.id == person_id)


async def _find_account(session: AsyncSession, which: ColumnElement[bool]) -> Account | None:
    row = (await session.execute(people().where(which))).one_or_none()
    if row is None:
        return None
    return Account(
        user=as_user(row),
        password_hash=row[0].password_hash,
        confirmed_at=row[0].confirmed_at,
        reset_required=row[0].reset_required,
        security_stamp=row[0].security_stamp,
        last_address=row[0].last_address,
    )


async def lock_person(session: AsyncSession, email: str) -> None:
    """Until the transaction ends nobody else changes the person of this address."""
    query = select(PersonRow.id).where(PersonRow.email == email).with_for_update()
    await session.execute(query)


async def administrators(session: AsyncSession, *, limit: int = 20) -> tuple[User, ...]:
    """Who looks after the portal, by name."""
    rows = await session.execute(
        people()
        .where(PersonRow.access_type == ADMIN_ACCESS, PersonRow.is_retired.is_(False))
        .order_by(PersonRow.first_name, PersonRow.last_name, PersonRow.id)
        .limit(limit)
    )
    return tuple(as_user(row) for row in rows)


async def colleagues_of(
    session: AsyncSession, dealer_id: str, limit: int = 100
) -> tuple[User, ...]:
    """The dealer's installers who are not retired, by name."""
    return await _staff_of(session, dealer_id, InstallerRow.person_id.is_not(None), limit)


async def owners_of(session: AsyncSession, partner_code: str) -> tuple[User, ...]:
    """The owners of the business with this code who are not retired, by name."""
    dealer_id = await session.scalar(
        select(DealerRow.id)
        .join(PartnerRow, PartnerRow.id == DealerRow.partner_id)
        .where(PartnerRow.sap_bp_code == partner_code)
    )
    if dealer_id is None:
        return ()
    return await _staff_of(session, dealer_id, InstallerRow.is_owner.is_(True), limit=20)


async def _staff_of(
    session: AsyncSession, dealer_id: str, who: ColumnElement[bool], limit: int
) -> tuple[User, ...]:
    query = (
        people()
        .where(PersonRow.dealer_id == dealer_id, PersonRow.is_retired.is_(False), who)
        .order_by(PersonRow.first_name, PersonRow.last_name, PersonRow.id)
        .limit(limit)
    )
    return tuple(as_user(row) for row in await session.execute(query))


async def add_person(
    session: AsyncSession,
    *,
    email: str,
    first_name: str,
    last_name: str,
    language: Language | None = None,
) -> User | None:
    """An unconfirmed person without a dealer or a password; None when the address is taken."""
    person_id = uuid.uuid4().hex
    added = await session.execute(
        insert(PersonRow)
        .values(
            id=person_id,
            email=email,
            first_name=first_name,
            last_name=last_name,
            language=language,
            drone_user_id=uuid.uuid4().hex,
        )
        .on_conflict_do_nothing(index_elements=[PersonRow.email])
        .returning(PersonRow.id)
    )
    return await find_user(session, person_id) if added.one_or_none() else None
