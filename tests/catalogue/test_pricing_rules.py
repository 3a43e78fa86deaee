"""The price rule as a table (shop spec 1), and which list holds when."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from domain.catalogue.pricing import (
    Listed,
    ListedSpan,
    ListKind,
    Prices,
    Rule,
    Viewer,
    display_price_for,
    listed_at,
    viewer_of,
)
from domain.identity.people import INSIDE_REP_GROUP, Actor, Site, User, UserType

SITE = Site(code="ca", host="localhost", label="Turnkey Canada", country="CA", time_zone="UTC")
CHANNEL = Listed(amount=Decimal(75), list_name="Dealer 2", kind=ListKind.TIER)
AGREED = Listed(amount=Decimal(60), list_name="Agreed with N1001", kind=ListKind.AGREED)
BOTH = Prices(msrp=Decimal(100), channel=CHANNEL, agreed=AGREED)
TIER_ONLY = Prices(msrp=Decimal(100), channel=CHANNEL)
MSRP_ONLY = Prices(msrp=Decimal(100))
NO_PRICE = Prices(msrp=None)


def a_viewer(*, rep: bool = False, retired: bool = False, approved: bool = False) -> Viewer:
    return Viewer(
        channel="dealer-2",
        partner_code="N1001",
        approved_brands=frozenset({"compustar"} if approved else ()),
        is_rep_with_business=rep,
        is_retired=retired,
    )


@pytest.mark.parametrize(
    ("rep", "retired", "approved", "rule"),
    [
        (False, False, False, Rule.MSRP),
        (False, False, True, Rule.APPROVED_BRAND),
        (False, True, False, Rule.RETIRED),
        (False, True, True, Rule.RETIRED),
        (True, False, False, Rule.REP_FOR_BUSINESS),
        (True, False, True, Rule.REP_FOR_BUSINESS),
        (True, True, False, Rule.REP_FOR_BUSINESS),
        (True, True, True, Rule.REP_FOR_BUSINESS),
    ],
)
@pytest.mark.parametrize(
    ("prices", "discounted"),
    [(BOTH, 60), (TIER_ONLY, 75), (MSRP_ONLY, 100), (NO_PRICE, None)],
)
def test_the_price_that_is_shown(
    rep: bool, retired: bool, approved: bool, rule: Rule, prices: Prices, discounted: int | None
) -> None:
    figure = display_price_for(
        a_viewer(rep=rep, retired=retired, approved=approved), "compustar", prices
    )
    expected = prices.msrp if rule is Rule.MSRP else discounted
    assert (figure.rule, figure.amount, figure.msrp) == (rule, expected, prices.msrp)


def test_a_figure_says_where_it_stands() -> None:
    figure = display_price_for(a_viewer(approved=True), "compustar", BOTH)
    assert (figure.list_name, figure.kind) == ("Agreed with N1001", ListKind.AGREED)


def test_who_sees_the_list_price_is_told_of_no_other() -> None:
    figure = display_price_for(a_viewer(), "compustar", BOTH)
    assert (figure.list_name, figure.kind, figure.ends_at) == ("MSRP", None, None)


def a_person(**more: object) -> User:
    return User.model_validate(
        {"id": "u", "email": "u@x.example", "first_name": "U", "last_name": "X", **more}
    )


REP = a_person(permission_groups=(INSIDE_REP_GROUP,))
INSTALLER = a_person(user_type=(UserType(),), partner_code="N1001")


@pytest.mark.parametrize(
    ("user", "chosen", "is_rep", "is_retired"),
    [
        (None, None, False, False),
        (INSTALLER, None, False, False),
        (INSTALLER.model_copy(update={"is_retired": True}), None, False, True),
        (REP, None, False, False),
        (REP, "N1001", True, False),
        (REP.model_copy(update={"is_retired": True}), "N1001", False, True),
    ],
)
def test_who_somebody_is_for_prices(
    user: User | None, chosen: str | None, is_rep: bool, is_retired: bool
) -> None:
    actor = Actor(request_id="r", site=SITE, user=user, partner_code=chosen)
    viewer = viewer_of(actor, "dealer-2" if actor.business_code else None, frozenset())
    assert (viewer.is_rep_with_business, viewer.is_retired) == (is_rep, is_retired)
    assert viewer.channel == ("dealer-2" if actor.business_code else "msrp")


def a_span(list_id: str, begins: int | None, ends: int | None, amount: int) -> ListedSpan:
    return ListedSpan(
        list_id=list_id, starts_at=on(begins), ends_at=on(ends), amount=Decimal(amount)
    )


def on(day: int | None) -> datetime | None:
    return None if day is None else datetime(2026, 3, day, tzinfo=UTC)


SPANS = [
    a_span("tier", None, None, 100),
    a_span("deal", 5, 10, 80),
    a_span("flash", 7, 8, 70),
    a_span("flash-2", 7, 8, 65),
]


@pytest.mark.parametrize(
    ("day", "amount"), [(1, 100), (4, 100), (5, 80), (6, 80), (7, 65), (8, 80), (9, 80), (10, 100)]
)
def test_the_list_that_began_last_holds(day: int, amount: int) -> None:
    at = on(day)
    assert at is not None
    held = listed_at(SPANS, at)
    assert held is not None
    assert held.amount == amount


def test_outside_of_all_lists_nothing_holds() -> None:
    at = on(12)
    assert at is not None
    assert listed_at(SPANS[1:], at) is None
