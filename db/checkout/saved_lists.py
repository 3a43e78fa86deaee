"""Saved lists and their rows: of one person for one business, or shared in it (decision 75)."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Index,
    RowMapping,
    Select,
    Text,
    delete,
    func,
    insert,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.identity.people import PersonRow
from domain.checkout.saved_lists import MOST_LISTS, MOST_ROWS, MOST_SHARED, ListedRow, SavedList


class SavedListRow(Base):
    __tablename__ = "saved_list"
    __table_args__ = (
        Index(
            "uq_saved_list_name",
            "person_id",
            "partner_code",
            text("lower(name)"),
            unique=True,
        ),
        Index("ix_saved_list_partner_code", "partner_code", postgresql_where=text("is_shared")),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"))
    partner_code: Mapped[str] = mapped_column(
        ForeignKey("partner.sap_bp_code", ondelete="CASCADE", onupdate="CASCADE")
    )
    name: Mapped[str] = mapped_column(Text)
    is_shared: Mapped[bool] = mapped_column(server_default="false")
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class SavedListLineRow(Base):
    """A row of a list; `place` from 1 on. The SKU is as it was written: it may be an old one by now."""

    __tablename__ = "saved_list_line"
    __table_args__ = (CheckConstraint("quantity >= 1", name="quantity"),)

    list_id: Mapped[str] = mapped_column(
        ForeignKey("saved_list.id", ondelete="CASCADE"), primary_key=True
    )
    place: Mapped[int] = mapped_column(primary_key=True)
    sku: Mapped[str] = mapped_column(Text)
    quantity: Mapped[int]


async def lists_of(session: AsyncSession, person_id: str, code: str) -> tuple[SavedList, ...]:
    """The person's own lists for the business, then those that colleagues share in it; by name."""
    own_last = SavedListRow.person_id != person_id
    asked = _seen_by(person_id, code).order_by(own_last, func.lower(SavedListRow.name))
    return tuple(
        map(_list, (await session.execute(asked.limit(MOST_LISTS + MOST_SHARED))).mappings())
    )


async def find_list(
    session: AsyncSession, list_id: str, person_id: str, code: str, *, lock: bool = False
) -> SavedList | None:
    """A list that this person sees in this business."""
    asked = _seen_by(person_id, code).where(SavedListRow.id == list_id)
    if lock:
        asked = asked.with_for_update(of=SavedListRow)
    row = (
        (await session.execute(asked.execution_options(populate_existing=True))).mappings().first()
    )
    return None if row is None else _list(row)


async def list_named(
    session: AsyncSession, name: str, person_id: str, code: str
) -> SavedList | None:
    """The person's own list with this name, in whatever letters."""
    asked = _seen_by(person_id, code).where(
        SavedListRow.person_id == person_id, func.lower(SavedListRow.name) == name.lower()
    )
    row = (await session.execute(asked)).mappings().first()
    return None if row is None else _list(row)


async def rows_of_list(session: AsyncSession, list_id: str) -> tuple[ListedRow, ...]:
    rows = await session.execute(
        select(SavedListLineRow.sku, SavedListLineRow.quantity)
        .where(SavedListLineRow.list_id == list_id)
        .order_by(SavedListLineRow.place)
        .limit(MOST_ROWS)
    )
    return tuple(ListedRow(sku=sku, quantity=quantity) for sku, quantity in rows)


async def count_lists(session: AsyncSession, person_id: str, code: str) -> int:
    """The person's own ones, locked until the transaction ends: two lists made at once are counted one by one."""
    await _lock(session, f"{person_id} {code}")
    asked = select(func.count()).where(
        SavedListRow.person_id == person_id, SavedListRow.partner_code == code
    )
    return await session.scalar(asked) or 0


async def count_shared(session: AsyncSession, code: str) -> int:
    """Those that the business shares, locked like a person's own ones, and after them."""
    await _lock(session, code)
    asked = select(func.count()).where(
        SavedListRow.partner_code == code, SavedListRow.is_shared.is_(True)
    )
    return await session.scalar(asked) or 0


async def _lock(session: AsyncSession, whose: str) -> None:
    of = f"saved_list {whose}"
    await session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(of, 0))))


async def add_list(
    session: AsyncSession,
    person_id: str,
    code: str,
    *,
    name: str,
    is_shared: bool,
    rows: Sequence[ListedRow],
) -> str:
    """Answers its id."""
    list_id = uuid.uuid4().hex
    values = {"id": list_id, "person_id": person_id, "partner_code": code}
    await session.execute(insert(SavedListRow).values(**values, name=name, is_shared=is_shared))
    await _write_rows(session, list_id, rows)
    return list_id


async def change_list(
    session: AsyncSession, list_id: str, *, name: str, is_shared: bool, rows: Sequence[ListedRow]
) -> None:
    """Everything of it anew; who made it stays."""
    await session.execute(
        update(SavedListRow)
        .where(SavedListRow.id == list_id)
        .values(name=name, is_shared=is_shared, updated_at=func.now())
    )
    await session.execute(delete(SavedListLineRow).where(SavedListLineRow.list_id == list_id))
    await _write_rows(session, list_id, rows)


async def delete_list(session: AsyncSession, list_id: str) -> None:
    await session.execute(delete(SavedListRow).where(SavedListRow.id == list_id))


def _seen_by(person_id: str, code: str) -> Select[SavedListRow, str, str, int]:
    count = (
        select(func.count())
        .where(SavedListLineRow.list_id == SavedListRow.id)
        .correlate(SavedListRow)
        .scalar_subquery()
    )
    return (
        select(
            SavedListRow,
            PersonRow.first_name,
            PersonRow.last_name,
            count.label("count"),
        )
        .join(PersonRow, PersonRow.id == SavedListRow.person_id)
        .where(
            SavedListRow.partner_code == code,
            or_(SavedListRow.person_id == person_id, SavedListRow.is_shared),
        )
    )


def _list(row: RowMapping) -> SavedList:
    stored: SavedListRow = row["SavedListRow"]
    return SavedList(
        id=stored.id,
        name=stored.name,
        person_id=stored.person_id,
        made_by=f"{row['first_name']} {row['last_name']}".strip(),
        is_shared=stored.is_shared,
        count=row["count"],
        updated_at=stored.updated_at,
    )


async def _write_rows(session: AsyncSession, list_id: str, rows: Sequence[ListedRow]) -> None:
    await session.execute(
        insert(SavedListLineRow),
        [
            {"list_id": list_id, "place": place, **row.model_dump()}
            for place, row in enumerate(rows, start=1)
        ],
    )
