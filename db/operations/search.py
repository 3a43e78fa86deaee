"""Looks up what an operator's word names, and what a run is about: each kind by an index of its own."""

from collections.abc import Sequence
from itertools import chain
from types import SimpleNamespace
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from domain.operations.operations import Run
from domain.operations.search import RunsAbout, SearchResult, Thing

MOST = 5
"""Things of one kind that are shown: a word that names more is too short."""
MOST_RUNS = 200
"""Runs that one device, order or invoice is looked for in."""

_DEVICES = """
    select r.device_key, r.flow_id from device_reservation r where r.device_key in (:word, upper(:word))
    union
    select f.device_key, f.id from flow f where f.device_key in (:word, upper(:word))
    union
    select f.view #>> '{facts,replaced,old_device_key}', f.id from flow f
    where f.kind = 'activation' and f.view #>> '{facts,replaced,old_device_key}' in (:word, upper(:word))
    limit :most_runs
"""
_SUBSCRIBED = """
    select device_key from subscription where device_key in (:word, upper(:word)) limit 1
"""
_SWAPPED = """
    select a.object_id as old_device_key, a.more ->> 'new_device_key' as new_device_key from audit a
    where a.object_kind = 'device' and a.object_id in (:word, upper(:word)) and a.outcome = 'done'
        and a.more ->> 'new_device_key' is not null
    order by a.at desc limit :most
"""
"""Outside an activation a swap leaves its entry in the record alone."""
_ORDERS = """
    select o.id, o.number, o.po_number, o.workflow_id, p.company_name
    from shop_order o join partner p on p.sap_bp_code = o.partner_code
    where o.number in (upper(:word), 'T-' || :word) or o.po_number = :word
    order by o.created_at desc limit :most
"""
_ORDER_OF = """
    select o.id, o.number, o.po_number, o.workflow_id, p.company_name
    from shop_order o join partner p on p.sap_bp_code = o.partner_code
    where o.token = split_part(:id, '~', 1)
"""
_ORDER = """
    select o.id, o.number, o.po_number, o.workflow_id, p.company_name
    from shop_order o join partner p on p.sap_bp_code = o.partner_code where o.id = :id
"""
_CASES = """
    select c.id from shop_order o join money_case c on c.belongs_kind = 'order' and c.belongs_id = o.id
    where o.number in (upper(:word), 'T-' || :word) or o.po_number = :word
    union
    select c.id from shop_order o join money_case c on c.belongs_kind = 'cart' and c.belongs_id = o.token
    where o.number in (upper(:word), 'T-' || :word) or o.po_number = :word
    union
    select c.id from money_case c
    where c.belongs_kind in ('purchase', 'invoice_payment') and c.belongs_id = :word
    union
    select c.id from invoice_allocation a
    join money_case c on c.belongs_kind = 'invoice_payment' and c.belongs_id = a.payment_id
    where a.invoice_number in (:word, upper(:word))
    union
    select c.id from money_case c where c.payment_id = :word
    limit :most_runs
"""
_STANDS_ON = "select belongs_kind as kind, belongs_id as id from money_case where id = :id"
_RECEIPTS = "select uuid from receipt where uuid = :word"
_INVOICES = """
    select i.number, p.company_name, a.payment_id
    from invoice i left join partner p on p.sap_bp_code = i.partner_code
    left join invoice_allocation a on a.invoice_number = i.number
    where i.number in (:word, upper(:word)) limit :most_runs
"""
_PEOPLE = """
    select id, email, first_name || ' ' || last_name as name from person
    where email = lower(:word) or lower(last_name) = any(:endings)
        and lower(:word) in (lower(last_name), lower(first_name || ' ' || last_name))
    order by email limit :most
"""
_PERSON = "select email, first_name || ' ' || last_name as name from person where id = :id"
_PAID = """
    select invoice_number as number from invoice_allocation where payment_id = :id order by 1 limit 20
"""
_BUSINESS = "select sap_bp_code, company_name from partner where sap_bp_code = :code"
_BUSINESSES = r"""
    select p.sap_bp_code, p.company_name, d.id as dealer_id
    from partner p left join dealer d on d.partner_id = p.id
    where p.sap_bp_code = upper(:word)
        or lower(p.company_name) like regexp_replace(lower(:word), '([\\%_])', '\\\1', 'g') || '%'
    order by lower(p.company_name), p.id limit :most
"""


_LOOKED = "select " + ", ".join(
    f"(select coalesce(jsonb_agg(to_jsonb(x)), '[]') from ({statement}) x) as {name}"
    for name, statement in {
        "held": _DEVICES,
        "subscribed": _SUBSCRIBED,
        "swapped": _SWAPPED,
        "orders": _ORDERS,
        "cases": _CASES,
        "receipts": _RECEIPTS,
        "invoices": _INVOICES,
        "people": _PEOPLE,
        "businesses": _BUSINESSES,
    }.items()
)


async def find_things(session: AsyncSession, word: str) -> SearchResult:
    """What the word names, whole but for case: a serial number (also one that was replaced, with what came in its
    place), an order, PO or invoice number, a receipt, and cases of these, a person's address or (last) name, a
    business's code; or how a business's name begins. Besides, a run or its workflow. One statement: a list that is
    narrowed by a word asks this each time."""
    asked = {"word": word, "most": MOST, "most_runs": MOST_RUNS, "endings": _endings(word)}
    (row,) = await _rows(session, _LOOKED, **asked)
    held, subscribed, swapped, orders, cases, receipts, invoices, people, businesses = (
        [SimpleNamespace(**one) for one in found] for found in row
    )
    pairs = [(row.old_device_key, row.new_device_key) for row in swapped]
    keys = [*(row.device_key for row in (*held, *subscribed)), *chain.from_iterable(pairs)]
    devices = tuple(sorted(set(keys)))
    companies = {row.number: row.company_name for row in invoices}
    return SearchResult(
        things=(
            *(Thing(kind="device", id=key, name=key) for key in devices),
            *map(_order, orders),
            *(Thing(kind="receipt", id=row.uuid, name=row.uuid) for row in receipts),
            *(Thing(kind="invoice", id=no, name=no, note=of) for no, of in companies.items()),
            *map(_person, people),
            *map(_business, businesses),
        ),
        about=RunsAbout(
            runs=(
                word,
                *(row.flow_id for row in held),
                *(row.id for row in cases),
                *(row.uuid for row in receipts),
                *(row.payment_id for row in invoices if row.payment_id),
            ),
            workflows=(word, *(row.workflow_id for row in orders if row.workflow_id)),
            devices=devices,
            people=tuple(row.id for row in people),
            dealers=tuple(row.dealer_id for row in businesses if row.dealer_id),
            partners=tuple(row.sap_bp_code for row in businesses),
        ),
    )


async def things_of(session: AsyncSession, run: Run) -> tuple[Thing, ...]:
    """What the run is about: its device, its order or receipt, or those of what a case stands on; who runs it, and for which
    business."""
    kind, id_ = run.kind, run.id
    if kind == "case":
        kind, id_ = next(
            ((one.kind, one.id) for one in await _rows(session, _STANDS_ON, id=id_)), ("", "")
        )
    ordered = {"placement": _ORDER_OF, "cart": _ORDER_OF, "order": _ORDER}.get(kind)
    orders = await _rows(session, ordered, id=id_) if ordered else ()
    receipts = await _rows(session, _RECEIPTS, word=id_) if kind == "purchase" else ()
    invoices = await _rows(session, _PAID, id=id_) if kind == "invoice_payment" else ()
    people = await _rows(session, _PERSON, id=run.owner_id) if run.owner_id else ()
    businesses = await _rows(session, _BUSINESS, code=run.partner) if run.partner else ()
    device = (
        (Thing(kind="device", id=run.device_key, name=run.device_key),) if run.device_key else ()
    )
    return (
        *device,
        *map(_order, orders),
        *(Thing(kind="receipt", id=row.uuid, name=row.uuid) for row in receipts),
        *(Thing(kind="invoice", id=row.number, name=row.number) for row in invoices),
        *map(_person, people),
        *map(_business, businesses),
    )


def _endings(name: str) -> list[str]:
    """Each may be the last name of whoever is called so."""
    words = name.lower().split()
    return [" ".join(words[start:]) for start in range(len(words))]


def _order(row: Any) -> Thing:
    po_number = f"PO {row.po_number}" if row.po_number else None
    note = ", ".join(filter(None, [po_number, row.company_name]))
    return Thing(kind="order", id=row.id, name=row.number, note=note)


def _person(row: Any) -> Thing:
    return Thing(kind="person", id=row.email, name=row.name, note=row.email)


def _business(row: Any) -> Thing:
    return Thing(kind="business", id=row.sap_bp_code, name=row.company_name, note=row.sap_bp_code)


async def _rows(
    session: AsyncSession, statement: str, **values: str | int | list[str]
) -> Sequence[Any]:
    return (await session.execute(text(statement), values)).all()
