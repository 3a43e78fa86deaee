"""Answers kept by Idempotency-Key, so that a repeated write has one effect and one answer (rulings "Calls")."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Index,
    Table,
    Text,
    and_,
    bindparam,
    cast,
    delete,
    func,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import PROCESS_SETTING, Base, Executes
from domain.base import Frozen
from domain.errors import Conflict

TAKEN_OVER_AFTER = timedelta(seconds=30)
"""A claim older than this belongs to a request that died: the next one with the key takes it over. One that lives renews it."""

NAMES_HOLD = timedelta(hours=24)
"""How long what was done without a key of the caller's is known again."""

_PROCESS = cast(func.nullif(func.current_setting(PROCESS_SETTING, True), ""), BigInteger)
"""The number of the process at the other end of the connection; null for one that has none."""


class IdempotencyRow(Base):
    """`body_hash` is null for bodies that may hold a card number: their hash could be guessed back. `process` names the process
    that works on it: the reconciler frees what a dead one had begun."""

    __tablename__ = "idempotency"
    __table_args__ = (Index("ix_idempotency_claimed_at", "claimed_at"),)

    actor: Mapped[str] = mapped_column(Text, primary_key=True)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    operation: Mapped[str] = mapped_column(Text)
    body_hash: Mapped[str | None] = mapped_column(Text)
    status: Mapped[int | None]
    answer: Mapped[Any | None] = mapped_column(JSONB)
    claimed_at: Mapped[datetime] = mapped_column(server_default=func.now())
    process: Mapped[int | None] = mapped_column(BigInteger)


def _unanswered(
    actor: str | BindParameter[Any], key: str | BindParameter[Any]
) -> ColumnElement[bool]:
    """The claim of a request that still works, or has died."""
    return and_(
        IdempotencyRow.actor == actor, IdempotencyRow.key == key, IdempotencyRow.status.is_(None)
    )


_KEYS: Table = Base.metadata.tables[IdempotencyRow.__tablename__]
_CLAIM = (
    insert(_KEYS).values(process=_PROCESS).on_conflict_do_nothing().returning(IdempotencyRow.key)
)
_STORE = (
    update(_KEYS)
    .where(_unanswered(bindparam("by"), bindparam("under")))
    .values(
        status=bindparam("stored_status"),
        answer=cast(bindparam("stored_answer", type_=Text), JSONB),
    )
)
"""Put together once: that takes longer than to run them, as every write of a caller does."""


class StoredAnswer(Frozen):
    """The first answer's status and JSON body."""

    status: int
    answer: Any


class KeyReused(Conflict):
    code = "idempotency_key_reused"
    detail = "This request was already made with other data."


class StillUnderWay(Conflict):
    code = "still_under_way"
    detail = "This request is still being worked on. Please try again."


async def claim(
    session: Executes, *, actor: str, key: str, operation: str, body_hash: str | None
) -> bool:
    """Takes the key for this request, if nobody had it before. The caller commits at once."""
    row = {"actor": actor, "key": key, "operation": operation, "body_hash": body_hash}
    return (await session.execute(_CLAIM, row)).one_or_none() is not None


async def first_answer(
    session: AsyncSession,
    *,
    actor: str,
    key: str,
    operation: str,
    body_hash: str | None,
    formerly: tuple[str, str] | None = None,
) -> StoredAnswer | None:
    """What the first request with this key got. None where that one has died: the key is this request's from now on, and the
    caller commits at once. Raises KeyReused (other operation or body) or StillUnderWay. `formerly` are the operation and the
    hash under which the release before keeps the same."""
    query = (
        select(IdempotencyRow, IdempotencyRow.claimed_at < func.now() - TAKEN_OVER_AFTER)
        .where(IdempotencyRow.actor == actor, IdempotencyRow.key == key)
        .with_for_update()
    )
    found = (await session.execute(query)).one_or_none()
    if found is None:
        raise StillUnderWay(retry_after=1)
    row, is_stale = found
    if (row.operation, row.body_hash) not in ((operation, body_hash), formerly):
        raise KeyReused
    if row.status is not None:
        return StoredAnswer(status=row.status, answer=row.answer)
    if not is_stale:
        raise StillUnderWay(retry_after=1)
    row.claimed_at, row.process = func.now(), _PROCESS
    return None


async def is_repeat(
    session: AsyncSession,
    *,
    actor: str,
    key: str,
    operation: str,
    body_hash: str,
    formerly: tuple[str, str] | None = None,
) -> bool:
    """Takes the key for an effect of this very transaction: both are there, or neither. Answers whether the effect was
    had before, whose answer is then what it brought about. One that is under way is waited for. Raises KeyReused. `formerly`
    as in `first_answer`."""
    row = insert(IdempotencyRow).values(
        actor=actor, key=key, operation=operation, body_hash=body_hash, status=200, answer={}
    )
    taken = await session.execute(row.on_conflict_do_nothing().returning(IdempotencyRow.key))
    if taken.one_or_none():
        return False
    known = await first_answer(
        session,
        actor=actor,
        key=key,
        operation=operation,
        body_hash=body_hash,
        formerly=formerly,
    )
    return known is not None


async def hold_name(
    session: AsyncSession, *, actor: str, key: str, operation: str, name: str
) -> tuple[str, bool]:
    """The name under which the effect of this key is known, by default `name`, and whether it was held already and is not
    older than a day. Nobody else changes it until the transaction ends."""
    row = insert(IdempotencyRow).values(
        actor=actor, key=key, operation=operation, status=200, answer={"name": name}
    )
    taken = await session.execute(row.on_conflict_do_nothing().returning(IdempotencyRow.key))
    if taken.one_or_none():
        return name, False
    query = (
        select(IdempotencyRow, IdempotencyRow.claimed_at > func.now() - NAMES_HOLD)
        .where(IdempotencyRow.actor == actor, IdempotencyRow.key == key)
        .with_for_update()
    )
    held, is_fresh = (await session.execute(query)).one()
    if is_fresh and held.answer is not None:
        return str(held.answer["name"]), True
    await rename(session, actor=actor, key=key, name=name)
    return name, False


async def rename(session: AsyncSession, *, actor: str, key: str, name: str) -> None:
    """From now on the effect of this key is known by another name."""
    await session.execute(
        update(IdempotencyRow)
        .where(IdempotencyRow.actor == actor, IdempotencyRow.key == key)
        .values(answer={"name": name}, claimed_at=func.now())
    )


async def renew(session: Executes, *, actor: str, key: str) -> None:
    """Says that the request still works."""
    await session.execute(
        update(IdempotencyRow).where(_unanswered(actor, key)).values(claimed_at=func.now())
    )


async def store_answer(
    session: Executes, *, actor: str, key: str, status: int, answer: str
) -> None:
    """Keeps the answer, as the JSON that it is sent as; the first one kept stays."""
    stored = {"by": actor, "under": key, "stored_status": status, "stored_answer": answer}
    await session.execute(_STORE, stored)


async def release(session: Executes, *, actor: str, key: str) -> None:
    """Forgets a claim whose request was refused: a refusal has no effect and may be tried again."""
    await session.execute(delete(IdempotencyRow).where(_unanswered(actor, key)))
