"""The file of what a company offers: what it may say, and where it is wrong."""

import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from db.demo.offers import EXAMPLE
from dev.places import ROOT
from domain.errors import FaultyFile
from domain.offers import OfferedCoupon, OfferedMethod, OffersFile
from domain.plans.plans import FOUR, PlanType, Term
from tests.operations.offers.files import COUPON, GROUND, OFFERS, PREMIUM


def faults(text: str) -> tuple[str, ...]:
    with pytest.raises(FaultyFile) as faulty:
        OffersFile(text)
    return faulty.value.faults


def test_a_file_says_what_is_offered() -> None:
    offers = OffersFile(OFFERS).offers
    assert offers.shipping_methods
    assert offers.plans
    assert offers.coupons
    method, plan, coupon = offers.shipping_methods[0], offers.plans[0], offers.coupons[0]
    assert (method.price, method.free_from) == (Decimal("14.50"), Decimal("500.00"))
    assert plan.prices["dealer-1"] == {Term.ONE_YEAR: Decimal("80.00")}
    assert (coupon.percent, coupon.ends_at) == (Decimal(10), None)
    known = {name: getattr(plan, name) for name in PlanType.model_fields}
    assert known == FOUR[1].model_dump(), "the words of a plan that the network knows are ours"


def test_what_the_database_would_refuse_is_a_fault_of_the_file() -> None:
    method = 'id = "m"\nname = "%s"\nprice = 1\ncountries = ["CA"]'
    (fault,) = faults("[[shipping_methods]]\n" + method % "A\\u0000B")
    assert "name" in fault


def test_what_a_file_does_not_have_is_not_the_same_as_nothing() -> None:
    offers = OffersFile("plans = []").offers
    assert (offers.shipping_methods, offers.plans, offers.coupons) == (None, (), None)


def test_a_time_has_its_zone() -> None:
    offers = OffersFile(f"{COUPON}ends_at = 2027-01-01T00:00:00-05:00").offers
    assert offers.coupons
    assert offers.coupons[0].ends_at == datetime(2027, 1, 1, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        (GROUND.replace("14.50", "-1"), 5, "shipping_methods.price: "),
        (GROUND.replace("14.50", "14.505"), 5, "shipping_methods.price: "),
        (GROUND.replace("14.50", '"14.50"'), 5, "shipping_methods.price: an amount is"),
        (GROUND.replace("14.50", "true"), 5, "shipping_methods.price: an amount is"),
        (GROUND.replace("14.50", "nan"), 5, "shipping_methods.price: "),
        (GROUND.replace('"US"', '"FR"'), 7, "shipping_methods.countries: "),
        (GROUND.replace('["CA", "US"]', "[]"), 7, "shipping_methods.countries: "),
        (GROUND.replace("free_from", "free_form"), 6, "shipping_methods.free_form: "),
        (GROUND.replace('id = "ground"', ""), 2, "shipping_methods.id: "),
        (GROUND + GROUND, 10, "shipping_methods.id: ground stands twice"),
        (GROUND + PREMIUM.replace("80.00", "0"), 13, "plans.prices.dealer-1.1_year: "),
        (PREMIUM.replace("1_year", "7_year"), 5, "plans.prices.msrp.7_year: "),
        (PREMIUM.replace("dealer-1", "Dealer_1"), 6, "plans.prices.Dealer_1: "),
        (PREMIUM.replace("msrp", "dealer-2"), 2, "plans: prices has none for the channel msrp"),
        (PREMIUM.replace(", 1_year = 100.00", ""), 2, "plans: prices.dealer-1 has 1_year, which"),
        (PREMIUM.replace("premium_prepaid", "another"), 2, "plans.display_name: "),
        (PREMIUM + PREMIUM, 9, "plans.slug: premium_prepaid stands twice"),
        (COUPON.replace("WINTER10", "winter 10"), 3, "coupons.code: "),
        (COUPON.replace("10\n", "101\n"), 5, "coupons.percent: "),
        (f"{COUPON}amount = 5", 2, "coupons: one of percent and amount"),
        (f"{COUPON}ends_at = 2027-01-01", 6, "coupons.ends_at: a time needs its zone"),
        (f"{COUPON}most_uses = 0", 6, "coupons.most_uses: "),
        ("[[vouchers]]", 1, "vouchers: "),
        ("\n\n[[plans]\n", 3, ""),
        (GROUND.replace("14.50", "14,50"), 5, ""),
    ],
)
def test_what_is_wrong_is_told_by_line_and_field(text: str, line: int, field: str) -> None:
    found = faults(text)
    said = f"line {line}, {field}" if field else f"(at line {line},"
    assert any(one.startswith(said) if field else said in one for one in found), found


def test_everything_that_is_wrong_is_told_at_once() -> None:
    wrong = GROUND.replace("14.50", "-1") + PREMIUM.replace("80.00", "0")
    assert [one.split(":")[0] for one in faults(wrong)] == [
        "line 5, shipping_methods.price",
        "line 13, plans.prices.dealer-1.1_year",
    ]


def test_the_example_has_a_line_for_each_of_its_fields() -> None:
    """Its faults are found at the line that has the figure."""
    text = EXAMPLE.read_text()
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        name, _, value = line.partition(" = ")
        if name not in ("price", "free_from", "rank", "dealer-3"):
            continue
        wrong = [*lines[: number - 1], line.replace(value, "[0]"), *lines[number:]]
        (fault, *_) = faults("\n".join(wrong))
        assert fault.startswith(f"line {number}, "), fault
        assert f".{name}: " in fault


def test_what_going_live_shows_is_a_file_that_can_be_taken() -> None:
    text = (ROOT / "docs" / "going-live.md").read_text()
    (shown,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    offers = OffersFile(shown).offers
    assert offers.shipping_methods
    assert offers.plans
    assert offers.coupons
    assert offers.coupons[0].model_fields_set == OfferedCoupon.model_fields.keys() - {"amount"}
    assert offers.shipping_methods[0].model_fields_set == OfferedMethod.model_fields.keys()
