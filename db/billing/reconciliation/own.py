"""Our side of reconciliation: payments, orders, purchases and payments of invoices, page by page of what has settled."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from domain.base import Frozen, Utc
from domain.billing.invoice_payment import InvoiceStatus
from domain.billing.reconciliation.differences import About, AboutKind
from domain.billing.reconciliation.facts import (
    AllocationFacts,
    InvoicePaymentFacts,
    Look,
    MemoFacts,
    OpenInvoice,
    OrderFacts,
    OwnPayment,
    PurchaseFacts,
)

PAGE = 100


class Place(Frozen):
    """The last row of a page."""

    at: Utc
    id: str


_PAYMENT = """
    p.id, p.flow, p.flow_id, p.provider_id, p.partner_code, p.amount, p.currency, p.status,
    p.captured, p.refunded, p.provider_customer_id as customer, p.created_at, p.type,
    exists (select 1 from flow f where f.id = p.flow_id and f.ended_at is null) as is_running,
    exists (select 1 from dispute d where d.payment_id = p.id) as is_dispute_known,
    o.id as order_id, o.number as order_number
"""
_ORDER_OF = "left join shop_order o on p.flow = 'placement' and o.token = p.flow_id"


async def payments(
    session: AsyncSession, round_id: str, look: Look, after: Place | None
) -> tuple[list[OwnPayment], Place | None]:
    """Those that were begun since, and older ones that a provider was read to have moved."""
    rows = await _page(
        session,
        f"""select {_PAYMENT} from payment p {_ORDER_OF}
        where (p.created_at >= :since or exists (select 1 from reconciliation_fact f
                where f.round_id = :round_id and f.source = 'charge' and f.key = p.id))
            and p.updated_at < :until and (p.created_at, p.id) > (:at, :id)
        order by p.created_at, p.id limit :limit""",
        look,
        after,
        round_id=round_id,
    )
    return [_payment(row) for row in rows], _place(rows, "created_at", "id")


async def payments_called(session: AsyncSession, ids: Iterable[str]) -> list[OwnPayment]:
    """As they are now."""
    rows = await session.execute(
        text(f"select {_PAYMENT} from payment p {_ORDER_OF} where p.id = any(:ids)"),
        {"ids": list(ids)},
    )
    return [_payment(dict(row)) for row in rows.mappings()]


async def orders(
    session: AsyncSession, look: Look, after: Place | None
) -> tuple[list[OrderFacts], Place | None]:
    """Orders that a run of ours placed, without their documents."""
    rows = await _page(
        session,
        """select o.id, o.token, o.number, o.partner_code, o.total, o.created_at,
            o.cancelled_at is not null as is_cancelled,
            exists (select 1 from flow f where f.id = o.token and f.ended_at is null)
                as is_running,
            exists (select 1 from money_case c where c.belongs_kind = 'order'
                and c.belongs_id = o.id) as has_case,
            o.payment_type in ('COD', 'TERMS') as is_promised,
            array(select w.number from shop_order_withdrawal w where w.order_id = o.id)
                as withdrawn
        from shop_order o
        where o.workflow_id is not null and o.created_at >= :since and o.updated_at < :until
            and (o.created_at, o.id) > (:at, :id)
        order by o.created_at, o.id limit :limit""",
        look,
        after,
    )
    paid = await _payments_of(session, "placement", [row["token"] for row in rows])
    found = [OrderFacts(payments=paid[row["token"]], **_only(row, OrderFacts)) for row in rows]
    return found, _place(rows, "created_at", "id")


async def paid_carts(
    session: AsyncSession, look: Look, after: Place | None
) -> tuple[list[OwnPayment], Place | None]:
    """Payments of placements that made no order, and of invoices that nobody submitted."""
    rows = await _page(
        session,
        f"""select {_PAYMENT} from payment p {_ORDER_OF}
        where (p.flow = 'placement' and o.id is null or p.flow = 'invoice_payment'
                and not exists (select 1 from invoice_payment i where i.id = p.flow_id))
            and p.created_at >= :since
            and p.updated_at < :until and (p.created_at, p.id) > (:at, :id)
        order by p.created_at, p.id limit :limit""",
        look,
        after,
    )
    return [_payment(row) for row in rows], _place(rows, "created_at", "id")


async def purchases(
    session: AsyncSession, look: Look, after: Place | None
) -> tuple[list[PurchaseFacts], Place | None]:
    """Purchases that something was paid for, that have a receipt, or that a plan names."""
    rows = await _page(
        session,
        """select b.id, b.at, coalesce(r.partner_code, s.partner_code, q.partner_code)
                as partner_code,
            exists (select 1 from flow f where f.id = b.id and f.ended_at is null) as is_running,
            exists (select 1 from money_case c where c.belongs_kind = 'purchase'
                and c.belongs_id = b.id) as has_case,
            coalesce(s.plans, 0) as plans,
            case when r.succeeded then r.final_charge - r.refunded else null end as charged
        from (select id, min(at) as at, max(moved) as moved from (
                select p.flow_id as id, p.created_at as at, p.updated_at as moved
                    from payment p where p.flow = 'purchase' and p.created_at >= :since
                union all
                select purchase_id, created_at, created_at from subscription
                    where purchase_id is not null and created_at >= :since
                union all
                select uuid, created_at, coalesce(completed_at, created_at) from receipt
                    where created_at >= :since) every
            group by id) b
        left join receipt r on r.uuid = b.id
        left join lateral (select count(*) as plans, min(x.partner_code) as partner_code
            from subscription x where x.purchase_id = b.id) s on true
        left join lateral (select min(y.partner_code) as partner_code from payment y
            where y.flow = 'purchase' and y.flow_id = b.id) q on true
        where b.moved < :until and (b.at, b.id) > (:at, :id)
        order by b.at, b.id limit :limit""",
        look,
        after,
    )
    paid = await _payments_of(session, "purchase", [row["id"] for row in rows])
    found = [PurchaseFacts(payments=paid[row["id"]], **_only(row, PurchaseFacts)) for row in rows]
    return found, _place(rows, "at", "id")


async def invoice_payments(
    session: AsyncSession, look: Look, after: Place | None
) -> tuple[list[InvoicePaymentFacts], Place | None]:
    """Those that have ended, without their postings."""
    rows = await _page(
        session,
        """select i.id, i.partner_code, i.charged, i.created_at,
            exists (select 1 from money_case c where c.belongs_kind = 'invoice_payment'
                and c.belongs_id = i.id) as has_case
        from invoice_payment i
        where i.created_at >= :since and i.ended_at < :until and (i.created_at, i.id) > (:at, :id)
        order by i.created_at, i.id limit :limit""",
        look,
        after,
    )
    ids = [row["id"] for row in rows]
    paid = await _payments_of(session, "invoice_payment", ids)
    parts = await _allocations_of(session, ids)
    found = [
        InvoicePaymentFacts(
            payments=paid[row["id"]],
            allocations=tuple(parts[row["id"]]),
            **_only(row, InvoicePaymentFacts),
        )
        for row in rows
    ]
    return found, _place(rows, "created_at", "id")


async def memos(session: AsyncSession, after: str) -> tuple[list[MemoFacts], str | None]:
    """Every mirrored memo, with what its entries and our posted payments come to."""
    rows = (
        await session.execute(
            text(
                """select m.number, m.partner_code, m.total, m.applied,
                    coalesce((select sum((e->>'amount')::numeric)
                        from jsonb_array_elements(m.applied_to) e), 0) as entries,
                    coalesce((select sum(x.amount) from memo_allocation x
                        join invoice_allocation a using (payment_id, invoice_number)
                        where x.memo_number = m.number and a.status = 'posted'), 0) as posted
                from credit_memo m where m.number > :after order by m.number limit :limit"""
            ),
            {"after": after, "limit": PAGE},
        )
    ).mappings()
    found = [MemoFacts.model_validate(dict(row)) for row in rows]
    return found, found[-1].number if len(found) == PAGE else None


async def partners_with_documents(
    session: AsyncSession, after: str, *, limit: int
) -> tuple[str, ...]:
    """Codes of businesses that documents are mirrored of."""
    rows = await session.scalars(
        text(
            """select partner_code from (select partner_code from invoice where partner_code > :after
                union select partner_code from credit_memo where partner_code > :after) known
            order by partner_code limit :limit"""
        ),
        {"after": after, "limit": limit},
    )
    return tuple(rows)


async def open_documents(
    session: AsyncSession, partner_code: str
) -> tuple[tuple[OpenInvoice, ...], Decimal]:
    """Its open invoices, and what is left of its memos."""
    rows = await session.execute(
        text(
            "select number, balance as amount from invoice where partner_code = :code and balance > 0"
            " order by number"
        ),
        {"code": partner_code},
    )
    credit = await session.scalar(
        text(
            "select coalesce(sum(total - applied), 0) from credit_memo where partner_code = :code"
        ),
        {"code": partner_code},
    )
    found = tuple(OpenInvoice.model_validate(dict(row)) for row in rows.mappings())
    return found, Decimal(credit or 0)


async def mirrored(session: AsyncSession, numbers: Sequence[str]) -> dict[str, tuple[int, Decimal]]:
    """Number → version and total, of invoices and memos."""
    rows = await session.execute(
        text(
            """select number, version, total from invoice where number = any(:numbers)
            union all select number, version, total from credit_memo where number = any(:numbers)"""
        ),
        {"numbers": list(numbers)},
    )
    return {row.number: (row.version, row.total) for row in rows}


async def _payments_of(
    session: AsyncSession, flow: str, ids: Sequence[str]
) -> Mapping[str, tuple[OwnPayment, ...]]:
    rows = await session.execute(
        text(
            f"""select {_PAYMENT} from payment p {_ORDER_OF}
            where p.flow = :flow and p.flow_id = any(:ids) order by p.attempt, p.id"""
        ),
        {"flow": flow, "ids": list(ids)},
    )
    found: defaultdict[str, tuple[OwnPayment, ...]] = defaultdict(tuple)
    for row in rows.mappings():
        found[row["flow_id"]] += (_payment(dict(row)),)
    return found


async def _allocations_of(
    session: AsyncSession, ids: Sequence[str]
) -> Mapping[str, list[AllocationFacts]]:
    rows = await session.execute(
        text(
            """select a.payment_id, a.invoice_number, a.charged, a.discount, a.applied, a.status,
                coalesce((select sum(m.amount) from memo_allocation m where
                    m.payment_id = a.payment_id and m.invoice_number = a.invoice_number), 0)
                    as from_memos,
                coalesce((select count(*) from invoice i,
                        jsonb_array_elements(i.settled_with) e
                    where i.number = a.invoice_number and e->>'kind' = 'payment'
                        and e->>'number' = a.payment_id || ':' || a.invoice_number), 0) as noted
            from invoice_allocation a where a.payment_id = any(:ids)
            order by a.payment_id, a.place"""
        ),
        {"ids": list(ids)},
    )
    found: defaultdict[str, list[AllocationFacts]] = defaultdict(list)
    for row in rows.mappings():
        values = dict(row) | {"status": InvoiceStatus(row["status"])}
        found[row["payment_id"]].append(AllocationFacts.model_validate(values))
    return found


def _payment(row: dict[str, Any]) -> OwnPayment:
    is_card = row["type"] == "CARD" or (row["provider_id"] or "").startswith("pi_")
    return OwnPayment.model_validate(
        row
        | {
            "about": _about(row),
            "provider_id": row["provider_id"] if is_card else row["id"],
            "customer": row["customer"] if is_card else None,
        }
    )


def _about(row: Mapping[str, Any]) -> tuple[About, ...]:
    run = row["flow_id"]
    if row["order_id"] is not None:
        return (About(kind="order", id=row["order_id"], name=row["order_number"], run_id=run),)
    kind: AboutKind = row["flow"]
    return (About(kind=kind, id=run, name=run[:8], run_id=run),)


def _only(row: Mapping[str, Any], shape: type[Frozen]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name in shape.model_fields}


async def _page(
    session: AsyncSession, statement: str, look: Look, after: Place | None, **more: Any
) -> list[dict[str, Any]]:
    values = {
        "since": look.since,
        "until": look.until,
        "at": after.at if after else datetime.min.replace(tzinfo=look.since.tzinfo),
        "id": after.id if after else "",
        "limit": PAGE,
    }
    rows = await session.execute(text(statement), values | more)
    return [dict(row) for row in rows.mappings()]


def _place(rows: Sequence[Mapping[str, Any]], at: str, id_: str) -> Place | None:
    """None where there is no further page."""
    return Place(at=rows[-1][at], id=rows[-1][id_]) if len(rows) == PAGE else None
