"""Lists of the invoices and credit memos of one business."""

from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from db.billing.invoices.documents import (
    CreditMemoRow,
    DocumentHoldRow,
    InvoiceRow,
    invoice_of,
    memo_of,
)
from domain.billing.invoices.documents import Ageing
from domain.billing.invoices.search import (
    AgeingSum,
    DocumentSearch,
    InvoiceListStatus,
    InvoicesFound,
    MemosFound,
    MemoStatus,
    place_of,
)

Row = type[InvoiceRow] | type[CreditMemoRow]


async def list_invoices(session: AsyncSession, asked: DocumentSearch) -> InvoicesFound:
    """A page of the invoices that fit, without their lines, how many fit in all, and how many would of each status."""
    fitting = _narrowed(select(InvoiceRow), InvoiceRow, asked)
    any_status = asked.model_copy(update={"statuses": ()})
    counted = [func.count().filter(_has(status, asked)) for status in InvoiceListStatus]
    asked_for = [_has(status, asked) for status in asked.statuses]
    row = await session.execute(
        _narrowed(select(InvoiceRow), InvoiceRow, any_status).with_only_columns(
            func.count().filter(or_(*asked_for)) if asked_for else func.count(),
            func.count(),
            *counted,
        )
    )
    total, everything, *counts = row.one()
    key = {
        "date": InvoiceRow.create_date,
        "due": InvoiceRow.due_date,
        "total": InvoiceRow.total,
    }[asked.sort.by]
    rows = await session.scalars(_page(fitting, key, InvoiceRow.number, asked))
    found = [invoice_of(row) for row in rows]
    shown = tuple(found[: asked.limit])
    end = None if len(found) <= asked.limit else place_of(shown[-1], asked.sort)
    return InvoicesFound(
        invoices=shown,
        end=end,
        total=total,
        everything=everything,
        counts=dict(zip(InvoiceListStatus, counts, strict=True)),
    )


async def list_memos(session: AsyncSession, asked: DocumentSearch) -> MemosFound:
    """A page of the credit memos that fit, how many fit in all, and how many would of each status."""
    fitting = _narrowed(select(CreditMemoRow), CreditMemoRow, asked)
    any_status = asked.model_copy(update={"statuses": ()})
    counted = [func.count().filter(_has(status, asked)) for status in MemoStatus]
    row = await session.execute(
        _narrowed(select(CreditMemoRow), CreditMemoRow, any_status).with_only_columns(*counted)
    )
    counts = dict(zip(MemoStatus, row.one(), strict=True))
    key = CreditMemoRow.total if asked.sort.by == "total" else CreditMemoRow.create_date
    rows = await session.scalars(_page(fitting, key, CreditMemoRow.number, asked))
    found = [memo_of(row) for row in rows]
    shown = tuple(found[: asked.limit])
    end = None if len(found) <= asked.limit else place_of(shown[-1], asked.sort)
    total = sum(
        count for status, count in counts.items() if status in (asked.statuses or MemoStatus)
    )
    return MemosFound(memos=shown, end=end, total=total, counts=counts)


async def ageing_of_business(session: AsyncSession, asked: DocumentSearch) -> tuple[AgeingSum, ...]:
    """What the whole business has open in each bucket, the empty ones included."""
    bucket = case(
        *(
            (InvoiceRow.due_date >= asked.today - timedelta(days=one.days[1]), one.value)
            for one in Ageing
            if one.days[1] is not None
        ),
        else_=Ageing.OVER_90.value,
    ).label("bucket")
    rows = await session.execute(
        select(bucket, func.count(), func.sum(InvoiceRow.balance))
        .where(InvoiceRow.partner_code == asked.partner_code, InvoiceRow.balance > 0)
        .group_by(bucket)
    )
    open_: dict[str, tuple[int, Any]] = {row[0]: (row[1], row[2]) for row in rows}
    return tuple(
        AgeingSum(bucket=one, count=count, amount=amount)
        for one in Ageing
        for count, amount in [open_.get(one.value, (0, 0))]
    )


def _page(fitting: Select[Any], key: Any, number: Any, asked: DocumentSearch) -> Select[Any]:
    """One row more than a page, so that its end is known."""
    query = fitting.limit(asked.limit + 1).offset(asked.skip)
    falling = asked.sort.is_falling
    if asked.after is not None:
        at = asked.after.total if asked.sort.by == "total" else asked.after.on
        place, last = tuple_(key, number), tuple_(at, asked.after.number)
        query = query.where(place < last if falling else place > last)
    return query.order_by(key.desc() if falling else key, number.desc() if falling else number)


def _narrowed(query: Select[Any], table: Row, asked: DocumentSearch) -> Select[Any]:
    query = query.where(table.partner_code == asked.partner_code)
    if asked.first_day is not None:
        query = query.where(table.create_date >= asked.first_day)
    if asked.last_day is not None:
        query = query.where(table.create_date <= asked.last_day)
    if asked.statuses:
        query = query.where(or_(*(_has(status, asked) for status in asked.statuses)))
    if asked.term:
        query = query.where(
            InvoiceRow.searched.icontains(asked.term, autoescape=True)
            if table is InvoiceRow
            else or_(
                CreditMemoRow.number.icontains(asked.term, autoescape=True),
                CreditMemoRow.invoice_number.icontains(asked.term, autoescape=True),
            )
        )
    return query


def _has(status: InvoiceListStatus | MemoStatus, asked: DocumentSearch) -> ColumnElement[bool]:
    # By type first: an open memo and an open invoice have the same word.
    if isinstance(status, MemoStatus):
        is_open = CreditMemoRow.balance > 0
        return is_open if status is MemoStatus.OPEN else ~is_open
    if status is InvoiceListStatus.PAID:
        return InvoiceRow.balance == 0
    if status is InvoiceListStatus.IN_PAYMENT:
        return exists().where(DocumentHoldRow.number == InvoiceRow.number)
    first, last = (1, None) if status is InvoiceListStatus.PAST_DUE else (None, None)
    if status.ageing is not None:
        first, last = status.ageing.days
    fits: list[ColumnElement[bool]] = [InvoiceRow.balance > 0]
    if first is not None:
        fits.append(InvoiceRow.due_date <= asked.today - timedelta(days=first))
    if last is not None:
        fits.append(InvoiceRow.due_date >= asked.today - timedelta(days=last))
    return and_(*fits)
