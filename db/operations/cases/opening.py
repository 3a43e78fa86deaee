"""Cases are opened, in the transaction of what caused them or once that became known."""

from datetime import timedelta
from typing import Any

from sqlalchemy import RowMapping, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.billing.disputes import DisputeRow
from db.billing.payments import PaymentRow
from db.operations.cases.tables import CaseRow
from db.partner_tables import site_of
from db.platform.clock import database_now
from db.runs.flows import FlowRow
from domain.billing.payment_events import ProviderRefund
from domain.billing.payments import ENDED, PayingFlow
from domain.operations.cases import (
    NO_REASON,
    BelongsTo,
    CaseCause,
    CaseStart,
    case_id,
    chargeback_case,
    on_order,
)

SOONEST_DUE = timedelta(hours=1)
CHANNEL = "money_case"
"""NOTIFY channel: a case was opened."""


async def open_case(session: AsyncSession, start: CaseStart) -> bool:
    """Opens a case; its run is begun by whoever is told of it (`workers/operations/case_starter.py`). The same again
    changes nothing, and answers False."""
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
_PAID_ANEW = """
    exists (select 1 from payment later
            where later.flow = p.flow and later.flow_id = p.flow_id and later.workflow_id = p.workflow_id
              and later.attempt > p.attempt and later.status not in ('DECLINED', 'VOIDED'))
"""
"""Its run knew that the debit `p` came back, or had let go of it, before anything was sold: another payment stands in its
place, and answers for itself."""
_WITHOUT_CASE = text(
    f"""
    select p.id, p.detail, p.differs, e.amount - n.amount as amount, {_COLUMNS}
    from payment p
    left join payment_entry e on e.payment_id = p.id and e.kind = 'returned' and e.amount > 0
        and p.status = 'RETURNED'
    {_JOINS}
    cross join lateral ({_NOT_OWED}) n
    where (p.status = 'RETURNED' and e.amount > n.amount and not (p.flow = 'purchase' and f.ended_at is null)
              and not {_PAID_ANEW}
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
_PAID = text(f"select p.id, {_COLUMNS} from payment p {_JOINS} where p.provider_id = :provider_id")
_DISPUTED = text(
    f"""
    select d.id as dispute_id, d.amount, d.reason, d.respond_by, p.id, {_COLUMNS}
    from dispute d join payment p on p.id = d.payment_id
    {_JOINS}
    where d.case_id is null
    order by d.id limit 20 for update of d skip locked
    """
)


async def open_failed_refund(session: AsyncSession, refund: ProviderRefund) -> bool:
    """Opens a case of money that was given back, and that its bank did not take. To the same card it may fail again, so that a
    person looks first. False where its payment is not ours."""
    found = await session.execute(_PAID, {"provider_id": refund.provider_id})
    row = found.mappings().first()
    if row is None:
        return False
    cause = CaseCause.REFUND_REFUSED
    start = await _start_of(session, row, cause, case_id(cause, row["id"], refund.id))
    more = {
        "amount": refund.amount,
        "refund_key": refund.key or f"refund:{refund.id}",
        "for_a_person": True,
        "detail": f"The bank did not take what was paid back: {refund.reason or NO_REASON}.",
    }
    await open_case(session, start.model_copy(update=more))
    return True


async def open_missing(session: AsyncSession) -> int:
    """Opens a case of each debit that came back after something had been sold for it, of each payment that is not what was
    asked for, and of each chargeback, however that became known. A debit that its run had let go of, or that was paid anew,
    was paid for nothing; of one that was to be given back in part, the rest is owed. Of plans what is owed is known once their
    purchase has ended, which it does when it is told of the debit."""
    opened = 0
    for row in (await session.execute(_WITHOUT_CASE)).mappings().all():
        differs = row["differs"] is not None
        cause = CaseCause.AMOUNT_DIFFERS if differs else CaseCause.DEBIT_RETURNED
        start = await _start_of(session, row, cause, case_id(cause, row["id"]))
        more = {
            "amount": None if differs else row["amount"],
            "detail": row["differs"] or row["detail"] or "",
        }
        opened += await open_case(session, start.model_copy(update=more))
    for row in (await session.execute(_DISPUTED)).mappings().all():
        id_ = chargeback_case(row["dispute_id"])
        start = await _start_of(session, row, CaseCause.CHARGEBACK, id_)
        more: dict[str, Any] = {
            "dispute_id": row["dispute_id"],
            "amount": row["amount"],
            "detail": f"The bank gives as its reason: {row['reason'].replace('_', ' ')}.",
        }
        if row["respond_by"] is not None:
            due = max(row["respond_by"] - start.opened_at, SOONEST_DUE)
            more["policy"] = start.policy.model_copy(update={"due": due})
        opened += await open_case(session, start.model_copy(update=more))
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
        site=row["site"] or (await site_of(session, row["partner_code"])).code,
        opened_at=await database_now(session),
    )


def _belongs_to(row: RowMapping) -> BelongsTo:
    flow = PayingFlow(row["flow"])
    more: dict[str, Any] = {"flow": flow, "flow_id": row["flow_id"]}
    match flow:
        case PayingFlow.PLACEMENT:
            if row["order_id"] is None:
                return BelongsTo(kind="cart", id=row["flow_id"], name="Your cart", **more)
            return on_order(row["order_id"], row["number"], row["flow_id"])
        case PayingFlow.PURCHASE:
            return BelongsTo(kind="purchase", id=row["flow_id"], name="Purchase of plans", **more)
        case PayingFlow.INVOICE_PAYMENT:
            return BelongsTo(
                kind="invoice_payment", id=row["flow_id"], name="Payment of invoices", **more
            )
