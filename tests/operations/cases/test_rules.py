"""What a part of an order is worth, and how much a payment may give back."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.billing.payments import (
    TAKEN_INSTEAD,
    PayingFlow,
    PaymentOutcome,
    PaymentStatus,
    PaymentType,
)
from domain.kinds import CASE
from domain.letters.language import Language
from domain.operations.case_mails import (
    NOT_ASKED_FOR,
    UNDECIDED,
    WITH_THE_BANK,
    CaseMail,
    MailKind,
    end_words,
    not_paid_back,
    written,
)
from domain.operations.cases import (
    ON_ITS_WAY,
    BelongsTo,
    CaseCause,
    CasePayment,
    CaseStart,
    CaseView,
    Earlier,
    Lowered,
    NotSent,
    case_id,
    cases_to_notify,
    is_tried_too_often,
    left_of,
    lowerings,
    on_order,
    shares,
    taken_twice,
    worth_of,
)
from domain.orders.orders import Order, OrderStatus, Parcel
from tests.orders.factories import a_line, a_new_order


def an_order(
    *,
    tax: str = "7.77",
    freight: str = "9.00",
    coupon: str = "0.00",
    quantities: tuple[int, ...] = (2, 1),
    prices: tuple[str, ...] = ("10.01", "10.01", "10.01"),
) -> Order:
    lines = [
        a_line(sku=f"S-{n}", quantity=count, price=prices[n]) for n, count in enumerate(quantities)
    ]
    goods = sum((line.total for line in lines), Decimal(0))
    new = a_new_order(
        "CA1",
        lines,
        coupon_amount=Decimal(coupon),
        freight=Decimal(freight),
        tax=Decimal(tax),
        total=goods - Decimal(coupon) + Decimal(freight) + Decimal(tax),
    )
    return Order(
        **new.model_dump(),
        id="o1",
        number="T-1",
        status=OrderStatus.CONFIRMED,
        erp_number=None,
        invoice_number=None,
        shipments=(),
        history=(),
        updated_at=new.created_at,
    )


def paid(status: PaymentStatus, captured: str, refunded: str = "0") -> PaymentOutcome:
    return PaymentOutcome(
        payment_id=f"{status}{captured}{refunded}",
        status=status,
        captured=Decimal(captured),
        refunded=Decimal(refunded),
    )


def test_the_whole_order_is_worth_its_total_with_the_freight() -> None:
    order = an_order()
    parcels = [Parcel(sku="S-0", quantity=2), Parcel(sku="S-1", quantity=1)]
    assert worth_of(order, parcels) == order.total


def test_a_part_is_worth_its_goods_and_their_tax() -> None:
    order = an_order(tax="3.90", freight="8.97")
    # 10.01 of 39.00 that are taxed.
    assert worth_of(order, [Parcel(sku="S-1", quantity=1)]) == Decimal("11.01")
    assert worth_of(order, [Parcel(sku="unknown", quantity=1)]) == Decimal(0)
    assert worth_of(order, [Parcel(sku="S-1", quantity=9)]) == Decimal("11.01")


@pytest.mark.parametrize(
    ("prices", "sku", "worth"),
    [
        (("50.00", "50.00"), "S-0", "45.20"),  # 40.00 and half of the tax
        (("10.00", "90.00"), "S-1", "81.36"),  # 72.00 and 13 % of it
        (("10.00", "90.00"), "S-0", "9.04"),
    ],
)
def test_a_part_is_worth_what_the_coupon_left_of_it(
    prices: tuple[str, ...], sku: str, worth: str
) -> None:
    order = an_order(tax="10.40", freight="0.00", coupon="20.00", quantities=(1, 1), prices=prices)
    assert worth_of(order, [Parcel(sku=sku, quantity=1)]) == Decimal(worth)


def test_a_part_of_what_a_coupon_made_free_is_worth_nothing() -> None:
    order = an_order(tax="0.00", freight="0.00", coupon="30.03")
    assert worth_of(order, [Parcel(sku="S-0", quantity=1)]) == Decimal(0)


@given(
    st.permutations(["S-0", "S-0", "S-1", "S-2", "S-2", "S-2"]),
    st.integers(0, 999),
    st.integers(0, 6006),
)
def test_parts_together_are_worth_the_total(skus: list[str], cents: int, coupon: int) -> None:
    order = an_order(tax=f"{cents / 100:.2f}", coupon=f"{coupon / 100:.2f}", quantities=(2, 1, 3))
    given, parcels = Decimal(0), list[Parcel]()
    for sku in skus:
        parcels.append(Parcel(sku=sku, quantity=1))
        worth = worth_of(order, parcels) - given
        assert worth >= 0
        given += worth
    assert given == order.total


def test_at_most_what_was_kept_is_given_back() -> None:
    outcomes = [
        paid(PaymentStatus.CAPTURED, "10.00", "4.00"),
        paid(PaymentStatus.RETURNED, "10.00"),
        paid(PaymentStatus.REFUNDED, "5.00", "5.00"),
        paid(PaymentStatus.DECLINED, "0"),
        paid(PaymentStatus.PROCESSING, "3.00"),
        paid(PaymentStatus.CAPTURED, "9.00", "4.00").model_copy(
            update={"disputed": Decimal("9.00")}
        ),
    ]
    assert [left_of(one) for one in outcomes] == [6, 0, 0, 0, 3, 0]


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        (None, {"a": Decimal(6), "b": Decimal(3)}),
        (Decimal(2), {"a": Decimal(2)}),
        (Decimal(7), {"a": Decimal(6), "b": Decimal(1)}),
        (Decimal(99), {"a": Decimal(6), "b": Decimal(3)}),
        (Decimal(0), {}),
    ],
)
def test_payments_share_what_is_given_back(
    wanted: Decimal | None, given: dict[str, Decimal]
) -> None:
    assert shares(wanted, {"a": Decimal(6), "none": Decimal(0), "b": Decimal(3)}) == given


def test_a_cause_and_its_thing_are_one_case() -> None:
    assert case_id(CaseCause.ORDER_CANCELLED, "1") == case_id(CaseCause.ORDER_CANCELLED, "1")
    assert case_id(CaseCause.ORDER_CANCELLED, "1") != case_id(CaseCause.SHIPMENT_CANCELLED, "1")


def test_a_case_of_an_order_is_found_by_its_number_whatever_it_is_called() -> None:
    start = CaseStart(
        id="c1",
        cause=CaseCause.ORDER_CANCELLED,
        belongs_to=on_order("o1", "T-1", "t1").model_copy(update={"name": "Commande T-1"}),
        partner_code="CA1",
        person_id="p1",
        site="ca",
        opened_at=datetime(2026, 1, 5, tzinfo=UTC),
    )
    assert CASE.attributes(start)["Number"] == "T-1"
    cart = BelongsTo(
        kind="cart", id="t1", name="Your cart", flow=PayingFlow.PLACEMENT, flow_id="t1"
    )
    assert "Number" not in CASE.attributes(start.model_copy(update={"belongs_to": cart}))


@pytest.mark.parametrize(
    ("owed", "withdrawn", "less"),
    [
        ("60", {"a": "30"}, {"a": "30"}),
        ("20", {"a": "30", "b": "5"}, {"a": "20"}),
        ("60", {"a": "30", "b": "40"}, {"a": "30", "b": "30"}),
        ("60", {"known": "30", "b": "1"}, {"b": "1"}),
        ("0", {"a": "30"}, {}),
    ],
)
def test_no_more_is_taken_off_than_is_owed_and_each_part_once(
    owed: str, withdrawn: dict[str, str], less: dict[str, str]
) -> None:
    told = NotSent(
        withdrawn=tuple(Lowered(case_id=id_, amount=Decimal(n)) for id_, n in withdrawn.items())
    )
    known = [Lowered(case_id="known", amount=Decimal(1))]
    found = lowerings(Decimal(owed), known, told)
    assert {one.case_id: one.amount for one in found} == {a: Decimal(n) for a, n in less.items()}


def test_a_part_is_taken_off_one_case_at_a_time_and_the_whole_off_all() -> None:
    assert cases_to_notify(CaseCause.SHIPMENT_CANCELLED, ["a", "b"]) == ["a"]
    assert cases_to_notify(CaseCause.ORDER_CANCELLED, ["a", "b"]) == ["a", "b"]
    assert cases_to_notify(CaseCause.SHIPMENT_CANCELLED, []) == []


def test_a_mail_promises_to_lower_only_what_is_owed() -> None:
    cause = CaseCause.SHIPMENT_CANCELLED
    undecided = Earlier(case_id="a", cause=CaseCause.CHARGEBACK, is_owed=False)
    lost = undecided.model_copy(update={"is_owed": True})
    assert not_paid_back(cause, []) is None
    assert not_paid_back(cause, [undecided]) == UNDECIDED[cause]
    assert not_paid_back(cause, [undecided, lost]) == NOT_ASKED_FOR[cause]


def test_an_order_that_is_cancelled_is_not_said_to_be_paid_back_while_a_bank_has_its_money() -> (
    None
):
    cause = CaseCause.ORDER_CANCELLED
    undecided = Earlier(case_id="a", cause=CaseCause.CHARGEBACK, is_owed=False)
    returned = Earlier(case_id="b", cause=CaseCause.DEBIT_RETURNED, is_owed=True)
    for earlier in ([undecided], [returned, undecided]):
        said = not_paid_back(cause, earlier)
        assert said == UNDECIDED[cause]
    assert "that is not paid back before" in UNDECIDED[cause].en
    assert not_paid_back(cause, [returned]) == NOT_ASKED_FOR[cause]


@pytest.mark.parametrize(
    ("refunded", "before", "lost", "twice"),
    [
        ("0", "0", "104.99", "0"),
        ("0", "0", "200", "0"),
        ("30", "0", "74.99", "0"),
        ("30", "0", "104.99", "30"),
        ("60", "0", "50", "5.01"),
        ("60", "0", "52.49", "7.50"),
        ("60", "52.49", "52.50", "52.50"),
        ("60", "104.99", "52.50", "0"),
    ],
)
def test_what_had_been_given_back_before_a_bank_took_it_is_taken_twice(
    refunded: str, before: str, lost: str, twice: str
) -> None:
    outcome = paid(PaymentStatus.CAPTURED, "104.99", refunded)
    found = taken_twice(outcome, Decimal(lost), lost_before=Decimal(before))
    assert found == Decimal(twice)


CENTS = st.integers(0, 20_000).map(lambda cents: Decimal(cents) / 100)


@given(st.tuples(CENTS, CENTS).map(sorted), st.lists(CENTS, max_size=5))
def test_however_many_chargebacks_take_off_once_what_had_been_given_back(
    sums: list[Decimal], lost: list[Decimal]
) -> None:
    refunded, captured = sums
    outcome = paid(PaymentStatus.CAPTURED, str(captured), str(refunded))
    taken = [
        taken_twice(outcome, one, lost_before=sum(lost[:n], Decimal(0)))
        for n, one in enumerate(lost)
    ]
    assert all(0 <= less <= one for less, one in zip(taken, lost, strict=True))
    most = max(refunded + sum(lost, Decimal(0)) - captured, Decimal(0))
    assert sum(taken, Decimal(0)) == min(refunded, most)


def test_no_forty_first_way_to_pay_is_tried() -> None:
    payment = CasePayment(type=PaymentType.CARD, method_id="m", attempt=39)
    assert not is_tried_too_often(None)
    assert not is_tried_too_often(payment)
    assert is_tried_too_often(payment.model_copy(update={"attempt": 40}))


@pytest.mark.parametrize(
    ("cause", "kind", "given_back", "said"),
    [
        (CaseCause.ORDER_CANCELLED, "order", "104.99", "$104.99 was paid back to how you paid."),
        (CaseCause.DEBIT_RETURNED, "order", "0", "Nothing is owed."),
        (CaseCause.LET_GO, "purchase", "0", "What is open otherwise stays as it is."),
        (CaseCause.LET_GO, "invoice_payment", "0", "What is open otherwise stays as it is."),
        (CaseCause.LET_GO, "cart", "9.00", "$9.00 was paid back to how you paid."),
        (CaseCause.CHARGEBACK, "invoice_payment", "0", "Each invoice shows what is open on it."),
    ],
)
def test_the_end_of_a_case_promises_no_more_than_it_knows(
    cause: CaseCause,
    kind: Literal["order", "cart", "purchase", "invoice_payment"],
    given_back: str,
    said: str,
) -> None:
    now = datetime.now(UTC)
    belongs_to = BelongsTo(
        kind=kind, id="x", name="Something", flow=PayingFlow.PURCHASE, flow_id="x"
    )
    case = CaseView(
        id="c",
        state="solved",
        cause=cause,
        belongs_to=belongs_to,
        detail="",
        amount=None,
        given_back=Decimal(given_back),
        opened_at=now,
        due_at=now,
        updated_at=now,
    )
    words = end_words(case)
    assert said in words
    assert ("Nothing is owed" in words) is (said == "Nothing is owed.")
    by_hand = end_words(case.model_copy(update={"state": "resolved"}))
    if cause is not CaseCause.CHARGEBACK:
        assert "Somebody took care of it in another way." in by_hand
        assert "Nothing is owed" not in by_hand
    less = end_words(case.model_copy(update={"taken_off": Decimal(10)}))
    assert "$10.00 less is asked for than before." in less
    assert "Nothing is owed" not in less


@pytest.mark.parametrize("cause", [CaseCause.ORDER_CANCELLED, CaseCause.SHIPMENT_CANCELLED])
@pytest.mark.parametrize("kind", [MailKind.OPENED, MailKind.ENDED])
def test_nobody_is_promised_back_what_they_never_paid(cause: CaseCause, kind: MailKind) -> None:
    now = datetime.now(UTC)
    case = CaseView(
        id="c",
        state="working" if kind is MailKind.OPENED else "solved",
        cause=cause,
        belongs_to=on_order("o1", "T-1", "t1", is_promised=True),
        detail="Discontinued.",
        amount=Decimal("55.20") if cause is CaseCause.SHIPMENT_CANCELLED else None,
        opened_at=now,
        due_at=now,
        updated_at=now,
    )
    mail = CaseMail(kind=kind, person_id="p", case=case, rev=1)
    _, text = written(mail, [], "https://portal.test", is_back=False)
    assert "Nothing was charged for it, and it will not be billed." in text
    assert "paid back" not in text
    assert "owed" not in text


@pytest.mark.parametrize("cause", CaseCause)
@pytest.mark.parametrize("state", ["solved", "resolved"])
@pytest.mark.parametrize(("given_back", "taken_off"), [(0, 0), (9, 0), (0, 9), (9, 9)])
def test_only_a_cancelled_order_ends_with_what_a_bank_may_still_give_back(
    cause: CaseCause, state: str, given_back: int, taken_off: int
) -> None:
    """No other case gives it back once it has ended: a part that a person settled was settled, and an inquiry took nothing."""
    now = datetime.now(UTC)
    case = CaseView(
        id="c",
        state=state,
        cause=cause,
        belongs_to=on_order("o1", "T-1", "t1"),
        detail="",
        amount=None,
        given_back=Decimal(given_back),
        taken_off=Decimal(taken_off),
        opened_at=now,
        due_at=now,
        updated_at=now,
    )
    words = end_words(case)
    more = f" {WITH_THE_BANK.en}" if cause is CaseCause.ORDER_CANCELLED else ""
    assert WITH_THE_BANK.en not in words
    assert end_words(case, has_bank_some=True) == words + more


@pytest.mark.parametrize("cause", CaseCause)
@pytest.mark.parametrize("kind", [MailKind.OPENED, MailKind.LOST, MailKind.ENDED])
def test_a_buyer_who_reads_french_is_told_of_a_case_in_french(
    cause: CaseCause, kind: MailKind
) -> None:
    now = datetime.now(UTC)
    case = CaseView(
        id="c",
        state="solved",
        cause=cause,
        belongs_to=on_order("o1", "T-1", "t1"),
        detail=ON_ITS_WAY,
        amount=Decimal("1234.50"),
        given_back=Decimal("1234.50"),
        opened_at=now,
        due_at=now,
        updated_at=now,
    )
    mail = CaseMail(kind=kind, person_id="p", case=case, rev=1)
    english = written(mail, [], "https://portal.test", is_back=False)
    subject, text = written(mail, [], "https://portal.test", Language.FR, is_back=False)
    assert subject.startswith("Commande T-1")
    kept = {line for line in "\n".join(english).splitlines() if line and "://" not in line}
    assert not kept & set(text.splitlines())
    assert ON_ITS_WAY not in text
    told = TAKEN_INSTEAD(None, taken=Decimal("1.00"), asked=Decimal("2.00"))
    other = mail.model_copy(update={"case": case.model_copy(update={"detail": told})})
    _, text = written(other, [], "https://portal.test", Language.FR, is_back=False)
    assert "taken instead" not in text
    if kind is MailKind.ENDED:
        assert "1\N{NO-BREAK SPACE}234,50\N{NO-BREAK SPACE}$ vous ont été remboursés" in text
