"""Invents the ERP's invoices and credit memos of the invented orders: each invoice that an order names, the same on
every machine but for their age. Of 100, 10 are open, 5 past due and 3 part paid, whatever the day; the others are paid.

What is open and older than thirty days was sold on the longer terms of a season.

The businesses of the money stories (`MoneyStory`) have documents that tell their story and nothing else.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum
from hashlib import sha256
from random import Random
from zoneinfo import ZoneInfo

from db.demo.orders import DemoOrder
from domain.billing.invoices.documents import (
    NOTHING,
    CreditMemo,
    DocumentLine,
    EarlyPay,
    Invoice,
    Settled,
)
from domain.billing.payments import PaymentType
from domain.money import to_cents

DEMO_MEMOS = 130
SEED = 20_260_303
NET_DAYS = 30
YEAR = 365
STORY_DAYS = 5
EARLY = EarlyPay(number_of_days=10, percent=Decimal(2))
SECOND_TIER = EarlyPay(number_of_days=20, percent=Decimal(1))
OPEN, PAST_DUE, PART_PAID = Decimal("0.10"), Decimal("0.05"), Decimal("0.03")
"""Shares of all. Of the open ones nothing is paid, and none is due yet."""
DEMO_ZONE = ZoneInfo("America/Toronto")
_REASONS = ("Returned goods", "Damaged in transit", "Wrong price", "Pieces missing")


class MoneyStory(StrEnum):
    """A business whose documents tell one thing."""

    AT_LIMIT = "at limit"
    PAST_DUE = "three past due"
    LAST_DAY = "discount ending today"
    TWO_TIERS = "two tiers"
    RETURNED = "debit returned last night"


MONEY_STORIES = {
    "N1040": MoneyStory.AT_LIMIT,
    "N1041": MoneyStory.PAST_DUE,
    "N1042": MoneyStory.LAST_DAY,
    "N1044": MoneyStory.TWO_TIERS,
    "N1039": MoneyStory.RETURNED,
}
"""By the code of the business."""


@dataclass(frozen=True)
class Documents:
    invoices: tuple[Invoice, ...]
    memos: tuple[CreditMemo, ...]


def demo_documents(orders: Iterable[DemoOrder], numbers: dict[str, str], today: date) -> Documents:
    """Of the orders that were invoiced, in their order. `numbers` are those of the orders by their ids."""
    chance = Random(SEED)
    issued = [
        _issued(order, numbers[order.id]) for order in orders if order.past.invoiced_at is not None
    ]
    with_stories = _stories(issued, today)
    with_stories |= _owed(chance, issued, list(with_stories.values()), today)
    by_partner: dict[str, list[Invoice]] = defaultdict(list)
    for one in issued:
        by_partner[one.partner_code].append(
            with_stories.get(one.number) or _paid(chance, one, today)
        )
    memos = _memos(chance, by_partner, today)
    return Documents(
        tuple(invoice for some in by_partner.values() for invoice in some), tuple(memos)
    )


def credit_limits(documents: Documents) -> dict[str, Decimal]:
    """By the code of the business: a limit that leaves room, but for the one at its limit."""
    owed: dict[str, Decimal] = defaultdict(Decimal)
    for invoice in documents.invoices:
        owed[invoice.partner_code] += invoice.balance
    for memo in documents.memos:
        owed[memo.partner_code] -= memo.balance
    step = Decimal(5_000)
    return {
        code: max(balance, Decimal(1))
        if MONEY_STORIES.get(code) is MoneyStory.AT_LIMIT
        else (balance * 2 // step + 4) * step
        for code, balance in owed.items()
    }


def _issued(order: DemoOrder, number: str) -> Invoice:
    """As it was issued, with nothing paid."""
    new, past = order.new, order.past
    assert past.invoiced_at is not None
    day = past.invoiced_at.astimezone(DEMO_ZONE).date()
    is_on_terms = new.payment_type is PaymentType.TERMS
    early = (EARLY,) if is_on_terms and _pays_early(new.partner_code) else ()
    return Invoice(
        number=f"INV-{order.erp_number}",
        partner_code=new.partner_code,
        version=1,
        order_number=number,
        order_token=new.token,
        po_number=new.po_number,
        shipment_number=f"SH-{order.erp_number}-1",
        create_date=day,
        due_date=day + timedelta(days=NET_DAYS if is_on_terms else 0),
        subtotal=new.subtotal,
        freight=new.freight,
        tax=new.tax,
        total=new.total,
        paid=NOTHING,
        payoff=new.total - (_saved(new.subtotal) if early else NOTHING),
        early_pay=early,
        lines=tuple(
            DocumentLine(
                sku=line.sku,
                name=line.name[:120],
                quantity=line.quantity,
                unit_price=line.unit_price,
                total=line.total,
            )
            for line in new.lines
        ),
    )


def _pays_early(code: str) -> bool:
    """A fifth of the businesses on terms: 15 of 100 in all."""
    return int(sha256(code.encode()).hexdigest()[2:4], 16) < 51


def _saved(subtotal: Decimal) -> Decimal:
    return to_cents(subtotal * EARLY.percent / 100)


def _stories(issued: Sequence[Invoice], today: date) -> dict[str, Invoice]:
    """By number, all of the businesses of the money stories."""
    with_stories: dict[str, Invoice] = {}
    for code, story in MONEY_STORIES.items():
        if own := [one for one in issued if one.partner_code == code]:
            with_stories |= {one.number: one for one in _with_story(story, own, today)}
    return with_stories


def _owed(
    chance: Random, issued: Sequence[Invoice], with_stories: Sequence[Invoice], today: date
) -> dict[str, Invoice]:
    """By number, what of the others is not paid, on terms and of the last year: with what is told already as many as there
    are to be. The open ones are among the newest."""
    unpaid = [one for one in with_stories if one.balance]
    late = sum(one.due_date < today for one in unpaid)
    could_be = [
        one
        for one in reversed(issued)
        if one.partner_code not in MONEY_STORIES
        and one.due_date > one.create_date
        and _age(one, today) <= YEAR
    ]
    owed: dict[str, Invoice] = {}

    def some(wanted: int, among: Sequence[Invoice]) -> list[Invoice]:
        return chance.sample(among, min(max(wanted, 0), len(among)))

    def left(days: int) -> list[Invoice]:
        return [one for one in could_be if one.number not in owed and _age(one, today) > days]

    for one in some(round(len(issued) * PAST_DUE) - late, left(NET_DAYS)):
        owed[one.number] = one
    for one in some(round(len(issued) * PART_PAID), left(NET_DAYS)):
        amount = to_cents(one.total * chance.randrange(20, 80) / 100)
        owed[one.number] = _part_paid(one, amount, today)
    still_open = round(len(issued) * OPEN) - (len(unpaid) - late)
    for one in some(still_open, left(-1)[: still_open * 5 // 4]):
        owed[one.number] = _due_later(one, today)
    return owed


def _age(invoice: Invoice, today: date) -> int:
    return (today - invoice.create_date).days


def _due_later(invoice: Invoice, today: date) -> Invoice:
    """After so many months of thirty days that it is not due yet."""
    months = _age(invoice, today) // NET_DAYS + 1
    return invoice.model_copy(
        update={"due_date": invoice.create_date + timedelta(days=NET_DAYS * months)}
    )


def _paid(chance: Random, invoice: Invoice, today: date) -> Invoice:
    """What is not on terms is paid at once."""
    after = chance.randrange(2, NET_DAYS) if invoice.due_date > invoice.create_date else 0
    return _settled(invoice, min(invoice.create_date + timedelta(days=after), today))


def _settled(invoice: Invoice, on: date) -> Invoice:
    """In full; within the days of its discount less that, which the ERP books beside the payment."""
    within = invoice.early_pay and (on - invoice.create_date).days <= EARLY.number_of_days
    saved = invoice.total - invoice.payoff if within else NOTHING
    parts = [_payment(invoice, on, invoice.total - saved)]
    if saved:
        parts.append(parts[0].model_copy(update={"kind": "discount", "amount": saved}))
    return _changed(invoice, paid=invoice.total, payoff=NOTHING, settled_with=tuple(parts))


def _part_paid(invoice: Invoice, amount: Decimal, today: date) -> Invoice:
    on = min(invoice.due_date, today)
    return _changed(
        invoice,
        paid=amount,
        payoff=invoice.total - amount,
        settled_with=(_payment(invoice, on, amount),),
    )


def _payment(invoice: Invoice, on: date, amount: Decimal, kind: str = "payment") -> Settled:
    return Settled(on=on, kind=kind, number=f"P-{invoice.number[4:]}", amount=amount)


def _changed(invoice: Invoice, **values: object) -> Invoice:
    return invoice.model_copy(update={**values, "version": invoice.version + 1})


def _with_story(story: MoneyStory, invoices: Sequence[Invoice], today: date) -> list[Invoice]:
    """The invoices of one business, the oldest first, changed so that the last ones that are old enough for what has happened
    to them tell its story."""
    open_count = 3 if story is MoneyStory.PAST_DUE else 2 if story is MoneyStory.AT_LIMIT else 1
    fresh = [
        _plain(_changed(one, paid=NOTHING, payoff=one.total, settled_with=())) for one in invoices
    ]
    old = [one for one in fresh if _age(one, today) >= STORY_DAYS]
    last = old[-open_count:]
    paid = [_settled(one, min(one.due_date, today)) for one in fresh if one not in last]
    return [*paid, *(_apply_story(story, one, n, today) for n, one in enumerate(last))]


def _plain(invoice: Invoice) -> Invoice:
    """Without a discount."""
    return invoice.model_copy(update={"early_pay": (), "payoff": invoice.total})


def _apply_story(story: MoneyStory, invoice: Invoice, place: int, today: date) -> Invoice:
    age = _age(invoice, today)
    payoff = invoice.total - _saved(invoice.subtotal)
    later = max(invoice.create_date + timedelta(days=NET_DAYS), today + timedelta(days=7))
    match story:
        case MoneyStory.PAST_DUE:
            due = max(invoice.create_date, today - timedelta(days=(12, 45, 100)[place]))
            return _changed(invoice, due_date=min(due, today - timedelta(days=1)))
        case MoneyStory.AT_LIMIT:
            return _changed(invoice, due_date=later)
        case MoneyStory.LAST_DAY:
            early = (EarlyPay(number_of_days=age, percent=EARLY.percent),)
            return _changed(invoice, due_date=later, early_pay=early, payoff=payoff)
        case MoneyStory.TWO_TIERS:
            first = EarlyPay(number_of_days=age + 5, percent=EARLY.percent)
            second = EarlyPay(number_of_days=age + 15, percent=SECOND_TIER.percent)
            return _changed(invoice, due_date=later, early_pay=(first, second), payoff=payoff)
        case MoneyStory.RETURNED:
            night = today - timedelta(days=1)
            paid = _payment(invoice, night - timedelta(days=3), invoice.total)
            back = _payment(invoice, night, invoice.total, "returned_payment")
            return _changed(invoice, due_date=later, settled_with=(paid, back))


def _memos(chance: Random, by_partner: dict[str, list[Invoice]], today: date) -> list[CreditMemo]:
    """One in so many older invoices was credited in part. Two of three memos were applied to a later invoice, of which
    they paid a part; the others can still be."""
    old = [
        (code, place)
        for code, invoices in by_partner.items()
        if code not in MONEY_STORIES
        for place, invoice in enumerate(invoices)
        if _age(invoice, today) > NET_DAYS
    ]
    chosen = sorted(chance.sample(old, min(DEMO_MEMOS, len(old))))
    memos: list[CreditMemo] = []
    used: set[str] = set()
    for code, place in chosen:
        credited = by_partner[code][place]
        memo = CreditMemo(
            number=f"CM-{credited.number[4:]}",
            partner_code=code,
            version=1,
            invoice_number=credited.number,
            reason=chance.choice(_REASONS),
            create_date=credited.create_date + timedelta(days=chance.randrange(5, NET_DAYS)),
            total=credited.lines[0].total,
            applied=NOTHING,
        )
        target = _target(by_partner[code], memo, used) if chance.random() < 0.66 else None
        if target is not None:
            used.add(by_partner[code][target].number)
            memo, by_partner[code][target] = _applied(memo, by_partner[code][target])
        memos.append(memo)
    return memos


def _target(invoices: Sequence[Invoice], memo: CreditMemo, used: set[str]) -> int | None:
    """The first invoice after the memo that one payment settled and that is worth more."""
    return next(
        (
            place
            for place, one in enumerate(invoices)
            if one.create_date >= memo.create_date
            and [part.kind for part in one.settled_with] == ["payment"]
            and one.paid == one.total > memo.total
            and one.number not in used
        ),
        None,
    )


def _applied(memo: CreditMemo, invoice: Invoice) -> tuple[CreditMemo, Invoice]:
    (payment,) = invoice.settled_with
    rest = payment.model_copy(update={"amount": payment.amount - memo.total})
    part = Settled(on=payment.on, kind="credit_memo", number=memo.number, amount=memo.total)
    gone = Settled(on=payment.on, kind="invoice", number=invoice.number, amount=memo.total)
    settled_memo = {"version": 2, "applied": memo.total, "applied_to": (gone,)}
    return memo.model_copy(update=settled_memo), _changed(invoice, settled_with=(part, rest))
