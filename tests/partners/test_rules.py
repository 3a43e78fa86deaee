"""The rules of business partners."""

import pytest

from domain.identity.people import (
    ADMIN_ACCESS,
    DEALER_ACCOUNTING_GROUP,
    INSIDE_REP_GROUP,
    INSTALLER_GROUP,
    OUTSIDE_REP_GROUP,
    Site,
    User,
    UserType,
)
from domain.partners.partners import (
    PartnerScope,
    WrongChannel,
    check_channel,
    is_wrong_site,
    must_choose,
    partner_scope_of,
    sees_limited,
    url_of_site,
)

CANADA = Site(code="ca", host="c", label="C", country="CA", time_zone="America/Toronto")
USA = CANADA.model_copy(update={"code": "us", "country": "US"})


def a_user(*groups: str, **more: object) -> User:
    return User.model_validate(
        {
            "id": "p1",
            "email": "p@people.example",
            "first_name": "P",
            "last_name": "One",
            "permission_groups": groups,
            **more,
        }
    )


@pytest.mark.parametrize(
    ("site", "code", "wrong"),
    [
        (CANADA, "N1001", False),
        (CANADA, "A2001", True),
        (CANADA, "B2C0001", True),
        (USA, "N1001", True),
        (USA, "A2001", False),
        (USA, "B2C0001", False),
        (CANADA, None, False),
        (USA, None, False),
    ],
)
def test_the_wrong_site_follows_from_the_code(site: Site, code: str | None, wrong: bool) -> None:
    assert is_wrong_site(site, code) is wrong


@pytest.mark.parametrize(
    ("user", "limited"),
    [
        (a_user(INSTALLER_GROUP), True),
        (a_user(), True),
        (a_user(INSTALLER_GROUP, DEALER_ACCOUNTING_GROUP), False),
        (a_user(INSTALLER_GROUP, user_type=(UserType(is_purchaser=True),)), False),
        (a_user(INSTALLER_GROUP, user_type=(UserType(is_owner=True),)), False),
        (a_user(INSIDE_REP_GROUP), False),
        (a_user(access_type=ADMIN_ACCESS), False),
    ],
)
def test_the_installer_group_alone_sees_a_limited_business(user: User, limited: bool) -> None:
    assert sees_limited(user) is limited


def test_everybody_sees_what_is_theirs() -> None:
    assert partner_scope_of(a_user(access_type=ADMIN_ACCESS)) == PartnerScope(everything=True)
    assert partner_scope_of(a_user(OUTSIDE_REP_GROUP)) == PartnerScope(rep_id="p1")
    assert partner_scope_of(a_user(partner_code="N1")) == PartnerScope(own_code="N1")


def test_a_retired_rep_sees_nothing_and_chooses_nothing() -> None:
    retired = a_user(INSIDE_REP_GROUP, is_retired=True)
    assert partner_scope_of(retired) == PartnerScope()
    assert not must_choose(retired)


def test_the_list_price_is_open_to_all_and_another_channel_to_its_own() -> None:
    check_channel(None, None)
    check_channel("msrp", "dealer-1")
    check_channel("dealer-1", "dealer-1")
    for sent, own in (("dealer-2", "dealer-1"), ("dealer-1", None)):
        with pytest.raises(WrongChannel):
            check_channel(sent, own)


@pytest.mark.parametrize(
    ("host", "portal_url", "url"),
    [
        ("ca.test", "https://ca.test", "https://ca.test"),
        ("us.test", "https://ca.test/", "https://us.test"),
        ("ca.test", "https://us.test", "https://ca.test"),
        ("us.test", "http://ca.test:8000", "http://us.test:8000"),
        ("us.test", "https://elsewhere.test/", "https://elsewhere.test"),
        ("10.0.0.7", "https://ca.test", "https://ca.test"),
    ],
)
def test_a_site_is_at_its_own_host_where_the_portal_is_at_that_of_one(
    host: str, portal_url: str, url: str
) -> None:
    assert url_of_site(host, portal_url, {"ca.test", "us.test"}) == url
