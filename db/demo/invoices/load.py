"""Loads the invented invoices and credit memos into the mirror by COPY, in the transaction of its session. Only once.

`demo_documents_of` reads them again, for the ERP stand-in to have the same.
"""

from collections.abc import Sequence
from datetime import datetime

from psycopg.types.json import Jsonb
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.billing.invoices.documents import (
    CreditMemoRow,
    InvoiceLineRow,
    InvoiceRow,
    invoice_columns,
    invoice_of,
    line_columns,
    memo_columns,
    memo_of,
)
from db.billing.invoices.erp_places import DOCUMENTS, ErpFeedRow
from db.demo.invoices.documents import DEMO_ZONE, Documents, demo_documents
from db.demo.orders import DemoOrder
from db.orders.tables import OrderRow
from db.platform.copying import copy_rows

_DEMO = "INV-44%"
"""Demo orders have numbers of their own at the ERP."""
_JSON = {"early_pay", "settled_with", "applied_to"}


async def add_documents(session: AsyncSession, orders: Sequence[DemoOrder], now: datetime) -> int:
    """Answers how many invoices were added. The feed begins after them: it need not tell of them again."""
    ids = [order.id for order in orders]
    rows = await session.execute(select(OrderRow.id, OrderRow.number).where(OrderRow.id.in_(ids)))
    numbers: dict[str, str] = {row[0]: row[1] for row in rows}
    today = now.astimezone(DEMO_ZONE).date()
    found = demo_documents(orders, numbers, today)
    await _copy(session, InvoiceRow, [invoice_columns(one) for one in found.invoices])
    await _copy(
        session, InvoiceLineRow, [line for one in found.invoices for line in line_columns(one)]
    )
    await _copy(session, CreditMemoRow, [memo_columns(one) for one in found.memos])
    await session.execute(
        insert(ErpFeedRow).values(name=DOCUMENTS, cursor=now.isoformat()).on_conflict_do_nothing()
    )
    return len(found.invoices)


async def demo_documents_of(session: AsyncSession) -> Documents:
    """Those of the demo orders that are in the mirror now."""
    lines: dict[str, list[InvoiceLineRow]] = {}
    for line in await session.scalars(
        select(InvoiceLineRow)
        .where(InvoiceLineRow.invoice_number.like(_DEMO))
        .order_by(InvoiceLineRow.invoice_number, InvoiceLineRow.place)
    ):
        lines.setdefault(line.invoice_number, []).append(line)
    invoices = await session.scalars(select(InvoiceRow).where(InvoiceRow.number.like(_DEMO)))
    memos = await session.scalars(
        select(CreditMemoRow).where(CreditMemoRow.invoice_number.like(_DEMO))
    )
    return Documents(
        tuple(invoice_of(row, lines.get(row.number, ())) for row in invoices),
        tuple(map(memo_of, memos)),
    )


async def _copy(
    session: AsyncSession,
    table: type[InvoiceRow] | type[InvoiceLineRow] | type[CreditMemoRow],
    rows: Sequence[dict[str, object]],
) -> None:
    if not rows:
        return
    names = list(rows[0])
    await copy_rows(
        session,
        table,
        " ".join(names),
        (tuple(Jsonb(row[name]) if name in _JSON else row[name] for name in names) for row in rows),
    )
