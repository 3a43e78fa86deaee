"""Each kind of difference by the smallest pair of sides that has it, and none at all over sides that agree."""

from decimal import Decimal

import pytest

from domain.billing.invoice_payment import InvoiceStatus
from domain.billing.payments import PROMISES, PaymentStatus, PaymentType
from domain.billing.reconciliation.differences import SAFE, DifferenceKind
from domain.billing.reconciliation.documents import unknown_posting
from domain.billing.reconciliation.facts import (
    BalanceFacts,
    DocumentFacts,
    ErpOrder,
    MemoFacts,
    OpenInvoice,
    PaymentFacts,
)
from domain.billing.reconciliation.payouts import PayoutFacts, compare_payout, stray_transfer
from domain.billing.reconciliation.sales import compare_cart, unknown_order
from domain.dealers.payouts import Payout, PayoutState, Transfer
from tests.billing.reconciliation.factories import (
    PARTNER,
    ZERO,
    Books,
    a_charge,
    a_payment,
    charged,
    clean_books,
    compared,
)

WHOLE = Decimal("104.99")
PART = Decimal("4.99")
KIND = DifferenceKind


@pytest.mark.parametrize("seed", range(25))
def test_sides_that_agree_have_no_difference(seed: int) -> None:
    assert compared(clean_books(seed)) == []


TAKEN = a_payment("pay_1")
VOIDED = a_payment("pay_1", status=PaymentStatus.VOIDED, captured=ZERO)
HELD = a_payment("pay_1", status=PaymentStatus.AUTHORISED, captured=ZERO)
BACK = a_payment("pay_1", refunded=PART)

PAYMENTS = {
    "nothing there": (PaymentFacts(payment=TAKEN), KIND.PAYMENT_WITHOUT_CHARGE),
    "held here alone": (PaymentFacts(payment=HELD), KIND.PAYMENT_WITHOUT_CHARGE),
    "taken here, held there": (
        charged(TAKEN, status=PaymentStatus.AUTHORISED, captured=ZERO),
        KIND.PAYMENT_WITHOUT_CHARGE,
    ),
    "taken here, let go there": (
        charged(TAKEN, status=PaymentStatus.VOIDED, captured=ZERO),
        KIND.PAYMENT_WITHOUT_CHARGE,
    ),
    "a second charge": (
        PaymentFacts(
            payment=TAKEN,
            charges=(*charged(TAKEN).charges, a_charge("pi_other", WHOLE, TAKEN.id)),
        ),
        KIND.CHARGED_TWICE,
    ),
    "a cent less": (charged(TAKEN, captured=WHOLE - Decimal("0.01")), KIND.AMOUNT_DIFFERS),
    "more": (charged(TAKEN, captured=WHOLE + 1), KIND.AMOUNT_DIFFERS),
    "another currency": (charged(TAKEN, currency="CAD"), KIND.CURRENCY_DIFFERS),
    "another customer": (charged(TAKEN, customer="cus_2"), KIND.CUSTOMER_DIFFERS),
    "void and taken": (
        charged(VOIDED, status=PaymentStatus.CAPTURED, captured=WHOLE),
        KIND.VOIDED_AND_CAPTURED,
    ),
    "void and still held": (
        charged(VOIDED, status=PaymentStatus.AUTHORISED),
        KIND.VOIDED_AND_CAPTURED,
    ),
    "behind": (
        charged(HELD, status=PaymentStatus.CAPTURED, captured=WHOLE),
        KIND.PAYMENT_BEHIND,
    ),
    "a refund there": (charged(TAKEN, refunded=PART), KIND.REFUND_UNKNOWN_HERE),
    "a refund of all there": (
        charged(TAKEN, status=PaymentStatus.REFUNDED, refunded=WHOLE),
        KIND.REFUND_UNKNOWN_HERE,
    ),
    "a refund here": (charged(BACK, refunded=ZERO), KIND.REFUND_UNKNOWN_THERE),
    "a chargeback": (charged(TAKEN, is_disputed=True), KIND.CHARGEBACK_UNHEARD),
    "a return": (charged(TAKEN, status=PaymentStatus.RETURNED), KIND.RETURN_UNHEARD),
}


@pytest.mark.parametrize("case", PAYMENTS)
def test_a_payment_and_its_charge(case: str) -> None:
    facts, kind = PAYMENTS[case]
    assert [one.kind for one in compared(Books(payments=(facts,)))] == [kind]


def test_a_chargeback_that_is_a_case_is_known() -> None:
    known = charged(TAKEN.model_copy(update={"is_dispute_known": True}), is_disputed=True)
    assert compared(Books(payments=(known,))) == []


def test_a_charge_that_nobody_knows_is_one_while_it_stands_for_money() -> None:
    stray = a_charge("pi_9", WHOLE)
    given_back = a_charge("pi_8", WHOLE, refunded=WHOLE, status=PaymentStatus.REFUNDED)
    (found,) = compared(Books(strays=(stray, given_back)))
    assert (found.kind, found.charge_id) == (KIND.CHARGE_WITHOUT_PAYMENT, "pi_9")
    assert found.amount == WHOLE


BOOKS = clean_books(7)
ORDER = next(one for one in BOOKS.orders if not one.is_cancelled)
CANCELLED = next(one for one in BOOKS.orders if one.is_cancelled)
PAID = a_payment("second", ORDER.total)
ORDERS = {
    "no document": ({"document": None}, KIND.ORDER_NOT_IN_ERP),
    "another total there": (
        {"document": ErpOrder(reference="T", number="45", total=ORDER.total + 1)},
        KIND.AMOUNT_DIFFERS,
    ),
    "paid twice": ({"payments": (PAID, *ORDER.payments)}, KIND.CHARGED_TWICE),
    "not paid": ({"payments": ()}, KIND.ORDER_NOT_PAID),
    "paid another amount": (
        {"payments": (a_payment("pay_2", ORDER.total + 1),)},
        KIND.AMOUNT_DIFFERS,
    ),
}


@pytest.mark.parametrize("case", ORDERS)
def test_an_order(case: str) -> None:
    change, kind = ORDERS[case]
    order = ORDER.model_copy(update=change)
    assert [one.kind for one in compared(Books(orders=(order,)))] == [kind]
    running = order.model_copy(update={"is_running": True})
    assert compared(Books(orders=(running,))) == []


def test_an_order_that_is_promised_needs_no_payment() -> None:
    promised = ORDER.model_copy(update={"payments": (), "is_promised": True})
    assert compared(Books(orders=(promised,))) == []


@pytest.mark.parametrize("total", [ORDER.total, ORDER.total + 1])
@pytest.mark.parametrize("type_", PaymentType)
def test_an_order_that_is_promised_and_was_charged_as_well(
    type_: PaymentType, total: Decimal
) -> None:
    """By a card that was chosen first, and left. Orders from before kept a payment of the promise itself."""
    left = a_payment("left", total, type=type_)
    promised = ORDER.model_copy(update={"payments": (left,), "is_promised": True})
    found = [one.kind for one in compared(Books(orders=(promised,)))]
    if type_ not in PROMISES:
        assert found == [KIND.CHARGED_TWICE]
    elif total == ORDER.total:
        assert found == []
    over = a_payment("over", total, type=type_, status=PaymentStatus.VOIDED, captured=ZERO)
    let_go = promised.model_copy(update={"payments": (over,)})
    assert compared(Books(orders=(let_go,))) == []


def test_an_order_that_is_cancelled_here_and_not_at_the_erp() -> None:
    for total in (CANCELLED.total, CANCELLED.total + 1):
        alive = ErpOrder(reference=CANCELLED.number, number="45", total=total)
        order = CANCELLED.model_copy(update={"document": alive, "has_case": True})
        assert [one.kind for one in compared(Books(orders=(order,)))] == [KIND.ORDER_ALIVE_IN_ERP]


def test_an_order_that_is_cancelled_at_the_erp_and_not_here() -> None:
    assert ORDER.document is not None
    part = ORDER.document.model_copy(update={"withdrawn": ("SH-1",)})
    whole = ORDER.document.model_copy(update={"is_cancelled": True})
    for document, there in ((part, "SH-1 cancelled"), (whole, "cancelled")):
        order = ORDER.model_copy(update={"document": document})
        (found,) = compared(Books(orders=(order,)))
        assert (found.kind, found.there) == (KIND.ORDER_CANCELLED_IN_ERP, there)
        assert found.is_safe
    known = ORDER.model_copy(update={"document": part, "withdrawn": frozenset({"SH-1"})})
    assert compared(Books(orders=(known,))) == []


def test_what_is_kept_for_an_order_that_is_not_there() -> None:
    kept = CANCELLED.model_copy(update={"payments": (PAID,)})
    assert [one.kind for one in compared(Books(orders=(kept,)))] == [KIND.PAYMENT_WITHOUT_ORDER]
    assert [one.kind for one in compare_cart(PAID)] == [KIND.PAYMENT_WITHOUT_ORDER]
    assert list(compare_cart(PAID.model_copy(update={"is_running": True}))) == []
    assert list(compare_cart(VOIDED)) == []
    document = ErpOrder(reference="T-9", number="459", total=WHOLE)
    assert unknown_order(document).kind is KIND.ERP_ORDER_UNKNOWN


BOUGHT = next(one for one in BOOKS.purchases if one.plans)
PURCHASES = {
    "nothing paid": ({"payments": ()}, KIND.PLAN_WITHOUT_PAYMENT),
    "no plan": ({"plans": 0}, KIND.PAYMENT_WITHOUT_PLAN),
    "paid twice": (
        {"payments": (*BOUGHT.payments, a_payment("pay_2", WHOLE))},
        KIND.CHARGED_TWICE,
    ),
    "another amount": ({"charged": BOUGHT.payments[0].kept + 1}, KIND.AMOUNT_DIFFERS),
}


@pytest.mark.parametrize("case", PURCHASES)
def test_a_purchase_of_plans(case: str) -> None:
    change, kind = PURCHASES[case]
    bought = BOUGHT.model_copy(update=change)
    assert [one.kind for one in compared(Books(purchases=(bought,)))] == [kind]


PAYING = next(
    one
    for one in BOOKS.invoice_payments
    if one.allocations[0].status is InvoiceStatus.POSTED and one.allocations[0].applied > 0
)
POSTED = PAYING.allocations[0]
TWICE = POSTED.postings * 2
OTHER = (POSTED.postings[0].model_copy(update={"amount": POSTED.charged + 1}),)
ALLOCATIONS = {
    "not posted": ({"postings": ()}, KIND.POSTING_MISSING),
    "posted twice": ({"postings": TWICE}, KIND.POSTING_DOUBLED),
    "booked twice": ({"noted": 2}, KIND.POSTING_DOUBLED),
    "another amount": ({"postings": OTHER}, KIND.AMOUNT_DIFFERS),
    "memos unlike their parts": ({"from_memos": ZERO}, KIND.ALLOCATIONS_DIFFER),
}


@pytest.mark.parametrize("case", ALLOCATIONS)
def test_a_payment_of_invoices(case: str) -> None:
    change, kind = ALLOCATIONS[case]
    parts = (POSTED.model_copy(update=change), *PAYING.allocations[1:])
    paying = PAYING.model_copy(update={"allocations": parts})
    (found,) = compared(Books(invoice_payments=(paying,)))
    assert found.kind is kind
    assert [one.kind for one in found.about] == ["invoice_payment", "invoice"]


def test_allocations_and_postings_that_no_charge_stands_for() -> None:
    parts = PAYING.allocations[1:]
    for change, kind in (
        ({"charged": PAYING.charged + 1}, KIND.ALLOCATIONS_DIFFER),
        ({"allocations": parts}, KIND.ALLOCATIONS_DIFFER),
        ({"payments": ()}, KIND.ALLOCATIONS_DIFFER),
    ):
        paying = PAYING.model_copy(update=change)
        assert [one.kind for one in compared(Books(invoice_payments=(paying,)))] == [kind]
    assert unknown_posting(POSTED.postings[0]).kind is KIND.POSTING_UNKNOWN


def test_a_document_that_is_not_mirrored_as_it_is() -> None:
    document = DocumentFacts(
        kind="invoice", number="INV-1", partner_code=PARTNER, version=3, total=WHOLE
    )
    cases = {
        (None, None): [KIND.INVOICE_NOT_MIRRORED],
        (2, WHOLE): [KIND.INVOICE_NOT_MIRRORED],
        (3, PART): [KIND.AMOUNT_DIFFERS],
        (3, WHOLE): [],
        (4, PART): [],
    }
    for (version, total), kinds in cases.items():
        told = document.model_copy(update={"mirrored": version, "mirrored_total": total})
        assert [one.kind for one in compared(Books(documents=(told,)))] == kinds


@pytest.mark.parametrize("figure", ["applied", "entries", "posted"])
def test_more_of_a_memo_than_it_is_worth(figure: str) -> None:
    memo = MemoFacts(number="CM-1", partner_code=PARTNER, total=PART, applied=PART)
    over = memo.model_copy(update={figure: WHOLE})
    assert [one.kind for one in compared(Books(memos=(over,)))] == [KIND.MEMO_OVERAPPLIED]


def test_a_balance_unlike_its_open_documents() -> None:
    here = (OpenInvoice(number="INV-1", amount=WHOLE),)
    there = (OpenInvoice(number="INV-1", amount=PART),)
    elsewhere = OpenInvoice(number="INV-2", amount=PART)
    for balance, shown, told, is_found in (
        (WHOLE, here, here, False),
        (WHOLE + 1, here, here, True),
        (PART, here, there, True),
        (ZERO, here, (), True),
        (WHOLE + PART, here, (*here, elsewhere), False),
    ):
        facts = BalanceFacts(
            partner_code=PARTNER, balance=balance, open_here=shown, open_there=told
        )
        assert bool(compared(Books(balances=(facts,)))) is is_found, balance


def test_a_difference_is_the_same_one_while_its_figures_are() -> None:
    first, again, other = (
        compared(Books(payments=(charged(TAKEN, refunded=amount),)))[0]
        for amount in (PART, PART, WHOLE)
    )
    assert first.id == again.id != other.id
    assert first.is_safe
    assert {KIND.VOIDED_AND_CAPTURED, KIND.CHARGED_TWICE}.isdisjoint(SAFE)


def test_a_payout_and_its_transfers() -> None:
    paid = Payout(
        dealer_id="d", month="2026-10", amount=PART, state=PayoutState.PAID, transfer_id="tr_1"
    )
    sent = Transfer(id="tr_1", account_id="acct_1", amount=PART, payout_id=paid.id, attempt=1)
    back, twice = sent.model_copy(update={"reversed": PART}), sent.model_copy(update={"id": "tr_2"})
    cases = (
        (PayoutState.PAID, (sent,), None),
        (PayoutState.PAID, (), KIND.TRANSFER_UNKNOWN_THERE),
        (PayoutState.PAID, (back,), KIND.TRANSFER_DIFFERS),
        (PayoutState.PAID, (sent, twice), KIND.TRANSFER_DIFFERS),
        (PayoutState.PAID, (sent.model_copy(update={"currency": "CAD"}),), KIND.TRANSFER_DIFFERS),
        (PayoutState.PAYING, (), None),
        (PayoutState.PAYING, (sent,), None),
        (PayoutState.REFUSED, (), None),
        (PayoutState.REFUSED, (sent,), KIND.TRANSFER_DIFFERS),
        (PayoutState.RETURNED, (back,), None),
        (PayoutState.WAITING, (sent,), KIND.TRANSFER_DIFFERS),
    )
    for state, transfers, kind in cases:
        payout = paid.model_copy(update={"state": state})
        found = compare_payout(PayoutFacts(payout=payout, transfers=transfers))
        assert [one.kind for one in found] == ([kind] if kind else []), (state, transfers)
    assert [one.kind for one in stray_transfer(sent)] == [KIND.TRANSFER_UNKNOWN_HERE]
    assert list(stray_transfer(back)) == []
