"""Cases: opened in the transaction of what caused them, moved by their runs, read by administrators and buyers."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    Index,
    Numeric,
    RowMapping,
    Text,
    func,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.billing.disputes import DisputeRow
from db.billing.invoice_payments import InvoiceAllocationRow
from db.billing.payments import PaymentRow, is_left_to_a_case
from db.partner_tables import site_of
from db.platform.clock import database_now
from db.runs.flows import FlowRow
from domain.billing.invoice_payment import InvoiceStatus
from domain.billing.payments import ENDED, PayingFlow, payment_id_of
from domain.kinds import CASE
from domain.operations.cases import (
    BY_HAND,
    UNANSWERED,
    BelongsTo,
    CaseCause,
    CaseStart,
    CaseView,
    case_id,
    chargeback_case,
    on_order,
)
from domain.runs.projection import RunOwner

SOONEST_DUE = timedelta(hours=1)
TAKEN_BACK = (CaseCause.DEBIT_RETURNED, CaseCause.CHARGEBACK)
CHANNEL = "money_case"
"""NOTIFY channel: a case was opened."""
OWN_CASE = "own-case"
"""What a buyer follows a case by; administrators follow its run."""


class CaseRow(Base):
    """`start` is the input of its run, `begun_at` is when that began. Where it stands is in the run's own row."""

    __tablename__ = "money_case"
    __table_args__ = (
        CheckConstraint("amount > 0", name="amount"),
        Index("ix_money_case_belongs", "belongs_kind", "belongs_id", "opened_at"),
        Index("ix_money_case_opened", "opened_at", "id"),
        Index("ix_money_case_payment", "payment_id"),
        Index("ix_money_case_partner", "partner_code"),
        Index("ix_money_case_not_begun", "opened_at", postgresql_where=text("begun_at is null")),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    cause: Mapped[str] = mapped_column(Text)
    belongs_kind: Mapped[str] = mapped_column(Text)
    belongs_id: Mapped[str] = mapped_column(Text)
    partner_code: Mapped[str] = mapped_column(Text)
    payment_id: Mapped[str | None] = mapped_column(Text)
    amount: Mapped[Decimal | None] = mapped_column(Numeric(12, 2))
    start: Mapped[dict[str, Any]] = mapped_column(JSONB)
    opened_at: Mapped[datetime]
    begun_at: Mapped[datetime | None]


async def open_case(session: AsyncSession, start: CaseStart) -> bool:
    """Opens a case; its run is begun by whoever hears of it (`workers/operations/case_starter.py`). The same again changes nothing, and
    answers False."""
    added = await session.scalar(
        insert(CaseRow)
        .values(
            id=start.id,
            cause=start.cause,
            belongs_kind=start.belongs_to.kind,
            belongs_id=start.belongs_to.id,
            partner_code=start.partner_code,
            payment_id=start.payment_id,
            amount=start.amount,
            start=start.model_dump(mode="json"),
            opened_at=start.opened_at,
        )
        .on_conflict_do_nothing()
        .returning(CaseRow.id)
    )
    if added is not None:
        await wake_starter(session, start.id)
    return added is not None


async def wake_starter(session: AsyncSession, about: str) -> None:
    """There is something to open, or to begin."""
    await session.execute(select(func.pg_notify(CHANNEL, about)))


async def open_lost(session: AsyncSession, purchase_id: str) -> None:
    """Opens a case of a purchase that was given up, if a provider was asked for money on its behalf."""
    run = await session.get(FlowRow, purchase_id)
    paid = await session.scalars(
        select(PaymentRow)
        .where(
            PaymentRow.flow == PayingFlow.PURCHASE.value,
            PaymentRow.flow_id == purchase_id,
            PaymentRow.status.not_in([status.value for status in ENDED]),
        )
        .order_by(PaymentRow.attempt.desc())
    )
    last = paid.first()
    if run is None or last is None:
        return
    await open_case(
        session,
        CaseStart(
            id=case_id(CaseCause.RUN_LOST, purchase_id),
            cause=CaseCause.RUN_LOST,
            belongs_to=BelongsTo(
                kind="purchase",
                id=purchase_id,
                name="Purchase of plans",
                flow=PayingFlow.PURCHASE,
                flow_id=purchase_id,
            ),
            currency=last.currency,
            partner_code=last.partner_code,
            person_id=last.person_id,
            dealer_id=run.dealer_id,
            site=run.site,
            opened_at=await database_now(session),
        ),
    )


_COLUMNS = """
    p.flow, p.flow_id, p.partner_code, p.person_id, p.currency, o.id as order_id, o.number, f.site, f.dealer_id
"""
_JOINS = """
    left join shop_order o on p.flow = 'placement' and o.token = p.flow_id
    left join flow f on f.id = p.flow_id
"""
LOWERED = """
    select coalesce(sum((l.one->>'amount')::numeric), 0)
    from money_case d
    join flow f on f.id = d.id
    cross join lateral jsonb_array_elements(coalesce(f.view->'lowered', '[]')) l(one)
    where d.belongs_kind = w.belongs_kind and d.belongs_id = w.belongs_id and l.one->>'case_id' = w.id
"""
"""What is not asked for again because of the goods of the case `w`."""
_NOT_OWED = f"""
    select coalesce(
        sum(w.amount - coalesce((r.view->>'given_back')::numeric, 0) - ({LOWERED})), 0
    ) + (
        select coalesce(sum((line->>'total')::numeric), 0)
        from jsonb_array_elements(case when p.flow = 'purchase' then f.view->'lines' end) line
        where line->>'status' = 'unpaid'
    ) as amount
    from money_case w
    left join flow r on r.id = w.id
    where (w.payment_id = p.id and w.cause = 'refund_refused'
           or w.belongs_kind = 'order' and w.belongs_id = o.id and w.cause = 'shipment_cancelled'
              and not exists (select 1 from money_case d
                              where d.belongs_kind = 'order' and d.belongs_id = o.id
                                and d.cause = 'debit_returned' and d.opened_at > w.opened_at))
        and r.state is distinct from 'resolved'
"""
"""What was to be given back of a payment, and was not when its bank returned it, and the plans that were never set up. What a
person resolved was given back in another way; what was withdrawn before an earlier debit came back was not paid again."""
_UNTOLD = text(
    f"""
    select p.id, p.detail, p.differs, e.amount - n.amount as amount, {_COLUMNS}
    from payment p
    left join payment_entry e on e.payment_id = p.id and e.kind = 'returned' and e.amount > 0
        and p.status = 'RETURNED'
    {_JOINS}
    cross join lateral ({_NOT_OWED}) n
    where (p.status = 'RETURNED' and e.amount > n.amount and not (p.flow = 'purchase' and f.ended_at is null)
              and not exists (select 1 from money_case c
                              where c.payment_id = p.id
                                and (c.cause = 'let_go' or c.cause = 'refund_refused' and c.amount is null))
           or p.differs is not null)
        and not exists (select 1 from money_case c
                        where c.payment_id = p.id and c.cause =
                            case when p.differs is null then 'debit_returned' else 'amount_differs' end)
        and (o.id is not null and o.cancelled_at is null
             or p.flow = 'purchase' and exists (select 1 from subscription s where s.purchase_id = p.flow_id)
             or p.flow = 'invoice_payment'
                and exists (select 1 from invoice_allocation a where a.payment_id = p.flow_id
                            and a.status in ('posted', 'returned')))
    limit 20
    """
)
_DISPUTED = text(
    f"""
    select d.id as dispute_id, d.amount, d.reason, d.respond_by, p.id, {_COLUMNS}
    from dispute d join payment p on p.id = d.payment_id
    {_JOINS}
    where d.case_id is null
    order by d.id limit 20 for update of d skip locked
    """
)


async def open_untold(session: AsyncSession) -> int:
    """Opens a case of each debit that came back after something had been sold for it, of each payment that is not what was
    asked for, and of each chargeback, however that became known. A debit that its run had let go of was paid for nothing; of
    one that was to be given back in part, the rest is owed. Of plans what is owed is known once their purchase has ended, which
    it does when it hears of the debit."""
    opened = 0
    for row in (await session.execute(_UNTOLD)).mappings().all():
        differs = row["differs"] is not None
        cause = CaseCause.AMOUNT_DIFFERS if differs else CaseCause.DEBIT_RETURNED
        start = await _start_of(session, row, cause, case_id(cause, row["id"]))
        told = {
            "amount": None if differs else row["amount"],
            "detail": row["differs"] or row["detail"] or "",
        }
        opened += await open_case(session, start.model_copy(update=told))
    for row in (await session.execute(_DISPUTED)).mappings().all():
        id_ = chargeback_case(row["dispute_id"])
        start = await _start_of(session, row, CaseCause.CHARGEBACK, id_)
        told: dict[str, Any] = {
            "dispute_id": row["dispute_id"],
            "amount": row["amount"],
            "detail": f"The bank gives as its reason: {row['reason'].replace('_', ' ')}.",
        }
        if row["respond_by"] is not None:
            due = max(row["respond_by"] - start.opened_at, SOONEST_DUE)
            told["policy"] = start.policy.model_copy(update={"due": due})
        opened += await open_case(session, start.model_copy(update=told))
        await session.execute(
            update(DisputeRow).where(DisputeRow.id == row["dispute_id"]).values(case_id=id_)
        )
    return opened


async def _start_of(
    session: AsyncSession, row: RowMapping, cause: CaseCause, id_: str
) -> CaseStart:
    """A case of one payment."""
    return CaseStart(
        id=id_,
        cause=cause,
        belongs_to=_belongs_to(row),
        payment_id=row["id"],
        currency=row["currency"],
        partner_code=row["partner_code"],
        person_id=row["person_id"],
        dealer_id=row["dealer_id"],
        site=row["site"] or await site_of(session, row["partner_code"]),
        opened_at=await database_now(session),
    )


def _belongs_to(row: RowMapping) -> BelongsTo:
    flow = PayingFlow(row["flow"])
    told: dict[str, Any] = {"flow": flow, "flow_id": row["flow_id"]}
    match flow:
        case PayingFlow.PLACEMENT:
            if row["order_id"] is None:
                return BelongsTo(kind="cart", id=row["flow_id"], name="Your cart", **told)
            return on_order(row["order_id"], row["number"], row["flow_id"])
        case PayingFlow.PURCHASE:
            return BelongsTo(kind="purchase", id=row["flow_id"], name="Purchase of plans", **told)
        case PayingFlow.INVOICE_PAYMENT:
            return BelongsTo(
                kind="invoice_payment", id=row["flow_id"], name="Payment of invoices", **told
            )


async def take_not_begun(session: AsyncSession, *, limit: int) -> tuple[CaseStart, ...]:
    """Cases that no run has taken up, the oldest first; locked, so that of several workers one begins each."""
    rows = await session.scalars(
        select(CaseRow.start)
        .where(CaseRow.begun_at.is_(None))
        .order_by(CaseRow.opened_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return tuple(CaseStart.model_validate(start) for start in rows)


async def not_shown(session: AsyncSession, *, before: datetime) -> tuple[CaseStart, ...]:
    """Cases that were begun before this time and never showed themselves: nothing was done about them yet."""
    rows = await session.scalars(
        select(CaseRow.start)
        .where(CaseRow.begun_at < before)
        .where(~select(FlowRow.id).where(FlowRow.id == CaseRow.id).exists())
        .order_by(CaseRow.begun_at)
        .limit(100)
    )
    return tuple(CaseStart.model_validate(start) for start in rows)


async def mark_begun(session: AsyncSession, case_ids: Sequence[str]) -> None:
    await session.execute(
        update(CaseRow).where(CaseRow.id.in_(case_ids)).values(begun_at=func.now())
    )


async def is_at_work(session: AsyncSession, belongs_to: BelongsTo) -> bool:
    """Whether the run that moves this money is open."""
    found = await session.scalar(
        select(FlowRow.id).where(
            FlowRow.id == belongs_to.flow_id,
            FlowRow.kind == belongs_to.flow.value,
            FlowRow.ended_at.is_(None),
        )
    )
    return found is not None


async def owed_by_cases(session: AsyncSession, partner_code: str) -> Decimal:
    """What a business has to pay again by its open cases, in US dollars."""
    owed = func.coalesce(func.sum(FlowRow.view["owed"].astext.cast(Numeric(12, 2))), 0)
    found = await session.scalar(
        select(owed)
        .select_from(CaseRow)
        .join(FlowRow, FlowRow.id == CaseRow.id)
        .where(CaseRow.partner_code == partner_code, FlowRow.ended_at.is_(None))
    )
    return Decimal(found or 0)


async def payments_of(session: AsyncSession, belongs_to: BelongsTo) -> tuple[str, ...]:
    """The ids of its payments, the latest attempt first; at most 100."""
    rows = await session.scalars(
        select(PaymentRow.id)
        .where(PaymentRow.flow == belongs_to.flow.value, PaymentRow.flow_id == belongs_to.flow_id)
        .order_by(PaymentRow.attempt.desc(), PaymentRow.created_at.desc())
        .limit(100)
    )
    return tuple(rows)


async def cases_of(
    session: AsyncSession, kind: str, belongs_id: str, *, limit: int = 50
) -> tuple[CaseView, ...]:
    """The cases that stand on an order, a purchase or a payment of invoices, the oldest first."""
    rows = await session.execute(
        select(CaseRow, FlowRow.view)
        .outerjoin(FlowRow, FlowRow.id == CaseRow.id)
        .where(CaseRow.belongs_kind == kind, CaseRow.belongs_id == belongs_id)
        .order_by(CaseRow.opened_at, CaseRow.id)
        .limit(limit)
    )
    return tuple(_view(row.CaseRow, row.view) for row in rows)


async def cases_of_invoice(
    session: AsyncSession, number: str, order_id: str | None, *, limit: int = 50
) -> tuple[CaseView, ...]:
    """The cases that are about an invoice, the oldest first: of the order that it is for, of what a bank took back of what was
    posted to it, of what was given back for it, and of payments of it that nobody understands."""
    allocated = select(InvoiceAllocationRow.payment_id).where(
        InvoiceAllocationRow.invoice_number == number
    )
    was_posted = InvoiceAllocationRow.status.in_([InvoiceStatus.POSTED, InvoiceStatus.RETURNED])
    rows = await session.execute(
        select(CaseRow, FlowRow.view)
        .outerjoin(FlowRow, FlowRow.id == CaseRow.id)
        .where(
            (CaseRow.belongs_kind == "order") & (CaseRow.belongs_id == order_id)
            | (CaseRow.belongs_kind == "invoice_payment")
            & or_(
                CaseRow.belongs_id.in_(allocated) & CaseRow.cause.in_(BY_HAND),
                CaseRow.belongs_id.in_(allocated.where(was_posted)) & CaseRow.cause.in_(TAKEN_BACK),
                CaseRow.belongs_id.in_(allocated.where(~was_posted))
                & CaseRow.cause.not_in(TAKEN_BACK),
            )
        )
        .order_by(CaseRow.opened_at, CaseRow.id)
        .limit(limit)
    )
    return tuple(_view(row.CaseRow, row.view) for row in rows)


async def open_cases_of(
    session: AsyncSession, partner_code: str, *, limit: int
) -> tuple[CaseView, ...]:
    """The open cases of a business, the latest opened first."""
    rows = await session.execute(
        select(CaseRow, FlowRow.view)
        .join(FlowRow, FlowRow.id == CaseRow.id)
        .where(CaseRow.partner_code == partner_code, FlowRow.ended_at.is_(None))
        .order_by(CaseRow.opened_at.desc(), CaseRow.id.desc())
        .limit(limit)
    )
    return tuple(_view(row.CaseRow, row.view) for row in rows)


async def count_open_cases(session: AsyncSession, *, up_to: int = 1000) -> int:
    """How many cases are open at all businesses, counted no further than `up_to`."""
    found = (
        select(FlowRow.id)
        .where(FlowRow.kind == "case", FlowRow.ended_at.is_(None))
        .limit(up_to)
        .subquery()
    )
    return int(await session.scalar(select(func.count()).select_from(found)) or 0)


async def find_case(session: AsyncSession, case_id: str) -> CaseView | None:
    found = await session.execute(
        select(CaseRow, FlowRow.view)
        .outerjoin(FlowRow, FlowRow.id == CaseRow.id)
        .where(CaseRow.id == case_id)
    )
    row = found.one_or_none()
    return _view(row.CaseRow, row.view) if row else None


async def list_cases(
    session: AsyncSession,
    *,
    ended: bool,
    limit: int,
    before: tuple[datetime, str] | None = None,
) -> tuple[CaseView, ...]:
    """The latest opened first. `before` is the (opened_at, id) of the last of the page before."""
    has_ended = FlowRow.ended_at.is_not(None)
    query = (
        select(CaseRow, FlowRow.view)
        .outerjoin(FlowRow, FlowRow.id == CaseRow.id)
        .where(has_ended if ended else FlowRow.ended_at.is_(None))
    )
    if before is not None:
        at, id_ = before
        query = query.where(
            (CaseRow.opened_at < at) | ((CaseRow.opened_at == at) & (CaseRow.id < id_))
        )
    rows = await session.execute(
        query.order_by(CaseRow.opened_at.desc(), CaseRow.id.desc()).limit(limit)
    )
    return tuple(_view(row.CaseRow, row.view) for row in rows)


async def find_start(session: AsyncSession, case_id: str) -> CaseStart | None:
    start = await session.scalar(select(CaseRow.start).where(CaseRow.id == case_id))
    return CaseStart.model_validate(start) if start else None


async def changes_of(session: AsyncSession, ids: Sequence[str]) -> dict[str, tuple[RunOwner, int]]:
    """Of each case whose money it is about, known from the moment in which it is opened, and how often its run has shown a
    change; under 0 while it has not shown itself."""
    rows = await session.execute(
        select(
            CaseRow.id,
            CaseRow.partner_code,
            CaseRow.start["person_id"].astext.label("person_id"),
            func.coalesce(FlowRow.rev, -1).label("rev"),
        )
        .outerjoin(FlowRow, FlowRow.id == CaseRow.id)
        .where(CaseRow.id.in_(ids))
    )
    return {
        row.id: (RunOwner(kind="case", owner_id=row.person_id, partner=row.partner_code), row.rev)
        for row in rows
    }


async def start_in_place_of(session: AsyncSession, case_id: str) -> CaseStart | None:
    """The start of a run that goes on where the lost one stood. A payment that was left to another case is not looked for: its
    money goes back."""
    run = await session.get(FlowRow, case_id)
    start = await find_start(session, case_id)
    if run is None or start is None:
        return None
    view = CaseView.model_validate(run.view)
    if view.state == "charging" and view.payment is not None:
        key = f"{CASE.workflow_id(start)}:{view.payment.attempt}"
        if await is_left_to_a_case(session, payment_id_of(key)):
            payment = view.payment.model_copy(update={"detail": UNANSWERED})
            view = view.model_copy(update={"state": "owed", "payment": payment})
    return start.model_copy(update={"rev_from": run.rev + 1, "resume": view})


def _view(row: CaseRow, shown: dict[str, Any] | None) -> CaseView:
    """As its run shows it; before that, as it was opened."""
    if shown is not None:
        return CaseView.model_validate(shown)
    start = CaseStart.model_validate(row.start)
    return CaseView(
        id=start.id,
        state="working",
        cause=start.cause,
        belongs_to=start.belongs_to,
        detail=start.detail,
        amount=start.amount,
        currency=start.currency,
        opened_at=start.opened_at,
        due_at=start.opened_at + start.policy.due,
        updated_at=start.opened_at,
    )
