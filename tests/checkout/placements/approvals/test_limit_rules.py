"""What limits say of an order, whom they bind, who approves."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from domain.checkout.approvals import is_approver
from domain.checkout.limits import Allowance, PurchaseLimits, is_limited, month_of
from domain.checkout.placement import PlacementPolicy
from domain.identity.people import INSIDE_REP_GROUP, User, UserType

HUNDRED = Decimal(100)


def a_user(**more: object) -> User:
    named = {"id": "one", "email": "one@people.example", "first_name": "O", "last_name": "N"}
    return User.model_validate({**named, "dealer_id": "ours", **more})


def installer(*, is_owner: bool = False, is_purchaser: bool = False, **more: object) -> User:
    return a_user(user_type=(UserType(is_owner=is_owner, is_purchaser=is_purchaser),), **more)


def allowance(ordered: str = "0", **limits: Decimal) -> Allowance:
    return Allowance(limits=PurchaseLimits(**limits), ordered=Decimal(ordered))


@pytest.mark.parametrize(("total", "is_over"), [("100.00", False), ("100.01", True)])
def test_a_limit_is_the_most_that_may_be(total: str, is_over: bool) -> None:
    amount = Decimal(total)
    assert allowance(per_order=HUNDRED).is_over_order(amount) is is_over
    assert allowance("50", per_month=HUNDRED + 50).is_over_month(amount) is is_over
    assert allowance(approval_above=HUNDRED).needs_approval(amount) is is_over


def test_without_a_limit_nothing_is_over_it() -> None:
    free, much = allowance("1000000"), Decimal(1_000_000)
    assert not free.is_over_order(much)
    assert not free.is_over_month(much)
    assert not free.needs_approval(much)


def test_limits_bind_purchasers_alone() -> None:
    assert is_limited(installer(is_purchaser=True))
    assert not is_limited(installer(is_owner=True, is_purchaser=True))
    assert not is_limited(
        installer(is_purchaser=True, permission_groups=(INSIDE_REP_GROUP,), dealer_id=None)
    )


def test_owners_of_the_dealer_approve_and_nobody_their_own() -> None:
    def may(user: User, requester_id: str = "other") -> bool:
        return is_approver(user, dealer_id="ours", requester_id=requester_id)

    assert may(installer(is_owner=True))
    assert not may(installer(is_owner=True), requester_id="one")
    assert not may(installer(is_owner=True, dealer_id="theirs"))
    assert not may(installer(is_owner=True, is_retired=True))
    assert not may(installer(is_purchaser=True))
    assert not may(a_user(permission_groups=(INSIDE_REP_GROUP,)))
    assert not is_approver(
        installer(is_owner=True, dealer_id=None), dealer_id=None, requester_id="other"
    )


def test_a_month_is_that_of_utc() -> None:
    west = timezone(timedelta(hours=-8))
    assert month_of(datetime(2026, 11, 30, 17, tzinfo=west)) == datetime(2026, 12, 1, tzinfo=UTC)


def test_an_approval_is_waited_for_30_days() -> None:
    assert PlacementPolicy().approval == timedelta(days=30)
