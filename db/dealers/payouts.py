"""Payouts of rewards: one row for each dealer and month, and what each reward was paid with (decision 65)."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    Index,
    Numeric,
    Text,
    case,
    column,
    exists,
    func,
    or_,
    select,
    table,
    text,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.dealers.rewards import RewardRow
from db.partner_tables import DealerRow
from domain.base import Frozen, Utc
from domain.dealers.payouts import (
    BY_THE_ROUND,
    TRIED_BY_A_PERSON,
    Payout,
    PayoutMissing,
    PayoutRef,
    PayoutState,
    Transfer,
    begins_at,
    ends_before,
    may_move,
    month_after,
)
from domain.dealers.rewards import RewardKind
from domain.money import Money

STUCK_AFTER = timedelta(hours=1)
"""A payout of which nothing was told for so long may be looked after by a person."""


class PayoutRow(Base):
    """No foreign keys: what was paid outlives the dealer. `account_id` is whom the present attempt pays, `asked_at` when the
    provider was first asked for it."""

    __tablename__ = "payout"
    __table_args__ = (
        CheckConstraint("amount > 0", name="amount"),
        CheckConstraint(
            "state in ('waiting', 'paying', 'paid', 'refused', 'returned')", name="state"
        ),
        CheckConstraint("state <> 'paid' or transfer_id is not null", name="paid"),
        CheckConstraint("state = 'waiting' or account_id is not null", name="account"),
        Index("ix_payout_open", "state", "dealer_id", postgresql_where=text("state <> 'paid'")),
        Index("ix_payout_changed", "changed_at", "dealer_id", "month"),
    )

    dealer_id: Mapped[str] = mapped_column(Text, primary_key=True)
    month: Mapped[str] = mapped_column(Text, primary_key=True)
    amount: Mapped[Decimal] = mapped_column(Numeric(12, 2))
    state: Mapped[str] = mapped_column(Text, server_default=PayoutState.WAITING)
    attempt: Mapped[int] = mapped_column(server_default="0")
    account_id: Mapped[str | None] = mapped_column(Text)
    asked_at: Mapped[datetime | None]
    transfer_id: Mapped[str | None] = mapped_column(Text, unique=True)
    detail: Mapped[str | None] = mapped_column(Text)
    paid_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    changed_at: Mapped[datetime] = mapped_column(server_default=func.now())


class PayoutAttempt(Frozen):
    """A payout that is being paid, to whom, and whether the provider was asked for this attempt before."""

    payout: Payout
    account_id: str
    was_asked: bool


class PaidMonth(Frozen):
    """What a dealer earned with so many devices; `state` is that of its payout, if there is one."""

    month: str
    amount: Money
    devices: int
    state: PayoutState | None
    paid_at: Utc | None


class DealerPayout(Payout):
    """For operators."""

    dealer: str
    changed_at: datetime


_resolved = table("attention_settled", column("run"))
_IS_RESOLVED = PayoutRow.state.in_(TRIED_BY_A_PERSON) & exists().where(
    _resolved.c.run == func.concat("payout-", PayoutRow.dealer_id, "-", PayoutRow.month)
)
"""Who settled it, and how, stands among what needed attention and was settled (`db.operations.runs`), by the payout's id."""
_STATE = case((_IS_RESOLVED, PayoutState.SETTLED.value), else_=PayoutRow.state).label("state")

EVER = datetime(1970, 1, 1, tzinfo=UTC)

_FREEZE = text(
    """
    with due as (
        select flow_id, installer_id, kind, dealer_id, amount from reward
        where payout_month is null and earned_at >= :begins and earned_at < :ends
            and (cast(:dealer_id as text) is null or dealer_id = :dealer_id)
    ), made as (
        insert into payout (dealer_id, month, amount)
        select dealer_id, :month, sum(amount) from due group by dealer_id having sum(amount) > 0
        on conflict do nothing
        returning dealer_id
    )
    update reward set payout_month = :month
    from due join made using (dealer_id)
    where reward.payout_month is null and reward.flow_id = due.flow_id
        and reward.installer_id = due.installer_id and reward.kind = due.kind
    returning reward.dealer_id
    """
)


async def freeze_month(
    session: AsyncSession, month: str, dealer_id: str | None = None, *, begins: str | None = None
) -> int:
    """Makes a payout of whatever each dealer, or one of them, has earned until the end of a month, from the month `begins` on,
    and was not paid with another one; answers how many. What comes to nothing, or less, stays for a later month. Idempotent:
    a month has one payout."""
    moments = {"begins": begins_at(begins) if begins else EVER, "ends": ends_before(month)}
    marked = await session.execute(_FREEZE, {"month": month, "dealer_id": dealer_id} | moments)
    return len(set(marked.scalars()))


async def due_payouts(
    session: AsyncSession, dealer_id: str | None, after: PayoutRef | None, *, limit: int
) -> tuple[PayoutRef, ...]:
    """Those that a round pays, of one dealer or of all, by their key."""
    query = select(PayoutRow).where(PayoutRow.state.in_(BY_THE_ROUND))
    if dealer_id is not None:
        query = query.where(PayoutRow.dealer_id == dealer_id)
    if after is not None:
        place = tuple_(PayoutRow.dealer_id, PayoutRow.month)
        query = query.where(place > (after.dealer_id, after.month))
    rows = await session.scalars(query.order_by(PayoutRow.dealer_id, PayoutRow.month).limit(limit))
    return tuple(PayoutRef(dealer_id=row.dealer_id, month=row.month) for row in rows)


async def find_payout(session: AsyncSession, dealer_id: str, month: str) -> Payout | None:
    row = await session.get(PayoutRow, (dealer_id, month), populate_existing=True)
    return await _with_resolution(session, row) if row else None


async def lock_payout(session: AsyncSession, ref: PayoutRef) -> Payout:
    """As it is until the transaction ends. Raises PayoutMissing."""
    return await _with_resolution(session, await _locked(session, ref))


async def begin_attempt(
    session: AsyncSession, ref: PayoutRef, account_id: str | None, *, again_after: int | None = None
) -> PayoutAttempt | None:
    """The payout while it is being paid: a waiting one begins its first attempt if there is an account, and one that was
    refused or returned in the attempt `again_after`, and not settled since, begins another. None for any other. Idempotent.
    Raises PayoutMissing."""
    row = await _locked(session, ref)
    before = (await _with_resolution(session, row)).state
    wanted = before is PayoutState.WAITING or (
        again_after == row.attempt and may_move(before, PayoutState.PAYING)
    )
    if wanted and account_id is not None:
        row.attempt += 1
        row.account_id, row.asked_at, row.transfer_id = account_id, None, None
        row.detail, row.paid_at = None, None
        _move(row, PayoutState.PAYING)
        await session.flush()
    if row.state != PayoutState.PAYING or row.account_id is None:
        return None
    return PayoutAttempt(
        payout=_payout(row), account_id=row.account_id, was_asked=row.asked_at is not None
    )


async def note_asked(session: AsyncSession, payout: Payout) -> None:
    """Before money may move."""
    await session.execute(
        update(PayoutRow)
        .where(*_is(payout), PayoutRow.attempt == payout.attempt, PayoutRow.asked_at.is_(None))
        .values(asked_at=func.now())
    )


async def record_outcome(
    session: AsyncSession, payout: Payout, transfer: Transfer | None, detail: str | None = None
) -> Payout:
    """What became of an attempt: a transfer, or a refusal. Idempotent; an attempt that is over changes nothing."""
    row = await _locked(session, PayoutRef(dealer_id=payout.dealer_id, month=payout.month))
    if row.attempt == payout.attempt and row.state == PayoutState.PAYING:
        if transfer is None:
            row.detail = detail
            _move(row, PayoutState.REFUSED)
        else:
            row.transfer_id, row.paid_at = transfer.id, func.now()
            _move(row, PayoutState.PAID)
            await session.flush()
            if transfer.is_returned:
                _move(row, PayoutState.RETURNED)
        await session.flush()
        await session.refresh(row)
    return _payout(row)


async def mark_returned(session: AsyncSession, transfer: Transfer) -> Payout | None:
    """A payout whose transfer came back as a whole; None where that is no payout of ours. Idempotent."""
    row = await session.scalar(
        select(PayoutRow).where(PayoutRow.transfer_id == transfer.id).with_for_update()
    )
    if row is None or not transfer.is_returned:
        return None
    if row.state == PayoutState.PAID:
        _move(row, PayoutState.RETURNED)
        await session.flush()
        await session.refresh(row)
    return _payout(row) if row.state == PayoutState.RETURNED else None


async def list_months(
    session: AsyncSession,
    dealer_id: str,
    first: str | None,
    last: str | None,
    *,
    begins: str | None = None,
    limit: int,
    offset: int,
) -> tuple[tuple[PaidMonth, ...], int]:
    """What a dealer earned by the month that pays it, the newest first, and how many months there are. What was written after
    the payout of its month stands in the month after the last payout. What was earned before the month `begins` is settled
    elsewhere and in no month, unless it was paid."""
    latest = await session.scalar(
        select(func.max(PayoutRow.month)).where(PayoutRow.dealer_id == dealer_id)
    )
    earned = func.to_char(func.timezone("UTC", RewardRow.earned_at), "YYYY-MM")
    open_month = func.greatest(earned, month_after(latest)) if latest else earned
    month = func.coalesce(RewardRow.payout_month, open_month)
    is_ours = or_(
        RewardRow.payout_month.is_not(None),
        RewardRow.earned_at >= (begins_at(begins) if begins else EVER),
    )
    sums = (
        select(
            month.label("month"),
            func.sum(RewardRow.amount).label("amount"),
            func.count(RewardRow.flow_id.distinct())
            .filter(RewardRow.kind == RewardKind.EARNED)
            .label("devices"),
        )
        .where(RewardRow.dealer_id == dealer_id, is_ours)
        .group_by(month)
        .subquery()
    )
    within = [sums.c.month >= first] if first else []
    within += [sums.c.month <= last] if last else []
    count = await session.scalar(select(func.count()).select_from(sums).where(*within))
    rows = await session.execute(
        select(sums, _STATE, PayoutRow.paid_at)
        .outerjoin(
            PayoutRow, (PayoutRow.dealer_id == dealer_id) & (PayoutRow.month == sums.c.month)
        )
        .where(*within)
        .order_by(sums.c.month.desc())
        .limit(limit)
        .offset(offset)
    )
    months = (PaidMonth.model_validate(row, from_attributes=True) for row in rows)
    return tuple(months), count or 0


async def list_payouts(
    session: AsyncSession, states: frozenset[PayoutState], *, limit: int, offset: int
) -> tuple[tuple[DealerPayout, ...], int]:
    """Those in these states, the latest changed first, and how many there are."""
    within = PayoutRow.state.in_(states - {PayoutState.SETTLED}) & ~_IS_RESOLVED
    if PayoutState.SETTLED in states:
        within = or_(within, _IS_RESOLVED)
    count = await session.scalar(select(func.count()).select_from(PayoutRow).where(within))
    rows = await session.execute(
        select(PayoutRow, DealerRow.name, _STATE)
        .outerjoin(DealerRow, DealerRow.id == PayoutRow.dealer_id)
        .where(within)
        .order_by(PayoutRow.changed_at.desc(), PayoutRow.dealer_id, PayoutRow.month)
        .limit(limit)
        .offset(offset)
    )
    return tuple(
        DealerPayout(
            **_values(row) | {"state": state},
            dealer=name or row.dealer_id,
            changed_at=row.changed_at,
        )
        for row, name, state in rows
    ), count or 0


async def payouts_for_a_person(session: AsyncSession) -> dict[str, int]:
    """How many no round tries by itself, by state."""
    rows = await session.execute(
        select(PayoutRow.state, func.count().label("many"))
        .where(PayoutRow.state.in_(TRIED_BY_A_PERSON), ~_IS_RESOLVED)
        .group_by(PayoutRow.state)
    )
    counted = {row.state: row.many for row in rows}
    return {state.value: counted.get(state.value, 0) for state in sorted(TRIED_BY_A_PERSON)}


async def asked_payouts(
    session: AsyncSession,
    since: datetime,
    until: datetime,
    after: PayoutRef | None,
    *,
    limit: int,
) -> tuple[Payout, ...]:
    """Those that the provider was asked for in this time, and that did not move after it; by their key."""
    query = select(PayoutRow).where(
        PayoutRow.asked_at >= since, PayoutRow.asked_at < until, PayoutRow.changed_at < until
    )
    if after is not None:
        place = tuple_(PayoutRow.dealer_id, PayoutRow.month)
        query = query.where(place > (after.dealer_id, after.month))
    rows = await session.scalars(query.order_by(PayoutRow.dealer_id, PayoutRow.month).limit(limit))
    return tuple(_payout(row) for row in rows)


async def is_stuck(session: AsyncSession, ref: PayoutRef) -> bool:
    """Whether it is being paid and nothing was told of it for an hour."""
    found = await session.scalar(
        select(PayoutRow.month).where(
            *_is(ref),
            PayoutRow.state == PayoutState.PAYING,
            PayoutRow.changed_at < func.now() - STUCK_AFTER,
        )
    )
    return found is not None


async def _locked(session: AsyncSession, ref: PayoutRef) -> PayoutRow:
    row = await session.scalar(
        select(PayoutRow)
        .where(*_is(ref))
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    if row is None:
        raise PayoutMissing
    return row


def _is(ref: PayoutRef | Payout) -> tuple[Any, Any]:
    return PayoutRow.dealer_id == ref.dealer_id, PayoutRow.month == ref.month


def _move(row: PayoutRow, state: PayoutState) -> None:
    assert may_move(PayoutState(row.state), state), f"{row.state} to {state}"
    row.state, row.changed_at = state, func.now()


async def _with_resolution(session: AsyncSession, row: PayoutRow) -> Payout:
    """With what a person has done about it."""
    state = await session.scalar(
        select(_STATE).where(PayoutRow.dealer_id == row.dealer_id, PayoutRow.month == row.month)
    )
    return _payout(row).model_copy(update={"state": PayoutState(state or row.state)})


def _payout(row: PayoutRow) -> Payout:
    return Payout(**_values(row))


def _values(row: PayoutRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in Payout.model_fields}
