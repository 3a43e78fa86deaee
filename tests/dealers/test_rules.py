"""Shares of a reward, days of a filter, and a dealer that is never without an owner."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from pydantic import ValidationError

from domain.dealers.dealers import (
    DealerProfile,
    Installer,
    LastOwner,
    check_leaves_an_owner,
    leaves_others_an_owner,
)
from domain.dealers.payouts import (
    MOVES,
    PayoutState,
    ends_before,
    month_after,
    month_before,
    month_state,
)
from domain.dealers.rewards import (
    Completed,
    Reward,
    RewardPolicy,
    amount_for,
    days,
    next_month,
    rewards_for,
    shares,
    taken_back,
)
from domain.devices.devices import Product
from domain.errors import Invalid

POLICY = RewardPolicy.model_validate(
    {"amounts": {"X1": {"none": "5", "any": "10", "premium_prepaid": "15.01"}}}
)


def a_run(*installers: str, plan: str | None = None, product: str | None = "ft-x1") -> Completed:
    return Completed(
        flow_id="run",
        dealer_id="dealer",
        device_key="FT-X1-00000001",
        product_name=product,
        plan_slug=plan,
        installers=installers,
        ended_at=datetime(2026, 3, 31, 23, 59, 59, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("amount", "among", "parts"),
    [
        ("10.00", 1, ["10.00"]),
        ("10.00", 2, ["5.00", "5.00"]),
        ("10.01", 2, ["5.01", "5.00"]),
        ("10.00", 3, ["3.34", "3.33", "3.33"]),
        ("0.01", 2, ["0.01", "0.00"]),
    ],
)
def test_a_reward_is_split_to_the_cent_and_the_odd_one_is_the_firsts(
    amount: str, among: int, parts: list[str]
) -> None:
    found = shares(Decimal(amount), among)
    assert found == tuple(Decimal(part) for part in parts)
    assert sum(found) == Decimal(amount)


def test_the_amount_follows_family_and_plan() -> None:
    assert amount_for("ft-x1", None, POLICY) == Decimal(5)
    assert amount_for("ft-x1", "basic_prepaid", POLICY) == Decimal(10)
    assert amount_for("ft-x1", "premium_prepaid", POLICY) == Decimal("15.01")
    assert amount_for("ft-xc", None, POLICY) == 0
    assert amount_for("unheard-of", None, POLICY) == 0
    assert amount_for(None, None, POLICY) == 0


@pytest.mark.parametrize("product", Product)
@pytest.mark.parametrize("plan", [None, "basic_prepaid", "premium_prepaid"])
def test_every_product_earns_something_with_and_without_a_plan(
    product: Product, plan: str | None
) -> None:
    assert amount_for(product, plan, RewardPolicy()) > 0


def test_two_who_worked_together_share() -> None:
    found = rewards_for(a_run("first", "second", plan="premium_prepaid"), POLICY)
    assert [(one.installer_id, one.amount) for one in found] == [
        ("first", Decimal("7.51")),
        ("second", Decimal("7.50")),
    ]
    assert {one.shared_among for one in found} == {2}


def test_who_is_named_twice_earns_once() -> None:
    (only,) = rewards_for(a_run("first", "first"), POLICY)
    assert (only.amount, only.shared_among) == (Decimal(5), 1)


def test_nobody_or_nothing_earns_nothing() -> None:
    assert rewards_for(a_run(), POLICY) == ()
    assert rewards_for(a_run("first", product="ft-xc"), POLICY) == ()


def test_days_go_from_their_start_to_their_end_in_utc() -> None:
    found = days(date(2026, 3, 1), date(2026, 3, 31))
    assert found.start == datetime(2026, 3, 1, tzinfo=UTC)
    assert found.before == datetime(2026, 4, 1, tzinfo=UTC)
    assert days(None, None).start is None
    assert days(None, date.max).before is None


def test_from_after_to_is_refused() -> None:
    with pytest.raises(Invalid):
        days(date(2026, 3, 2), date(2026, 3, 1))


def test_a_month_is_due_when_it_is_over_in_utc() -> None:
    end, some = datetime(2026, 3, 31, 23, 59, tzinfo=UTC), Decimal(5)
    assert month_state("2026-03", some, end) == "collecting"
    assert month_state("2026-02", some, end) == "due"
    assert month_state("2026-02", -some, end) == "carried"
    assert month_before(end) == "2026-02"
    assert month_before(datetime(2027, 1, 2, 12, tzinfo=UTC)) == "2026-12"
    assert ends_before("2026-12") == datetime(2027, 1, 1, tzinfo=UTC)
    assert month_after("2026-12") == "2027-01"


def test_money_leaves_a_payout_by_a_return_alone_and_comes_to_it_by_paying_alone() -> None:
    """So no way leads from paid to another payment but by what came back."""
    assert MOVES[PayoutState.PAID] == {PayoutState.RETURNED}
    assert {state for state in PayoutState if PayoutState.PAID in MOVES[state]} == {
        PayoutState.PAYING
    }


@pytest.mark.parametrize(
    ("undone_at", "counts_from"),
    [
        (datetime(2026, 12, 5, 12, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)),
        (datetime(2027, 1, 4, 12, tzinfo=UTC), datetime(2027, 2, 1, tzinfo=UTC)),
        (datetime(2027, 1, 4, 12, 0, 1, tzinfo=UTC), None),
        (datetime(2026, 12, 5, 11, 59, tzinfo=UTC), None),
    ],
)
def test_what_is_undone_takes_back_within_30_days_and_in_the_next_month(
    undone_at: datetime, counts_from: datetime | None
) -> None:
    earned = Reward(
        flow_id="run",
        dealer_id="dealer",
        installer_id="one",
        device_key="FT-X1-00000042",
        product_name="ft-x1",
        plan_slug=None,
        amount=Decimal("2.51"),
        shared_among=2,
        earned_at=datetime(2026, 12, 5, 12, tzinfo=UTC),
    )
    back = taken_back(earned, undone_at)
    assert (back and back.earned_at) == counts_from
    assert (back and back.amount) == (Decimal("-2.51") if counts_from else None)


def test_the_month_after_begins_in_utc() -> None:
    evening = datetime.fromisoformat("2026-10-31T22:00:00-08:00")
    assert next_month(evening) == datetime(2026, 12, 1, tzinfo=UTC)


def an_installer(*, is_owner: bool) -> Installer:
    return Installer(
        id="one",
        dealer_id="dealer",
        first_name="One",
        last_name="Only",
        email="one@people.example",
        is_owner=is_owner,
        is_purchaser=False,
        is_retired=False,
        last_seen_at=None,
        open_activations=0,
    )


def test_the_last_owner_cannot_be_retired() -> None:
    with pytest.raises(LastOwner):
        check_leaves_an_owner(an_installer(is_owner=True), frozenset({"one"}))
    check_leaves_an_owner(an_installer(is_owner=True), frozenset({"one", "other"}))
    check_leaves_an_owner(an_installer(is_owner=False), frozenset({"other"}))


def test_the_last_owner_does_not_leave_others_without_one() -> None:
    assert not leaves_others_an_owner("one", {"one"}, {"one", "hand"})
    assert leaves_others_an_owner("one", {"one", "other"}, {"one", "other", "hand"})
    assert leaves_others_an_owner("hand", {"one"}, {"one", "hand"})
    assert leaves_others_an_owner("one", {"one"}, {"one"})
    assert leaves_others_an_owner("gone", set(), {"hand"})


@pytest.mark.parametrize(
    "website", ["javascript:alert(1)", "ftp://x.example", "https://", 'https://x"onclick=y', "x"]
)
def test_a_website_is_a_web_address(website: str) -> None:
    with pytest.raises(ValidationError):
        DealerProfile(website=website)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("6045550100", "+16045550100"),
        ("604-555-0100", "+16045550100"),
        ("(604) 555 - 0100", "+16045550100"),
        ("+1 604 555 0100", "+16045550100"),
        ("+61 412 345 678 9", "+614123456789"),
        ("+52 (412) 345 - 6789", "+524123456789"),
        (" ", ""),
    ],
)
def test_a_phone_number_is_kept_as_its_country_and_ten_digits(typed: str, kept: str) -> None:
    assert DealerProfile(phone=typed).phone == kept


@pytest.mark.parametrize(
    "typed", ["555 0100", "call me", "60455501000", "+44 412 345 678 9", "+61 412 345 678"]
)
def test_what_is_no_phone_number_is_refused(typed: str) -> None:
    with pytest.raises(ValidationError, match="Phone number invalid"):
        DealerProfile(phone=typed)


def test_a_profile_may_be_empty() -> None:
    assert DealerProfile(website="", USCA=True).website == ""
    assert DealerProfile(website="HTTPS://shop.example/a?b=c").website.startswith("HTTPS")
