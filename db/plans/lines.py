"""Plans that a person chose for devices, for one business, and has not bought yet (shop spec 3)."""

from collections.abc import Sequence

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, Text, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.plans.lines import Chosen


class PlanLineRow(Base):
    """One plan for a device. `place` is the order in which devices came."""

    __tablename__ = "plan_line"
    __table_args__ = (Index("ix_plan_line_partner_code", "partner_code"),)

    person_id: Mapped[str] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), primary_key=True
    )
    partner_code: Mapped[str] = mapped_column(
        ForeignKey("partner.sap_bp_code", ondelete="CASCADE", onupdate="CASCADE"), primary_key=True
    )
    device_key: Mapped[str] = mapped_column(Text, primary_key=True)
    plan_id: Mapped[str] = mapped_column(Text)
    product_name: Mapped[str | None] = mapped_column(Text)
    place: Mapped[int] = mapped_column(BigInteger, Identity(always=True))


async def plan_lines_of(
    session: AsyncSession, person_id: str, partner_code: str
) -> tuple[Chosen, ...]:
    """In the order in which their devices came; at most as many as one purchase takes."""
    rows = await session.scalars(
        select(PlanLineRow)
        .where(
            PlanLineRow.person_id == person_id,
            PlanLineRow.partner_code == partner_code,
        )
        .order_by(PlanLineRow.place)
        .execution_options(populate_existing=True)
    )
    return tuple(Chosen.model_validate(row, from_attributes=True) for row in rows)


async def choose_plan(
    session: AsyncSession, person_id: str, partner_code: str, chosen: Chosen
) -> None:
    """Keeps the plan for the device; one that was chosen for it before is replaced, in its place."""
    await session.execute(
        insert(PlanLineRow)
        .values(person_id=person_id, partner_code=partner_code, **chosen.model_dump())
        .on_conflict_do_update(
            index_elements=[
                PlanLineRow.person_id,
                PlanLineRow.partner_code,
                PlanLineRow.device_key,
            ],
            set_={
                "plan_id": chosen.plan_id,
                "product_name": func.coalesce(chosen.product_name, PlanLineRow.product_name),
            },
        )
    )


async def drop_plan_lines(
    session: AsyncSession, person_id: str, partner_code: str, device_keys: Sequence[str]
) -> None:
    """The devices wait for no plan any more; those that did not are left as they are."""
    await session.execute(
        delete(PlanLineRow).where(
            PlanLineRow.person_id == person_id,
            PlanLineRow.partner_code == partner_code,
            PlanLineRow.device_key.in_(device_keys),
        )
    )


async def lock_plan_lines(session: AsyncSession, person_id: str, partner_code: str) -> None:
    """Until the transaction ends: changes of one person's lines queue, so that their number is true."""
    of = f"plan_line {person_id} {partner_code}"
    await session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(of, 0))))
