"""Whose a run is, for every kind of run (`domain/runs/access.py`)."""

import pytest

from api.platform.sites import CANADA
from domain.devices.ownership import Party
from domain.identity.people import ADMIN_ACCESS, DEALER_ACCOUNTING_GROUP, Actor, User, UserType
from domain.kinds import BY_NAME
from domain.runs.access import may_access, may_read_case
from domain.runs.projection import RunOwner

WORKS = {"activation", "firmware"}
BUYS = {"placement", "purchase", "invoice_payment"}
KINDS = sorted(BY_NAME)


def actor(**user: object) -> Actor:
    somebody = {"id": "other", "email": "robin@people.example", "first_name": "R", "last_name": "T"}
    return Actor(request_id="test", site=CANADA, user=User.model_validate(somebody | user))


def run(kind: str) -> RunOwner:
    asked = Party(dealer_id="asked")
    return RunOwner(kind=kind, owner_id="own", dealer_id="ours", partner="BP1", asked=asked)


def kinds_of(actor: Actor) -> set[str]:
    """The kinds of run of which this one is the actor's."""
    return {kind for kind in KINDS if may_access(actor, run(kind))}


def test_who_began_it_has_it() -> None:
    assert kinds_of(actor(id="own")) == WORKS | BUYS | {"visit"}


def test_a_colleague_goes_on_with_work_on_devices_and_buys_nothing() -> None:
    assert kinds_of(actor(dealer_id="ours", user_type=(UserType(),))) == WORKS


def test_a_purchaser_has_what_the_business_buys_and_pays_with() -> None:
    purchaser = (UserType(is_purchaser=True),)
    assert kinds_of(actor(partner_code="BP1", user_type=purchaser)) == BUYS | {"bank_verification"}
    assert kinds_of(actor(partner_code="BP2", user_type=purchaser)) == set()


def test_an_owner_has_the_invitations_too() -> None:
    owner = actor(dealer_id="ours", partner_code="BP1", user_type=(UserType(is_owner=True),))
    assert kinds_of(owner) == set(KINDS) - {"visit", "case"}


def test_the_business_that_was_asked_has_the_visit() -> None:
    assert kinds_of(actor(dealer_id="asked", user_type=(UserType(),))) == {"visit"}


def test_an_administrator_has_what_operators_look_after() -> None:
    assert kinds_of(actor(access_type=ADMIN_ACCESS)) == WORKS | BUYS | {"case"}


def test_who_has_retired_keeps_only_their_own() -> None:
    retired = {"user_type": (UserType(is_owner=True),), "is_retired": True, "partner_code": "BP1"}
    assert kinds_of(actor(**retired)) == set()
    assert kinds_of(actor(id="own", **retired)) == WORKS | BUYS | {"visit"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_guest_has_what_their_capability_opens_and_nobody_has_nothing(kind: str) -> None:
    guest = Actor(request_id="test", site=CANADA, capability_hash="0" * 64)
    assert may_access(guest, run(kind), opens=True)
    assert not may_access(guest, run(kind))
    nobody = Actor(request_id="test", site=CANADA)
    assert not may_access(nobody, run(kind), opens=True)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_nobodys_is_not_everybodys(kind: str) -> None:
    """Somebody without dealer and business has nothing in common with a run that has neither."""
    assert not may_access(actor(user_type=(UserType(is_owner=True),)), RunOwner(kind=kind))


PURCHASER = {"user_type": (UserType(is_purchaser=True),)}


@pytest.mark.parametrize(
    ("user", "is_told"),
    [
        ({"id": "own"}, True),
        ({"partner_code": "BP1", **PURCHASER}, True),
        ({"partner_code": "BP1", "permission_groups": (DEALER_ACCOUNTING_GROUP,)}, True),
        ({"access_type": ADMIN_ACCESS}, True),
        ({"partner_code": "BP2", **PURCHASER}, False),
        ({"partner_code": "BP1", "dealer_id": "ours", "user_type": (UserType(),)}, False),
        ({"id": "own", "partner_code": "BP1", "is_retired": True, **PURCHASER}, False),
    ],
)
def test_what_happened_to_money_is_told_to_whoever_reads_it(
    user: dict[str, object], is_told: bool
) -> None:
    assert may_read_case(actor(**user), run("case")) is is_told


def test_no_guest_is_told_of_money() -> None:
    guest = Actor(request_id="test", site=CANADA, capability_hash="0" * 64)
    assert not may_read_case(guest, run("case"))
