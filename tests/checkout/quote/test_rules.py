"""What a quote adds up to, what it is agreed by, and what speaks against an order (shop spec 4; rulings "Money")."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.billing.payments import PaymentType
from domain.billing.taxes import RATES
from domain.catalogue.pricing import DisplayPrice, Rule
from domain.catalogue.products import Sellable, Stock
from domain.checkout.cart import Line, LineFault, LineVehicle, Sums, sums_of
from domain.checkout.draft import (
    DraftPayment,
    Gateway,
    GatewayMismatch,
    MethodNeeded,
    PaymentChoice,
    check_agrees,
    payment_of,
)
from domain.checkout.quote import (
    REFUSALS,
    Credit,
    Figures,
    Quote,
    QuoteChanged,
    QuotedPayment,
    QuoteLine,
    Refusal,
    agreed,
    check_placeable,
    line_of,
    list_total_of,
    refusals_of,
    sealed,
)
from domain.orders.shipping import ShippingMethod
from domain.partners.partners import Address, AddressKind

CENTS = st.integers(1, 2_000_000)
AREAS = [*(("CA", area) for area in RATES["CA"]), ("US", "MN"), ("US", "NY")]


def a_line(cents: int | None, msrp: int, quantity: int, stock: int, *, sold: bool = True) -> Line:
    price = None if cents is None else Decimal(cents) / 100
    return Line(
        sellable=Sellable(
            asked="A",
            variant_id=f"v{cents}-{msrp}-{quantity}-{stock}",
            product_id="p",
            sku="A",
            name="Thing",
            brand="b",
            image="",
            case_quantity=1,
            is_for_purchase=sold,
            stock=Stock(on_hand=stock),
            figure=DisplayPrice(amount=price, msrp=Decimal(msrp) / 100, rule=Rule.APPROVED_BRAND),
        ),
        quantity=quantity,
    )


LINES = st.lists(
    st.builds(
        a_line,
        st.one_of(st.none(), CENTS),
        CENTS,
        st.integers(1, 9_999),
        st.integers(-5, 12_000),
        sold=st.booleans(),
    ),
    max_size=30,
)
METHODS = st.builds(
    ShippingMethod,
    id=st.just("m"),
    name=st.just("B2B-Ground"),
    price=st.integers(0, 20_000).map(lambda cents: Decimal(cents) / 100),
    free_from=st.one_of(st.none(), st.integers(1, 500_000).map(lambda c: Decimal(c) / 100)),
    is_pick_up=st.booleans(),
)


def figures(lines: tuple[QuoteLine, ...], sums: Sums, **more: object) -> Figures:
    return Figures.model_validate(
        {
            "token": "t",
            "partner_code": "N1",
            "partner_name": "Harbour",
            "channel": "dealer-1",
            "placed_by": "u",
            "placed_by_name": "U X",
            "lines": lines,
            "list_total": list_total_of(lines, sums),
            "discount": list_total_of(lines, sums) - sums.subtotal,
            "subtotal": sums.subtotal,
            "freight": sums.freight,
            "net": sums.net,
            "taxes": sums.taxes,
            "tax": sums.tax,
            "total": sums.gross,
            "shipping_method": None,
            "shipping_address": None,
            "billing_address": None,
            "payment": None,
            **more,
        }
    )


@settings(max_examples=500, deadline=None)
@given(LINES, METHODS, st.sampled_from(AREAS))
def test_500_random_carts_are_quoted_and_frozen_to_the_cent(
    lines: list[Line], method: ShippingMethod, area: tuple[str, str]
) -> None:
    address = Address(
        id="a",
        kind=AddressKind.SHIPPING,
        is_default=True,
        name="n",
        street="s",
        city="c",
        country_area=area[1],
        postal_code="x",
        country=area[0],
    )
    quoted = tuple(line_of(line) for line in lines)
    quote = sealed(figures(quoted, sums_of(lines, method, address)))
    # What the run freezes has been through JSON, as an answer and as a workflow's input are.
    frozen = Quote.model_validate_json(quote.model_dump_json())
    assert frozen == quote
    goods = sum(_cents(one.unit_price) * one.quantity for one in frozen.lines if not one.fault)
    free = method.free_from is not None and goods >= _cents(method.free_from)
    freight = 0 if method.is_pick_up or free or not goods else _cents(method.price)
    taxes = [
        # Half up, in whole numbers: a thousandth of a percent of a cent.
        ((goods + freight) * int(rate.percent * 1000) + 50_000) // 100_000
        for rate in RATES.get(area[0], {}).get(area[1], ())
    ]
    assert _cents(frozen.subtotal) == goods == sum(_cents(one.total) for one in frozen.lines)
    assert _cents(frozen.freight) == freight
    assert [_cents(tax.amount) for tax in frozen.taxes] == taxes
    assert _cents(frozen.total) == goods + freight + sum(taxes)
    assert frozen.discount == frozen.list_total - frozen.subtotal >= 0
    assert all(one.now + one.later == one.quantity and one.now >= 0 for one in frozen.lines)


def test_a_hash_tells_what_was_agreed_from_what_was_told() -> None:
    line = a_line(1000, 1500, 2, 5)
    lines = (line_of(line),)
    sums = sums_of([line], None, None)
    one = sealed(figures(lines, sums))
    renamed = sealed(
        figures((lines[0].model_copy(update={"name": "Other"}),), sums, credit_available="5.00")
    )
    assert renamed.quote_hash == one.quote_hash
    camry = LineVehicle(id=1, year=2022, make_id=2, model_id=3, name="2022 Toyota Camry")
    for_car = line_of(line.model_copy(update={"vehicle": camry}))
    assert for_car.vehicle == camry.name
    assert sealed(figures((for_car,), sums)).quote_hash == one.quote_hash
    later = sealed(figures((lines[0].model_copy(update={"now": 1, "later": 1}),), sums))
    assert later.quote_hash != one.quote_hash
    agreed(one, one.quote_hash)
    agreed(one, None)
    with pytest.raises(QuoteChanged) as refused:
        agreed(later, one.quote_hash)
    assert refused.value.extra["quote"]["quote_hash"] == later.quote_hash


@pytest.mark.parametrize("refusal", REFUSALS)
def test_each_refusal_of_a_quote_is_the_error_of_the_real_run(refusal: type) -> None:
    line = a_line(1000, 1000, 1, 1)
    told = Refusal(code=refusal.code, detail=refusal.detail)  # pyright: ignore[reportAttributeAccessIssue]
    sums = sums_of([line], None, None)
    with pytest.raises(refusal):
        check_placeable(sealed(figures((line_of(line),), sums, refusals=(told,))))


def test_a_quote_that_nothing_speaks_against_can_be_placed() -> None:
    line = a_line(1000, 1000, 1, 1)
    assert check_placeable(sealed(figures((line_of(line),), sums_of([line], None, None)))) is None


@pytest.mark.parametrize(
    ("balance", "open_orders", "total", "codes"),
    [
        ("0", "0", "1000.00", []),
        ("0", "0", "1000.01", ["over_credit_limit"]),
        ("400.00", "500.00", "100.00", []),
        ("400.00", "500.00", "100.01", ["over_credit_limit"]),
        ("1200.00", "0", "0.01", ["over_credit_limit"]),
    ],
)
def test_terms_may_use_what_is_left_of_the_limit(
    balance: str, open_orders: str, total: str, codes: list[str]
) -> None:
    credit = Credit(limit=Decimal(1000), balance=Decimal(balance), open_orders=Decimal(open_orders))
    found = refusals_of(
        (line_of(a_line(1000, 1000, 1, 1)),),
        Decimal(total),
        has_shipping=True,
        has_billing=True,
        has_po_number=True,
        payment=QuotedPayment(
            gateway=Gateway.ACH_COD,
            type=PaymentType.TERMS,
            shown="TERMS",
            amount=Decimal(total),
        ),
        is_payment_allowed=True,
        credit=credit,
    )
    assert [one.code for one in found] == codes


def test_a_line_with_a_fault_is_in_no_sum() -> None:
    gone = line_of(a_line(1000, 1000, 2, 5, sold=False))
    assert (gone.fault, gone.total) == (LineFault.NOT_FOR_PURCHASE, Decimal(0))


@pytest.mark.parametrize("type_", PaymentType)
def test_cards_go_to_the_card_gateway_and_all_else_to_the_other(type_: PaymentType) -> None:
    right = Gateway.CARD if type_ is PaymentType.CARD else Gateway.ACH_COD
    wrong = Gateway.ACH_COD if type_ is PaymentType.CARD else Gateway.CARD
    saved = "m1" if type_ in (PaymentType.CARD, PaymentType.BANK_ACCOUNT) else None
    payment = payment_of(right, type_, saved, None)
    assert payment.choice == PaymentChoice(type=type_, method_id=saved)
    with pytest.raises(GatewayMismatch):
        payment_of(wrong, type_, saved, None)
    with pytest.raises(MethodNeeded):
        payment_of(right, type_, None if saved else "m1", None)
    with pytest.raises(GatewayMismatch):
        check_agrees(DraftPayment(gateway=wrong), PaymentChoice(type=type_, method_id=saved))


def _cents(amount: Decimal | None) -> int:
    assert amount is not None
    return int(amount * 100)
