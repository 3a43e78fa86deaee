"""What a coupon takes off, which one an order takes, and what another one still needs."""

from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from domain.catalogue.pricing import DisplayPrice, Rule
from domain.catalogue.products import Sellable, Stock
from domain.checkout.cart import Line, sums_of
from domain.checkout.coupons import Coupon, CouponFault, offer_of

CENTS = st.integers(1, 1_000_000)


def a_line(dollars: str, quantity: int = 1, category: str = "remote-start") -> Line:
    price = Decimal(dollars)
    return Line(
        sellable=Sellable(
            asked="A",
            variant_id=f"{category}-{dollars}",
            product_id="p",
            sku="A",
            name="Thing",
            brand="b",
            category=category,
            image="",
            case_quantity=1,
            is_for_purchase=True,
            stock=Stock(on_hand=9),
            figure=DisplayPrice(amount=price, msrp=price, rule=Rule.MSRP),
        ),
        quantity=quantity,
    )


def a_coupon(
    code: str, *, percent: str | None = None, amount: str | None = None, **more: Any
) -> Coupon:
    return Coupon(
        code=code,
        description=code.title(),
        percent=Decimal(percent) if percent else None,
        amount=Decimal(amount) if amount else None,
        **more,
    )


TEN = a_coupon("TEN", percent="10")
FIVE_OFF = a_coupon("FIVE", amount="5")
FROM_100 = a_coupon("FROM100", percent="20", least=Decimal(100))
CAMERAS = a_coupon("CAMERAS", percent="50", categories=("dash-cameras",))


def test_the_best_one_is_taken_by_itself() -> None:
    offer = offer_of([a_line("90.00")], [TEN, FIVE_OFF])
    assert offer.taken is not None
    assert (offer.taken.code, offer.taken.amount) == ("TEN", Decimal("9.00"))


def test_what_was_entered_comes_before_the_best_while_it_holds() -> None:
    offer = offer_of([a_line("90.00")], [TEN, FIVE_OFF], "FIVE")
    assert offer.taken is not None
    assert (offer.taken.code, offer.taken.amount, offer.refused) == ("FIVE", Decimal(5), None)


def test_what_is_missing_of_an_entered_one_is_told_and_the_best_is_taken_instead() -> None:
    offer = offer_of([a_line("90.00")], [TEN, FROM_100], "FROM100")
    assert offer.taken is not None
    assert offer.refused is not None
    assert offer.taken.code == "TEN"
    assert (offer.refused.fault, offer.refused.missing) == (CouponFault.BELOW_LEAST, Decimal(10))


def test_a_code_that_nobody_knows_and_one_without_its_goods_say_why() -> None:
    lines = [a_line("90.00")]
    unknown, without = offer_of(lines, [], "NONE").refused, offer_of(lines, [CAMERAS], "CAMERAS")
    assert unknown is not None
    assert unknown.fault is CouponFault.NOT_USABLE
    assert without.refused is not None
    assert (without.refused.fault, without.taken) == (CouponFault.NO_SUCH_GOODS, None)


def test_a_coupon_of_a_category_counts_its_goods_alone() -> None:
    lines = [a_line("90.00"), a_line("20.01", category="dash-cameras")]
    offer = offer_of(lines, [CAMERAS])
    assert offer.amount == Decimal("10.01")


def test_one_that_takes_off_more_for_a_little_more_is_told() -> None:
    near = offer_of([a_line("90.00")], [TEN, FROM_100]).near
    assert near is not None
    assert (near.code, near.missing) == ("FROM100", Decimal(10))
    assert (
        offer_of([a_line("90.00")], [a_coupon("BIG", amount="1", least=Decimal(100)), TEN]).near
        is None
    )


@given(st.lists(CENTS, min_size=1, max_size=5), st.lists(st.integers(1, 100), max_size=4), CENTS)
def test_nothing_is_ever_taken_twice_or_below_nothing(
    prices: list[int], percents: list[int], amount: int
) -> None:
    lines = [a_line(str(Decimal(cents) / 100)) for cents in prices]
    coupons = [a_coupon(f"P{n}", percent=str(n)) for n in percents]
    coupons.append(a_coupon("A", amount=str(Decimal(amount) / 100)))
    offer = offer_of(lines, coupons)
    sums = sums_of(lines, None, None, offer.amount)
    assert Decimal(0) < offer.amount <= sums.subtotal
    assert sums.gross == sums.subtotal - offer.amount
    assert offer.amount == offer.amount.quantize(Decimal("0.01"))
