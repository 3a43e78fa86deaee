"""Lists of the invoices and credit memos of one business.

Each statement is put together once for all searches of one shape: that takes longer than to run it.
"""

from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Date,
    Integer,
    Numeric,
    Select,
    Text,
    and_,
    bindparam,
    case,
    exists,
    func,
    literal_column,
    or_,
    select,
    tuple_,
)

from db.base import Executes
from db.billing.invoices.documents import (
    INVOICE_COLUMNS,
    MEMO_COLUMNS,
    CreditMemoRow,
    DocumentHoldRow,
    InvoiceRow,
    invoice_of,
    memo_of,
)
from db.likeness import ESCAPE, escaped
from domain.billing.invoices.documents import Ageing
from domain.billing.invoices.search import (
    AgeingSum,
    DocumentSearch,
    DocumentSort,
    InvoiceListStatus,
    InvoicesFound,
    MemosFound,
    MemoStatus,
    place_of,
)

Table = type[InvoiceRow] | type[CreditMemoRow]

SHAPES_KEPT = 200

_PARTNER, _TODAY = bindparam("partner", type_=Text), bindparam("today", type_=Date)
_FIRST_DAY, _LAST_DAY = bindparam("first_day", type_=Date), bindparam("last_day", type_=Date)
_TERM = bindparam("term", type_=Text)
_AFTER_DAY = bindparam("after_day", type_=Date)
_AFTER_TOTAL = bindparam("after_total", type_=Numeric(12, 2))
_AFTER_NUMBER = bindparam("after_number", type_=Text)
_NOTHING = literal_column("0", Numeric)
"""As a value it would hide from a plan that is kept that the index of what is open has all."""
_MOST, _SKIP = bindparam("most", type_=Integer), bindparam("skip", type_=Integer)


@dataclass(frozen=True)
class _Shape:
    """What of a search decides its statements; the rest are values."""

    statuses: tuple[InvoiceListStatus | MemoStatus, ...]
    has_first_day: bool
    has_last_day: bool
    has_term: bool
    sort: DocumentSort
    has_after: bool


def _shape_of(asked: DocumentSearch) -> _Shape:
    return _Shape(
        statuses=asked.statuses,
        has_first_day=asked.first_day is not None,
        has_last_day=asked.last_day is not None,
        has_term=bool(asked.term),
        sort=asked.sort,
        has_after=asked.after is not None,
    )


def _values_of(asked: DocumentSearch) -> dict[str, Any]:
    """One row more than a page, so that its end is known."""
    values: dict[str, Any] = {
        "partner": asked.partner_code,
        "today": asked.today,
        "first_day": asked.first_day,
        "last_day": asked.last_day,
        "term": escaped(asked.term),
        "most": asked.limit + 1,
        "skip": asked.skip,
    }
    if asked.after is not None:
        values |= {
            "after_day": asked.after.on,
            "after_total": asked.after.total,
            "after_number": asked.after.number,
        }
    return values


async def list_invoices(session: Executes, asked: DocumentSearch) -> InvoicesFound:
    """A page of the invoices that fit, without their lines, how many fit in all, and how many would of each status."""
    shape, values = _shape_of(asked), _values_of(asked)
    counted = await session.execute(_invoices_counted(shape), values)
    total, everything, *counts = counted.one()
    rows = await session.execute(_invoices_page(shape), values)
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


async def list_memos(session: Executes, asked: DocumentSearch) -> MemosFound:
    """A page of the credit memos that fit, how many fit in all, and how many would of each status."""
    shape, values = _shape_of(asked), _values_of(asked)
    counted = await session.execute(_memos_counted(shape), values)
    counts = dict(zip(MemoStatus, counted.one(), strict=True))
    rows = await session.execute(_memos_page(shape), values)
    found = [memo_of(row) for row in rows]
    shown = tuple(found[: asked.limit])
    end = None if len(found) <= asked.limit else place_of(shown[-1], asked.sort)
    total = sum(
        count for status, count in counts.items() if status in (asked.statuses or MemoStatus)
    )
    return MemosFound(memos=shown, end=end, total=total, counts=counts)


async def ageing_of_business(session: Executes, asked: DocumentSearch) -> tuple[AgeingSum, ...]:
    """What the whole business has open in each bucket, the empty ones included."""
    rows = await session.execute(_aged(), {"partner": asked.partner_code, "today": asked.today})
    open_: dict[str, tuple[int, Any]] = {row[0]: (row[1], row[2]) for row in rows}
    return tuple(
        AgeingSum(bucket=one, count=count, amount=amount)
        for one in Ageing
        for count, amount in [open_.get(one.value, (0, 0))]
    )


@cache
def _aged() -> Select[*tuple[Any, ...]]:
    bucket = case(
        *(
            (InvoiceRow.due_date >= _days_ago(one.days[1]), one.value)
            for one in Ageing
            if one.days[1] is not None
        ),
        else_=Ageing.OVER_90.value,
    ).label("bucket")
    return (
        select(bucket, func.count(), func.sum(InvoiceRow.balance))
        .where(InvoiceRow.partner_code == _PARTNER, InvoiceRow.balance > _NOTHING)
        .group_by(bucket)
    )


@lru_cache(SHAPES_KEPT)
def _invoices_counted(shape: _Shape) -> Select[*tuple[Any, ...]]:
    counted = [func.count().filter(_has(status)) for status in InvoiceListStatus]
    fits = [_has(status) for status in shape.statuses]
    total = func.count().filter(or_(*fits)) if fits else func.count()
    return (
        select(total, func.count(), *counted)
        .select_from(InvoiceRow)
        .where(*_narrowed(InvoiceRow, shape))
    )


@lru_cache(SHAPES_KEPT)
def _memos_counted(shape: _Shape) -> Select[*tuple[Any, ...]]:
    counted = [func.count().filter(_has(status)) for status in MemoStatus]
    return select(*counted).select_from(CreditMemoRow).where(*_narrowed(CreditMemoRow, shape))


@lru_cache(SHAPES_KEPT)
def _invoices_page(shape: _Shape) -> Select[*tuple[Any, ...]]:
    key = {
        "date": InvoiceRow.create_date,
        "due": InvoiceRow.due_date,
        "total": InvoiceRow.total,
    }[shape.sort.by]
    columns = select(*(getattr(InvoiceRow, name) for name in INVOICE_COLUMNS))
    return _page(columns, InvoiceRow, key, shape)


@lru_cache(SHAPES_KEPT)
def _memos_page(shape: _Shape) -> Select[*tuple[Any, ...]]:
    key = CreditMemoRow.total if shape.sort.by == "total" else CreditMemoRow.create_date
    columns = select(*(getattr(CreditMemoRow, name) for name in MEMO_COLUMNS))
    return _page(columns, CreditMemoRow, key, shape)


def _page(
    query: Select[*tuple[Any, ...]], table: Table, key: Any, shape: _Shape
) -> Select[*tuple[Any, ...]]:
    query = query.where(*_narrowed(table, shape)).limit(_MOST).offset(_SKIP)
    if shape.statuses:
        query = query.where(or_(*(_has(status) for status in shape.statuses)))
    falling = shape.sort.is_falling
    if shape.has_after:
        at = _AFTER_TOTAL if shape.sort.by == "total" else _AFTER_DAY
        place, last = tuple_(key, table.number), tuple_(at, _AFTER_NUMBER)
        query = query.where(place < last if falling else place > last)
    return query.order_by(
        key.desc() if falling else key, table.number.desc() if falling else table.number
    )


def _narrowed(table: Table, shape: _Shape) -> list[ColumnElement[bool]]:
    """But for the statuses."""
    fits: list[ColumnElement[bool]] = [table.partner_code == _PARTNER]
    if shape.has_first_day:
        fits.append(table.create_date >= _FIRST_DAY)
    if shape.has_last_day:
        fits.append(table.create_date <= _LAST_DAY)
    if shape.has_term:
        looked_in = (
            (InvoiceRow.searched,)
            if table is InvoiceRow
            else (CreditMemoRow.number, CreditMemoRow.invoice_number)
        )
        fits.append(or_(*(column.icontains(_TERM, escape=ESCAPE) for column in looked_in)))
    return fits


def _has(status: InvoiceListStatus | MemoStatus) -> ColumnElement[bool]:
    # By type first: an open memo and an open invoice have the same word.
    if isinstance(status, MemoStatus):
        is_open = CreditMemoRow.balance > _NOTHING
        return is_open if status is MemoStatus.OPEN else ~is_open
    if status is InvoiceListStatus.PAID:
        return InvoiceRow.balance == _NOTHING
    if status is InvoiceListStatus.IN_PAYMENT:
        return exists().where(DocumentHoldRow.number == InvoiceRow.number)
    first, last = (1, None) if status is InvoiceListStatus.PAST_DUE else (None, None)
    if status.ageing is not None:
        first, last = status.ageing.days
    fits: list[ColumnElement[bool]] = [InvoiceRow.balance > _NOTHING]
    if first is not None:
        fits.append(InvoiceRow.due_date <= _days_ago(first))
    if last is not None:
        fits.append(InvoiceRow.due_date >= _days_ago(last))
    return and_(*fits)


def _days_ago(days: int) -> ColumnElement[date]:
    return _TODAY - literal_column(str(days), Integer)
