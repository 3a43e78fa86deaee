"""Which businesses a sales rep sees, and the one they act for now (shell spec 4; promise 40)."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, any_, func, literal, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.identity.people import PersonRow, as_user, people
from db.identity.sign_ins import SignInRow, followed_as
from db.partner_tables import DealerRow, PartnerRow, as_summary
from db.platform.notices import CHANNEL
from domain.identity.people import ADMIN_ACCESS, DEALER_PRIMARY_GROUP, Trade, User
from domain.partners.partners import Acting, RecentPartner, Rep

PERSON = PersonRow.__table__.c

Index(
    "uq_person_dealer_primary",
    PERSON.dealer_id,
    unique=True,
    postgresql_where=text(f"'{DEALER_PRIMARY_GROUP}' = any(permission_groups)"),
)
"""A dealer has at most one primary person."""


class RepPartnerRow(Base):
    """A rep sees the business; as its `contact` they are named there too, inside or outside by their own group."""

    __tablename__ = "rep_partner"
    __table_args__ = (
        Index("ix_rep_partner_partner_id", "partner_id"),
        Index(
            "ix_rep_partner_chosen",
            "person_id",
            "chosen_at",
            postgresql_where=text("chosen_at is not null"),
        ),
    )

    person_id: Mapped[str] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), primary_key=True
    )
    partner_id: Mapped[str] = mapped_column(
        ForeignKey("partner.id", ondelete="CASCADE"), primary_key=True
    )
    is_contact: Mapped[bool] = mapped_column(server_default="false")
    chosen_at: Mapped[datetime | None]
    """When the rep last began to work for the business."""


async def primary_of(session: AsyncSession, dealer_id: str) -> User | None:
    """The dealer's primary person, unless retired."""
    query = people().where(
        PersonRow.dealer_id == dealer_id,
        literal(DEALER_PRIMARY_GROUP) == any_(PersonRow.permission_groups),
        PersonRow.is_retired.is_(False),
    )
    row = (await session.execute(query)).one_or_none()
    return as_user(row) if row else None


async def ensure_primary(session: AsyncSession, person_id: str) -> None:
    """Makes the person the primary one of their dealer, where nobody present is: else no inside rep could work for it."""
    dealer_id = await session.scalar(select(PersonRow.dealer_id).where(PersonRow.id == person_id))
    if dealer_id is not None and await primary_of(session, dealer_id) is None:
        await make_primary(session, person_id, dealer_id)


async def make_primary(session: AsyncSession, person_id: str, dealer_id: str) -> None:
    """In the place of whoever was it, the retired included."""
    groups = PersonRow.permission_groups
    was = literal(DEALER_PRIMARY_GROUP) == any_(groups)
    await session.execute(
        update(PersonRow)
        .where(PersonRow.dealer_id == dealer_id, was)
        .values(permission_groups=func.array_remove(groups, DEALER_PRIMARY_GROUP))
    )
    await session.execute(
        update(PersonRow)
        .where(PersonRow.id == person_id)
        .values(permission_groups=func.array_append(groups, DEALER_PRIMARY_GROUP))
    )


async def reps_of(session: AsyncSession, partner_id: str) -> tuple[Rep, ...]:
    """The reps that the business may call, inside ones first."""
    query = (
        people()
        .join(RepPartnerRow, RepPartnerRow.person_id == PersonRow.id)
        .where(
            RepPartnerRow.partner_id == partner_id,
            RepPartnerRow.is_contact,
            PersonRow.is_retired.is_(False),
        )
        .order_by(PersonRow.first_name, PersonRow.last_name, PersonRow.id)
        .limit(20)
    )
    users = [as_user(row) for row in await session.execute(query)]
    reps = [
        Rep(
            id=user.id,
            name=user.name,
            email=user.email,
            is_outside=user.is_outside_rep,
            phone=user.phone_number,
        )
        for user in users
        if user.is_sales_rep
    ]
    return tuple(sorted(reps, key=lambda rep: rep.is_outside))


async def select_partner(
    session: AsyncSession, sign_in_id: str, partner_id: str | None, impersonated_id: str | None
) -> None:
    """The business of this sign-in from now on, in all its tabs, which are told; None clears it."""
    rep_id = await session.scalar(
        update(SignInRow)
        .where(SignInRow.id == sign_in_id)
        .values(partner_id=partner_id, impersonated_id=impersonated_id)
        .returning(SignInRow.person_id)
    )
    if partner_id is not None:
        await session.execute(
            update(RepPartnerRow)
            .where(RepPartnerRow.person_id == rep_id, RepPartnerRow.partner_id == partner_id)
            .values(chosen_at=func.now())
        )
    await session.execute(select(func.pg_notify(CHANNEL, followed_as(sign_in_id))))


_RECENT = text(
    """
    select p.sap_bp_code as code, p.company_name, a.city as town, p.account_balance as balance,
           p.past_due_invoices, o.created_at as last_order_at
    from rep_partner r join partner p on p.id = r.partner_id
    left join partner_address a on a.partner_id = p.id and a.kind = 'SHIPPING' and a.is_default
    left join lateral (
        select created_at from shop_order where partner_code = p.sap_bp_code order by created_at desc limit 1
    ) o on true
    where r.person_id = :rep and r.chosen_at is not null
    order by r.chosen_at desc
    limit :limit
    """
)


async def recent_partners(
    session: AsyncSession, rep_id: str, *, limit: int
) -> tuple[RecentPartner, ...]:
    """The businesses that a rep worked for, the last one first, while they are still theirs."""
    rows = await session.execute(_RECENT, {"rep": rep_id, "limit": limit})
    return tuple(RecentPartner.model_validate(row, from_attributes=True) for row in rows)


async def acting_in(session: AsyncSession, sign_in_id: str) -> Acting | None:
    """The business that this sign-in acts for, while it is still the rep's to act for; an administrator who is one too may act
    for all.

    A rep who lost the business, and a primary person who retired or moved, end it at the next request.
    """
    is_everybodys = (PersonRow.access_type == ADMIN_ACCESS) & PersonRow.is_retired.is_(False)
    chosen = (
        await session.execute(
            select(PartnerRow, DealerRow.id, SignInRow.impersonated_id)
            .join(SignInRow, SignInRow.partner_id == PartnerRow.id)
            .join(PersonRow, PersonRow.id == SignInRow.person_id)
            .outerjoin(
                RepPartnerRow,
                (RepPartnerRow.partner_id == PartnerRow.id)
                & (RepPartnerRow.person_id == SignInRow.person_id),
            )
            .outerjoin(DealerRow, DealerRow.partner_id == PartnerRow.id)
            .where(
                SignInRow.id == sign_in_id, or_(RepPartnerRow.person_id.is_not(None), is_everybodys)
            )
        )
    ).one_or_none()
    if chosen is None:
        return None
    partner, dealer_id, impersonated_id = chosen
    trade = Trade(channel=partner.channel_slug, approved_brands=tuple(partner.approved_brands))
    if impersonated_id is None:
        return Acting(partner=as_summary(partner), trade=trade, impersonated=None)
    primary = await primary_of(session, dealer_id) if dealer_id else None
    if primary is None or primary.id != impersonated_id:
        return None
    return Acting(partner=as_summary(partner), trade=trade, impersonated=primary)
