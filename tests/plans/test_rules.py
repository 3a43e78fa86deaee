"""Plans, what a device may have, and what it costs."""

import hashlib
import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.checkout.draft import PostalAddress
from domain.devices.devices import Product
from domain.kinds import ACTIVATION, BUYING
from domain.plans.plans import (
    FOUR,
    Change,
    LineProblem,
    Plan,
    Subscription,
    SubscriptionState,
    Term,
    begin_of,
    change_of,
    credit_for,
    cut_to,
    end_on,
    ends_of,
    is_highest,
    months_after,
    plan_id,
    problem_with,
    state_of,
    suits,
    worth_of,
)
from domain.plans.purchases import said_again
from domain.plans.quote import (
    NoLines,
    PlanLineRequest,
    SameDeviceTwice,
    TooManyLines,
    check_lines,
    hash_of,
    quote_of,
    quoted_line,
)
from domain.plans.taxes import ShipToRefused, check_ship_to, plan_taxes, summed_taxes
from domain.runs.kind import WaitsFor
from tests.plans.purchases.factories import ADDRESS

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def a_plan(rank: int = 2, term: Term = Term.ONE_YEAR, amount: str = "100.00") -> Plan:
    kind = FOUR[rank - 1]
    return Plan(
        **kind.model_dump(),
        id=plan_id(kind.slug, term),
        term=term,
        months=term.months,
        list_amount=Decimal(amount) * 2,
        amount=Decimal(amount),
    )


def present(rank: int = 2, *, began: int = 100, worth: str = "73.00") -> Subscription:
    """A year that began so many days ago."""
    plan = a_plan(rank)
    starts_at = NOON - began * DAY
    return Subscription(
        id="s",
        device_key="FT-X1-00000001",
        product_name="ft-x1",
        plan_id=plan.id,
        plan_slug=plan.slug,
        plan_name=plan.name,
        rank=rank,
        term=plan.term,
        starts_at=starts_at,
        ends_at=starts_at + 365 * DAY,
        worth=Decimal(worth),
        partner_code="N1",
        dealer_id=None,
        owner_id=None,
        purchase_id=None,
    )


def an_address(country: str, area: str, code: str) -> PostalAddress:
    return ADDRESS.model_copy(
        update={"country": country, "country_area": area, "postal_code": code}
    )


def test_the_four_plans_are_those_of_the_document() -> None:
    assert [(one.name, one.display_name, one.description, one.popular) for one in FOUR] == [
        ("Basic Prepaid", "Basic", "Vehicle Control + Security", False),
        ("Premium Prepaid", "Premium", "Basic Plan + GPS Tracking", True),
        ("Premium Plus Prepaid", "Premium Plus", "Premium Plan + Advanced GPS Tracking", False),
        (
            "Ultimate Prepaid",
            "Ultimate",
            "Premium Plus Plan + More Advanced GPS Tracking",
            False,
        ),
    ]
    assert [term.value for term in Term] == [
        "month_to_month",
        *(f"{years}_year" for years in range(1, 7)),
    ]
    assert [term.months for term in Term] == [1, 12, 24, 36, 48, 60, 72]


def test_a_plan_suits_a_device_by_its_family() -> None:
    assert suits(4, Product.FT_X1)
    assert not suits(4, Product.DR5400)
    assert not suits(3, Product.FT_XC)
    assert suits(2, Product.FT_XC)


@pytest.mark.parametrize(
    ("rank", "had", "expected"),
    [
        (2, None, None),
        (2, present(2), None),
        (3, present(2), None),
        (1, present(2), LineProblem.PLAN_LOWER),
        (1, present(2, began=400), None),
    ],
    ids=["none", "the same", "a higher one", "a lower one", "a lower one after its end"],
)
def test_a_lower_plan_waits_for_the_end_of_the_present_one(
    rank: int, had: Subscription | None, expected: LineProblem | None
) -> None:
    assert problem_with(a_plan(rank), Product.FT_X1, had, NOON) is expected


def test_retired_unknown_and_endless_plans_are_refused() -> None:
    retired = a_plan().model_copy(update={"is_retired": True})
    assert problem_with(retired, Product.FT_X1, None, NOON) is LineProblem.PLAN_RETIRED
    assert problem_with(None, Product.FT_X1, None, NOON) is LineProblem.PLAN_UNKNOWN
    six = a_plan(term=Term.SIX_YEARS)
    long = present().model_copy(update={"ends_at": NOON + 500 * DAY})
    assert problem_with(six, Product.FT_X1, long, NOON) is LineProblem.PLAN_TOO_LONG


def test_a_renewal_follows_the_present_time_and_keeps_its_worth() -> None:
    had, plan = present(), a_plan()
    assert change_of(plan.rank, had, NOON) is Change.RENEWAL
    assert ends_of(plan, had, NOON) == months_after(had.ends_at, 12)
    assert credit_for(plan, had, NOON) == 0
    assert worth_of(plan, had, NOON) == Decimal("153.00")


def test_an_upgrade_begins_at_once_and_credits_the_days_left() -> None:
    had, plan = present(worth="73.00"), a_plan(3)
    assert change_of(plan.rank, had, NOON) is Change.UPGRADE
    assert ends_of(plan, had, NOON) == months_after(NOON, 12)
    assert credit_for(plan, had, NOON) == Decimal("53.00")
    assert credit_for(a_plan(3, amount="40.00"), had, NOON) == Decimal("40.00")


def test_months_end_where_the_calendar_does() -> None:
    assert months_after(datetime(2026, 1, 31, tzinfo=UTC), 1) == datetime(2026, 2, 28, tzinfo=UTC)
    assert months_after(datetime(2024, 2, 29, tzinfo=UTC), 12) == datetime(2025, 2, 28, tzinfo=UTC)


def test_the_state_of_a_subscription_follows_its_end() -> None:
    assert state_of(NOON + 31 * DAY, NOON) is SubscriptionState.ACTIVE
    assert state_of(NOON + 30 * DAY, NOON) is SubscriptionState.ENDING
    assert state_of(NOON, NOON) is SubscriptionState.ENDED
    assert state_of(NOON + DAY, NOON, is_suspended=True) is SubscriptionState.SUSPENDED
    assert state_of(NOON, NOON, is_suspended=True) is SubscriptionState.ENDED


def test_taxes_follow_the_address() -> None:
    nova_scotia = plan_taxes(Decimal(100), an_address("CA", "NS", "B3H 1A1"))
    assert [(tax.name, tax.amount) for tax in nova_scotia] == [("HST", Decimal("14.00"))]
    texas = plan_taxes(Decimal(100), an_address("US", "TX", "75001"))
    assert [tax.amount for tax in texas] == [Decimal("6.25")]
    assert plan_taxes(Decimal(100), an_address("US", "OR", "97001")) == ()
    assert plan_taxes(Decimal(100), an_address("MX", "", "")) == ()


def test_the_sums_are_those_of_the_lines_to_the_cent() -> None:
    lines = [
        quoted_line(
            PlanLineRequest(device_key=f"FT-X1-0000000{n}", plan_id="premium_prepaid-1_year"),
            Product.FT_X1,
            a_plan(amount=amount),
            had,
            ADDRESS,
            NOON,
        )
        for n, (amount, had) in enumerate(
            [("33.33", None), ("9.99", None), ("71.01", present(1)), ("5.00", present(3))]
        )
    ]
    quote = quote_of(lines, ADDRESS, NOON)
    assert [line.is_good for line in lines] == [True, True, True, False]
    assert quote.final_charge == sum(line.total for line in lines)
    assert quote.final_charge == quote.base_amount - quote.currency_discount + quote.base_tax
    assert quote.base_tax == sum(tax.amount for tax in quote.taxes)
    taxes = [tax for line in lines for tax in line.taxes]
    assert summed_taxes(taxes) == quote.taxes


@pytest.mark.parametrize(("country", "code"), [("US", "7500"), ("US", "B3H 1A1"), ("CA", "75001")])
def test_a_postal_code_of_another_country_is_refused_as_a_decline(country: str, code: str) -> None:
    with pytest.raises(ShipToRefused, match="The Ship To zip code"):
        check_ship_to(an_address(country, "NS", code))


def test_an_activation_that_waits_for_a_purchase_is_not_stuck() -> None:
    assert ACTIVATION.waits_for(BUYING, ("ABANDON",)) is WaitsFor.PERSON
    assert ACTIVATION.waits_for("verify-connection/waiting") is WaitsFor.DEVICE


def test_tests_that_are_shut_wait_for_the_device_until_they_may_be_passed_over() -> None:
    assert ACTIVATION.waits_for("device-testing", ("BACK", "ABANDON")) is WaitsFor.DEVICE
    assert ACTIVATION.waits_for("device-testing", ("SKIP", "BACK")) is WaitsFor.PERSON
    assert ACTIVATION.waits_for("device-testing", ("SUBMIT", "ACT")) is WaitsFor.PERSON
    assert ACTIVATION.waits_for("device-testing/busy") is WaitsFor.PORTAL


def test_lines_are_counted() -> None:
    line = PlanLineRequest(device_key="FT-X1-00000001", plan_id="p")
    many = [line.model_copy(update={"device_key": f"FT-X1-{n:08d}"}) for n in range(101)]
    check_lines(many[:100])
    for lines, error in (([], NoLines), ([line, line], SameDeviceTwice), (many, TooManyLines)):
        with pytest.raises(error):
            check_lines(lines)


def test_many_are_renewed_to_one_day_each_at_the_price_of_its_days() -> None:
    """Two years that end 73 days apart, renewed to one day: together they cost what their days cost."""
    day = date(2027, 3, 1)
    ends = {began: present(began=began).ends_at for began in (365, 292)}
    assert ends[365] < ends[292] <= NOON + 73 * DAY
    totals = []
    for began in ends:
        request = PlanLineRequest(
            device_key="FT-X1-00000042", plan_id="premium_prepaid-1_year", ends_on=day
        )
        line = quoted_line(request, Product.FT_X1, a_plan(), present(began=began), ADDRESS, NOON)
        assert (line.problem, line.ends_at, line.ends_on) == (None, end_on(day), day)
        totals.append(line.base_amount - line.discount)
    assert totals == [Decimal("100.00"), Decimal("80.00")]


@pytest.mark.parametrize(
    ("day", "fits"),
    [
        (date(2026, 3, 30), False),  # less than thirty days
        (date(2026, 3, 31), True),
        (date(2027, 3, 1), True),  # the whole term
        (date(2027, 3, 3), False),
    ],
)
def test_a_plan_ends_within_its_term_and_not_before_thirty_days(day: date, fits: bool) -> None:
    assert (cut_to(a_plan(), (), None, NOON, day) is not None) is fits
    request = PlanLineRequest(
        device_key="FT-X1-00000042", plan_id="premium_prepaid-1_year", ends_on=day
    )
    line = quoted_line(request, Product.FT_X1, a_plan(), None, ADDRESS, NOON)
    assert line.problem == (None if fits else LineProblem.END_UNSUITABLE)
    assert (line.total == 0) is not fits


PRICES = {
    term: Decimal(price)
    for term, price in zip(Term, (9, 100, 190, 270, 340, 400, 437), strict=True)
}
"""Of each term, those of a longer one less by the day."""


@given(
    term=st.sampled_from(Term),
    days=st.integers(30, 366 * 6),
    had=st.sampled_from([None, present(), present(began=400)]),
)
def test_no_cut_of_a_long_term_costs_less_than_a_shorter_one(
    term: Term, days: int, had: Subscription | None
) -> None:
    """A day costs by the shortest term that reaches it, and no less than a whole term that it outlasts."""
    sold = [a_plan(term=one, amount=str(price)) for one, price in PRICES.items()]
    begin = begin_of(sold[0], had, NOON)
    day = (begin + days * DAY).date()
    cuts = [cut_to(plan, sold, had, NOON, day) for plan in sold]
    amounts = [(cut.amount, cut.list_amount) for cut in cuts if cut is not None]
    shortest = next((plan for plan, cut in zip(sold, cuts, strict=True) if cut), None)
    assert len(set(amounts)) <= 1
    if shortest is None:
        return
    outlasted = [plan for plan in sold if plan.months < shortest.months]
    assert all(amounts[0][0] >= plan.amount for plan in outlasted)
    assert all(amounts[0][1] >= plan.list_amount for plan in outlasted)
    assert amounts[0][0] <= shortest.amount


def test_an_upgrade_is_not_cut_as_its_credit_may_be_more_than_it_costs() -> None:
    """The rest of the present plan is worth 53.00, thirty days of the higher one would cost 8.22."""
    request = PlanLineRequest(
        device_key="FT-X1-00000042",
        plan_id="premium_plus_prepaid-1_year",
        ends_on=date(2026, 3, 31),
    )
    line = quoted_line(request, Product.FT_X1, a_plan(3), present(), ADDRESS, NOON)
    assert line.problem == LineProblem.END_UNSUITABLE
    ended = quoted_line(request, Product.FT_X1, a_plan(3), present(began=400), ADDRESS, NOON)
    assert (ended.problem, ended.credit) == (None, 0)


@pytest.mark.parametrize(
    ("day", "problem"),
    [
        (date(2028, 7, 1), None),
        (date(2033, 3, 6), None),
        (date(2033, 3, 7), LineProblem.PLAN_TOO_LONG),
        (None, LineProblem.PLAN_TOO_LONG),
    ],
)
def test_a_renewal_is_too_long_by_the_end_that_it_would_have(
    day: date | None, problem: LineProblem | None
) -> None:
    had = present().model_copy(update={"ends_at": NOON + 500 * DAY})
    request = PlanLineRequest(
        device_key="FT-X1-00000042", plan_id="premium_prepaid-6_year", ends_on=day
    )
    six = a_plan(term=Term.SIX_YEARS)
    assert quoted_line(request, Product.FT_X1, six, had, ADDRESS, NOON).problem == problem


def test_another_end_is_another_purchase_and_another_agreement() -> None:
    """Without a day both are known by what they were before there were days."""
    whole = PlanLineRequest(device_key="FT-X1-00000042", plan_id="premium_prepaid-1_year")
    requests = [
        whole.model_copy(update={"ends_on": day})
        for day in (None, date(2026, 9, 1), date(2026, 9, 2))
    ]
    assert len({said_again("N1", [request]) for request in requests}) == 3
    held = json.dumps(["N1", [[whole.device_key, whole.plan_id]]])
    assert said_again("N1", [whole]) == hashlib.sha256(held.encode()).hexdigest()
    lines = [
        quoted_line(request, Product.FT_X1, a_plan(amount="0.00"), None, ADDRESS, NOON)
        for request in requests
    ]
    assert {line.total for line in lines} == {0}
    assert len({hash_of([line], ADDRESS) for line in lines}) == 3


def test_a_month_of_six_years_costs_what_a_month_costs() -> None:
    sold = [a_plan(term=one, amount=str(price)) for one, price in PRICES.items()]
    request = PlanLineRequest(
        device_key="FT-X1-00000042", plan_id="premium_prepaid-6_year", ends_on=date(2026, 4, 1)
    )
    line = quoted_line(request, Product.FT_X1, sold[-1], None, ADDRESS, NOON, sold)
    assert (line.base_amount - line.discount, line.plan_id) == (Decimal("9.00"), request.plan_id)


def test_the_worth_of_what_was_cut_is_what_was_paid_for_it() -> None:
    request = PlanLineRequest(
        device_key="FT-X1-00000042", plan_id="premium_prepaid-1_year", ends_on=date(2026, 5, 13)
    )
    line = quoted_line(request, Product.FT_X1, a_plan(), None, ADDRESS, NOON)
    assert (line.worth, line.credit) == (Decimal("20.00"), 0)  # 73 of 365 days


@pytest.mark.parametrize(("rank", "expected"), [(3, False), (4, True)])
def test_the_highest_plan_of_a_device_has_nothing_above_it(rank: int, expected: bool) -> None:
    assert is_highest(present(rank)) is expected
