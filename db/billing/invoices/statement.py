"""Statements of account, from the mirror of the ERP's documents.

An invoice is owed from the day of its issue, a credit memo counts from the day of its own: applying it to an invoice moves
nothing. So a statement ends at what the ERP calls the balance: open invoices less open memos.
"""

from typing import Any

from sqlalchemy import (
    CTE,
    ColumnElement,
    Date,
    Numeric,
    Select,
    case,
    cast,
    column,
    func,
    literal,
    select,
    true,
    tuple_,
    union_all,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from db.billing.invoices.documents import CreditMemoRow, InvoiceRow
from domain.billing.invoices.documents import FORMER_KINDS, OWED_AGAIN, SettledBy
from domain.billing.invoices.statement import Statement, StatementEntry, StatementSearch

MOVES_NOTHING = SettledBy.CREDIT_MEMO.value
"""The kind of settling that stands in the statement by itself, as a memo."""


async def read_statement(session: AsyncSession, asked: StatementSearch) -> Statement:
    """A page of the statement, the oldest entry first."""
    entry = _entries(asked.partner_code).cte("entry")
    amount = entry.c.amount
    sums = (
        await session.execute(
            select(
                func.coalesce(func.sum(amount).filter(entry.c.on < asked.first_day), 0),
                func.coalesce(func.sum(amount), 0),
                func.count().filter(entry.c.on >= asked.first_day),
            ).where(entry.c.on <= asked.last_day)
        )
    ).one()
    sums_up = func.sum(amount).over(order_by=_order(entry), rows=(None, 0))
    running = select(entry, sums_up.label("balance")).cte("running")
    page = (
        select(running)
        .where(running.c.on >= asked.first_day, running.c.on <= asked.last_day)
        .order_by(*_order(running))
        .limit(asked.limit)
        .offset(asked.skip)
    )
    if (last := asked.after) is not None:
        page = page.where(tuple_(*_order(running)) > _place_of(last))
    rows = await session.execute(page)
    return Statement(
        opening=sums[0],
        closing=sums[1],
        total=sums[2],
        entries=tuple(StatementEntry.model_validate(row, from_attributes=True) for row in rows),
    )


_RANKS = {"invoice": 0, MOVES_NOTHING: 1}
"""What comes first of one day; all else comes last."""
_LAST_RANK = 2


def _place_of(entry: StatementEntry) -> tuple[Any, ...]:
    rank = _RANKS.get(entry.kind, _LAST_RANK)
    return (entry.on, rank, entry.number, entry.kind, entry.invoice_number)


def _order(rows: CTE) -> tuple[ColumnElement[Any], ...]:
    """No two entries stand in the same place."""
    return tuple(rows.c[name] for name in ("on", "rank", "number", "kind", "invoice_number"))


def _entries(partner_code: str) -> Select[Any]:
    invoices = select(
        InvoiceRow.create_date.label("on"),
        literal(_RANKS["invoice"]).label("rank"),
        literal("invoice").label("kind"),
        InvoiceRow.number.label("number"),
        InvoiceRow.number.label("invoice_number"),
        InvoiceRow.total.label("amount"),
    ).where(InvoiceRow.partner_code == partner_code)
    memos = select(
        CreditMemoRow.create_date,
        literal(_RANKS[MOVES_NOTHING]),
        literal(MOVES_NOTHING),
        CreditMemoRow.number,
        CreditMemoRow.invoice_number,
        -CreditMemoRow.total,
    ).where(CreditMemoRow.partner_code == partner_code)
    part = (
        func.jsonb_array_elements(InvoiceRow.settled_with)
        .table_valued(column("value", JSONB))
        .lateral("part")
    )
    value = part.c.value
    stored_kind: ColumnElement[str] = value["kind"].astext
    kind = case(FORMER_KINDS, value=stored_kind, else_=stored_kind)
    amount = cast(value["amount"].astext, Numeric(12, 2))
    settled = (
        select(
            cast(value["on"].astext, Date),
            literal(_LAST_RANK),
            kind,
            value["number"].astext,
            InvoiceRow.number,
            case((kind.in_(OWED_AGAIN), amount), else_=-amount),
        )
        .select_from(InvoiceRow)
        .join(part, true())
        .where(InvoiceRow.partner_code == partner_code, kind != MOVES_NOTHING)
    )
    return select(union_all(invoices, memos, settled).subquery())
