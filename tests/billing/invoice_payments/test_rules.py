"""What a payment of invoices comes to, to the cent (shop spec 4; rulings "Money and devices")."""

import random
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from domain.billing.invoice_allocation import (
    MOST_INVOICES,
    AllocationRequest,
    DocumentRequest,
    Holder,
    InvoicesRefused,
    PaymentPlan,
    is_planned,
    planned,
)
from domain.billing.invoice_payment import (
    TEXTS,
    InvoicePaymentResume,
    InvoicePaymentTypeRefused,
    InvoicePaymentView,
    InvoiceStatus,
    check_type,
    mail_text,
    plan_hash,
)
from domain.billing.invoices.documents import CreditMemo, DocumentMissing, EarlyPay, Invoice
from domain.billing.payments import PayingFlow, PaymentRequest, PaymentType
from domain.errors import Invalid
from domain.letters.language import Language
from domain.letters.text import reread
from tests.billing.invoice_payments.factories import a_line, a_view
from tests.billing.invoices.factories import ISSUED, a_memo, an_invoice

IN_TIME = ISSUED + timedelta(days=10)
LATE = ISSUED + timedelta(days=11)
HELD = Holder(payment_id="p-2", by="Ina", since=datetime(2026, 11, 25, 9, 30, tzinfo=UTC))


def a_plan(
    *paid: tuple[Invoice, str],
    memos: tuple[tuple[CreditMemo, str], ...] = (),
    on: date = IN_TIME,
    held: dict[str, Holder] | None = None,
) -> PaymentPlan:
    request = AllocationRequest(
        invoices=tuple(
            DocumentRequest(number=one.number, amount=Decimal(much)) for one, much in paid
        ),
        memos=tuple(
            DocumentRequest(number=one.number, amount=Decimal(much)) for one, much in memos
        ),
    )
    invoices = {one.number: one for one, _ in paid}
    return planned(request, invoices, {one.number: one for one, _ in memos}, on, held)


def test_the_discount_is_granted_through_its_last_day_and_to_who_settles() -> None:
    invoice = an_invoice("N1")
    within_deadline = a_plan((invoice, "98.00"))
    assert (within_deadline.charged, within_deadline.discount) == (
        Decimal("98.00"),
        Decimal("2.00"),
    )
    assert within_deadline.allocations[0].settles
    assert within_deadline.allocations[0].discount_day == IN_TIME
    late = a_plan((invoice, "98.00"), on=LATE)
    assert (late.charged, late.discount) == (Decimal("98.00"), Decimal("0.00"))
    assert not late.allocations[0].settles


def test_a_discount_ends_with_its_last_day_in_the_zone_of_the_site() -> None:
    zone = ZoneInfo("America/Toronto")
    ends = a_plan((an_invoice("N1"), "98.00")).discount_ends_at(zone)
    assert ends is not None
    assert ends == datetime(2026, 11, 13, 5, 0, tzinfo=UTC)
    assert (ends - timedelta(seconds=1)).astimezone(zone).date() == IN_TIME
    assert ends.astimezone(zone).date() == LATE
    assert a_plan((an_invoice("N1"), "50.00")).discount_ends_at(zone) is None


def test_who_pays_all_that_is_open_is_charged_the_payoff_amount() -> None:
    plan = a_plan((an_invoice("N1"), "100.00"))
    assert plan.allocations[0].clears == Decimal("100.00")
    assert plan.charged == Decimal("98.00")


def test_a_part_gets_no_discount_and_leaves_it_for_the_rest() -> None:
    part = a_plan((an_invoice("N1"), "50.00"))
    assert (part.charged, part.discount) == (Decimal("50.00"), Decimal("0.00"))
    rest = an_invoice("N1", paid=Decimal(50), payoff=Decimal(48))
    assert a_plan((rest, "48.00")).discount == Decimal("2.00")


def test_the_first_entry_alone_counts() -> None:
    entries = (EarlyPay(number_of_days=1), EarlyPay(number_of_days=30))
    invoice = an_invoice("N1", early_pay=entries)
    assert a_plan((invoice, "100.00"), on=ISSUED + timedelta(days=2)).charged == Decimal("100.00")


def test_money_and_memos_settle_together() -> None:
    plan = a_plan((an_invoice("N1"), "98.00"), memos=((a_memo("N1"), "30.00"),))
    one = plan.allocations[0]
    assert (one.charged, one.from_memos, one.discount) == tuple(
        map(Decimal, ("68.00", "30.00", "2.00"))
    )


def test_a_memo_larger_than_the_invoice_is_taken_as_far_as_needed() -> None:
    memo = a_memo("N1", "250.00")
    plan = a_plan((an_invoice("N1"), "98.00"), memos=((memo, "250.00"),))
    assert (plan.charged, plan.applied, plan.discount) == tuple(
        map(Decimal, ("0.00", "98.00", "2.00"))
    )


def test_memos_go_on_to_the_next_invoice() -> None:
    first, second = an_invoice("N1", "10.00", early_pay=()), an_invoice("N1", "50.00", early_pay=())
    memo = a_memo("N1", "30.00")
    plan = a_plan((first, "10.00"), (second, "50.00"), memos=((memo, "30.00"),))
    assert [one.from_memos for one in plan.allocations] == [Decimal("10.00"), Decimal("20.00")]
    assert plan.charged == Decimal("30.00")


def test_a_plan_is_of_the_request_that_comes_to_the_same_from_the_same_memos() -> None:
    first, second = an_invoice("N1"), an_invoice("N1")
    large, small = a_memo("N1", "130.00"), a_memo("N1", "30.00")
    plan = a_plan(
        (first, "100.00"), (second, "100.00"), memos=((large, "130.00"), (small, "30.00"))
    )
    invoices = tuple(
        DocumentRequest(number=one.number, amount=one.total) for one in (first, second)
    )
    memos = tuple(DocumentRequest(number=one.number, amount=one.total) for one in (large, small))
    assert is_planned(AllocationRequest(invoices=invoices, memos=memos), plan)
    for other in (
        AllocationRequest(invoices=invoices),
        AllocationRequest(invoices=invoices, memos=memos[:1]),
        AllocationRequest(invoices=invoices, memos=memos[::-1]),
        AllocationRequest(invoices=invoices[:1], memos=memos),
    ):
        assert not is_planned(other, plan)


@pytest.mark.parametrize("seed", range(500))
def test_promise_20_whatever_is_paid_adds_up(seed: int) -> None:
    dice = random.Random(seed)
    invoices = [
        an_invoice("N1", str(Decimal(dice.randint(1, 99_999)) / 100), payoff=Decimal(0))
        for _ in range(dice.randint(1, 40))
    ]
    invoices = [
        one.model_copy(
            update={"payoff": (one.total * dice.randint(90, 100) / 100).quantize(Decimal("0.01"))}
        )
        for one in invoices
    ]
    memos = [
        a_memo("N1", str(Decimal(dice.randint(1, 50_000)) / 100)) for _ in range(dice.randint(0, 5))
    ]
    paid = [(one, str(Decimal(dice.randint(1, int(one.balance * 100))) / 100)) for one in invoices]
    applied = tuple(
        (one, str(Decimal(dice.randint(1, int(one.balance * 100))) / 100)) for one in memos
    )
    plan = a_plan(*paid, memos=applied)
    assert plan.charged == sum(one.charged for one in plan.allocations)
    assert plan.charged + plan.applied == sum(one.amount for one in plan.allocations)
    for invoice, allocation in zip(invoices, plan.allocations, strict=True):
        assert min(allocation.charged, allocation.discount, allocation.from_memos) >= 0
        assert allocation.clears <= invoice.balance
        assert allocation.settles is (allocation.clears == invoice.balance)
        assert allocation.settles or allocation.discount == 0
    for memo, much in applied:
        used = sum(
            part.amount
            for one in plan.allocations
            for part in one.memos
            if part.number == memo.number
        )
        assert used <= Decimal(much)


@pytest.mark.parametrize("much", ["0.00", "-1.00", "0.001", "10000001"])
def test_amounts_that_are_none(much: str) -> None:
    invoice = an_invoice("N1")
    wanted = DocumentRequest.model_construct(number=invoice.number, amount=Decimal(much))
    with pytest.raises(Invalid):
        planned(AllocationRequest(invoices=(wanted,)), {invoice.number: invoice}, {}, IN_TIME)


@pytest.mark.parametrize("count", [0, MOST_INVOICES + 1])
def test_none_and_too_many(count: int) -> None:
    with pytest.raises(Invalid):
        a_plan(*((an_invoice("N1"), "1.00") for _ in range(count)))


def test_two_hundred_are_paid_at_once() -> None:
    assert len(a_plan(*((an_invoice("N1"), "1.00") for _ in range(200))).allocations) == 200


def test_the_same_twice() -> None:
    invoice = an_invoice("N1")
    with pytest.raises(Invalid):
        a_plan((invoice, "1.00"), (invoice, "2.00"))


def test_what_is_not_ones_own_is_missing() -> None:
    with pytest.raises(DocumentMissing):
        planned(
            AllocationRequest(invoices=(DocumentRequest(number="INV-X", amount=Decimal(1)),)),
            {},
            {},
            IN_TIME,
        )
    invoice = an_invoice("N1")
    wanted = DocumentRequest(number=invoice.number, amount=Decimal(1))
    request = AllocationRequest(
        invoices=(wanted,), memos=(DocumentRequest(number="CM-X", amount=Decimal(1)),)
    )
    with pytest.raises(DocumentMissing):
        planned(request, {invoice.number: invoice}, {}, IN_TIME)


def test_everything_that_is_wrong_is_told_at_once() -> None:
    paid = an_invoice("N1", paid=Decimal(100), payoff=Decimal(0))
    open_, held = an_invoice("N1"), an_invoice("N1")
    memo = a_memo("N1")
    with pytest.raises(InvoicesRefused) as refused:
        a_plan(
            (paid, "1.00"),
            (open_, "100.01"),
            (held, "1.00"),
            memos=((memo, "30.01"),),
            held={held.number: HELD},
        )
    told: dict[str, list[dict[str, Any]]] = refused.value.extra
    assert [one["code"] for one in told["invoices"]] == [
        "paid",
        "amount_above_balance",
        "in_payment",
    ]
    assert told["invoices"][2]["by"] == "Ina"
    assert "Ina since 2026-11-25 09:30" in told["invoices"][2]["detail"]
    assert [one["code"] for one in told["creditMemos"]] == ["amount_above_balance"]


@pytest.mark.parametrize("kind", [PaymentType.TERMS, PaymentType.COD])
def test_never_by_terms_nor_cod(kind: PaymentType) -> None:
    with pytest.raises(InvoicePaymentTypeRefused):
        check_type(kind)


def test_what_is_agreed_to_has_a_hash() -> None:
    invoice = an_invoice("N1")
    assert plan_hash(a_plan((invoice, "98.00"))) == plan_hash(a_plan((invoice, "100.00")))
    assert plan_hash(a_plan((invoice, "98.00"))) != plan_hash(a_plan((invoice, "98.00"), on=LATE))


ASKED = PaymentRequest(
    flow=PayingFlow.INVOICE_PAYMENT,
    flow_id="p-1",
    workflow_id="invpay-p-1",
    attempt=1,
    key="invpay-p-1:1",
    partner_code="N1001",
    person_id="olivia",
    type=PaymentType.CARD,
    method_id="a-card",
    amount=Decimal("98.00"),
)


@pytest.mark.parametrize(
    ("state", "asked", "goes_on_at"),
    [
        ("checking", None, "checking"),
        ("charging", None, "checking"),
        ("needs_attention", None, "checking"),
        ("checking", ASKED, "declined"),
        ("charging", ASKED, "needs_attention"),
        ("needs_attention", ASKED, "needs_attention"),
        ("declined", ASKED, "declined"),
        ("action_required", ASKED, "action_required"),
        ("processing", ASKED, "processing"),
        ("posting", ASKED, "posting"),
        ("posting", None, "posting"),
        ("posting_late", ASKED, "posting"),
        ("refunding", ASKED, "refunding"),
    ],
)
def test_a_run_in_the_place_of_one_that_is_gone_never_charges_what_may_be_charged(
    state: str, asked: PaymentRequest | None, goes_on_at: str
) -> None:
    view = InvoicePaymentView.model_construct()
    resume = InvoicePaymentResume(state=state, view=view, settled=(), wish=asked)
    assert resume.goes_on_at == goes_on_at


def test_the_mail_of_a_returned_debit_speaks_of_no_charge() -> None:
    """Of payments in part refused it does."""
    one = {"status": InvoiceStatus.RELEASED}
    lines = tuple(a_line(InvoiceStatus.POSTED).model_copy(update=one) for _ in range(2))
    returned = mail_text(a_view("p1", "N1", *lines), "http://portal.test")
    assert returned.startswith("Your bank returned the debit of 136.00 USD. Nothing was paid")
    assert "Charged" not in returned
    mixed = a_view("p2", "N1", a_line(InvoiceStatus.POSTED), a_line(InvoiceStatus.REFUNDED))
    assert mail_text(mixed, "").startswith("Charged: 136.00 USD, paid back: 68.00 USD")
    french = reread(Language.FR, mail_text(mixed, ""), TEXTS).replace("\N{NO-BREAK SPACE}", " ")
    assert french.startswith("Débité : 136,00 USD, remboursé : 68,00 USD")
