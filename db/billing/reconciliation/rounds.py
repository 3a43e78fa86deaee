"""Rounds, and what each was told by the providers and the ERP: kept for that round alone."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ForeignKey, Index, Text, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.base import Frozen
from domain.billing.reconciliation.differences import Round

LOST_AFTER = timedelta(hours=6)
"""A round that has not ended by then is taken for lost: another one may begin."""
CHARGE, DISPUTE, ERP_ORDER, POSTING = "charge", "dispute", "erp_order", "posting"
TRANSFER = "transfer"
KEPT_ROUNDS = 30


class RoundRow(Base):
    """One is open at most."""

    __tablename__ = "reconciliation_round"
    __table_args__ = (
        Index("ix_reconciliation_round_began", "began_at"),
        Index(
            "uq_reconciliation_round_open",
            text("(ended_at is null)"),
            unique=True,
            postgresql_where=text("ended_at is null"),
        ),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    asked_by: Mapped[str] = mapped_column(Text)
    began_at: Mapped[datetime] = mapped_column(server_default=func.now())
    ended_at: Mapped[datetime | None]
    compared: Mapped[dict[str, int]] = mapped_column(JSONB, server_default="{}")
    failed: Mapped[list[str]] = mapped_column(JSONB, server_default="[]")


class ProviderRecordRow(Base):
    """`key` is what it is found by: our id of a payment, our number of an order, our reference of a posting."""

    __tablename__ = "reconciliation_fact"
    __table_args__ = (Index("ix_reconciliation_fact_key", "round_id", "source", "key"),)

    round_id: Mapped[str] = mapped_column(
        ForeignKey("reconciliation_round.id", ondelete="CASCADE"), primary_key=True
    )
    source: Mapped[str] = mapped_column(Text, primary_key=True)
    id: Mapped[str] = mapped_column(Text, primary_key=True)
    key: Mapped[str | None] = mapped_column(Text)
    body: Mapped[dict[str, Any]] = mapped_column(JSONB)


class ProviderRecord(Frozen):
    """Something that an outside system holds."""

    id: str
    key: str | None = None
    body: dict[str, Any] = {}


async def begin_round(session: AsyncSession, round_id: str, asked_by: str) -> Round | None:
    """None while another one is under way. Idempotent by its id. What earlier rounds read is forgotten."""
    await session.execute(
        update(RoundRow)
        .where(
            RoundRow.ended_at.is_(None),
            RoundRow.id != round_id,
            RoundRow.began_at < func.now() - LOST_AFTER,
        )
        .values(ended_at=func.now(), failed=["lost"])
    )
    await session.execute(
        insert(RoundRow).values(id=round_id, asked_by=asked_by).on_conflict_do_nothing()
    )
    begun = await find_round(session, round_id)
    if begun is not None:
        await session.execute(
            delete(ProviderRecordRow).where(ProviderRecordRow.round_id != round_id)
        )
        newest = select(RoundRow.id).order_by(RoundRow.began_at.desc()).limit(KEPT_ROUNDS)
        await session.execute(delete(RoundRow).where(RoundRow.id.not_in(newest)))
    return begun


async def find_round(session: AsyncSession, round_id: str) -> Round | None:
    row = await session.get(RoundRow, round_id, populate_existing=True)
    return Round.model_validate(row, from_attributes=True) if row else None


async def last_rounds(session: AsyncSession) -> tuple[Round | None, Round | None]:
    """The one that is under way, and the last that has ended."""
    latest = select(RoundRow).order_by(RoundRow.began_at.desc()).limit(1)
    under_way = await session.scalar(latest.where(RoundRow.ended_at.is_(None)))
    ended = await session.scalar(latest.where(RoundRow.ended_at.is_not(None)))
    shape = Round.model_validate
    return (
        shape(under_way, from_attributes=True) if under_way else None,
        shape(ended, from_attributes=True) if ended else None,
    )


async def last_compared(session: AsyncSession) -> datetime | None:
    """When the last round ended that has compared every part."""
    return await session.scalar(select(func.max(RoundRow.ended_at)).where(RoundRow.failed == []))


async def end_round(
    session: AsyncSession, round_id: str, compared: Mapping[str, int], failed: Sequence[str]
) -> None:
    """Idempotent."""
    await session.execute(
        update(RoundRow)
        .where(RoundRow.id == round_id, RoundRow.ended_at.is_(None))
        .values(ended_at=func.now(), compared=dict(compared), failed=list(failed))
    )


async def save_records(
    session: AsyncSession, round_id: str, source: str, records: Iterable[ProviderRecord]
) -> None:
    """Adds what was read, or puts it in the place of what was read before. Idempotent."""
    rows = [
        {"round_id": round_id, "source": source, **one.model_dump()}
        for one in {one.id: one for one in records}.values()
    ]
    if not rows:
        return
    asked = insert(ProviderRecordRow).values(rows)
    await session.execute(
        asked.on_conflict_do_update(
            index_elements=[
                ProviderRecordRow.round_id,
                ProviderRecordRow.source,
                ProviderRecordRow.id,
            ],
            set_={"key": asked.excluded.key, "body": asked.excluded.body},
        )
    )


async def records_by_key(
    session: AsyncSession, round_id: str, source: str, keys: Iterable[str]
) -> list[ProviderRecordRow]:
    """In the order of their ids."""
    found = await session.scalars(
        select(ProviderRecordRow)
        .where(
            ProviderRecordRow.round_id == round_id,
            ProviderRecordRow.source == source,
            ProviderRecordRow.key.in_(set(keys)),
        )
        .order_by(ProviderRecordRow.id)
    )
    return list(found)


async def records_by_id(
    session: AsyncSession, round_id: str, source: str, ids: Iterable[str]
) -> list[ProviderRecordRow]:
    found = await session.scalars(
        select(ProviderRecordRow).where(
            ProviderRecordRow.round_id == round_id,
            ProviderRecordRow.source == source,
            ProviderRecordRow.id.in_(set(ids)),
        )
    )
    return list(found)


_STRAYS = {
    CHARGE: """select 1 from payment p where p.id = f.key or p.provider_id = f.id""",
    ERP_ORDER: """select 1 from shop_order o where o.number = f.key""",
    TRANSFER: """select 1 from payout p
        where p.transfer_id = f.id or 'payout-' || p.dealer_id || '-' || p.month = f.key""",
    POSTING: """select 1 from invoice_allocation a
        where a.payment_id = split_part(f.key, ':', 1)
            and a.invoice_number = f.body->>'invoice_number'""",
}


async def strays(
    session: AsyncSession, round_id: str, source: str, *, after: str, limit: int
) -> list[ProviderRecordRow]:
    """What is there, and has nothing here; by its id."""
    found = await session.execute(
        text(
            f"""select f.id from reconciliation_fact f
            where f.round_id = :round_id and f.source = :source and f.id > :after
                and not exists ({_STRAYS[source]})
            order by f.id limit :limit"""
        ),
        {"round_id": round_id, "source": source, "after": after, "limit": limit},
    )
    ids = list(found.scalars())
    rows = {row.id: row for row in await records_by_id(session, round_id, source, ids)}
    return [rows[id_] for id_ in ids]
