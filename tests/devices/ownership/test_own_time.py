"""Whoever has a device next reads nothing of the life it had before; whoever has had it through reads all of it."""

from datetime import timedelta

import pytest

from domain.devices.devices import VehicleDetails
from domain.devices.own_time import Claim, DeviceHistory, LeftVehicle, own_since, own_vehicle
from domain.devices.ownership import Asker, DeviceFacts, LiveRun, Party
from tests.drivers.times import NOON

OURS, THEIRS, GUEST = Party(dealer_id="ours"), Party(dealer_id="theirs"), Party()
WE, SOMEBODY = Asker(dealer_id="ours", person_id="we"), Asker(dealer_id="new", person_id="she")
DAY = timedelta(days=1)


def a_claim(party: Party, since: int, until: int | None, **more: bool) -> Claim:
    """Of so many days ago."""
    ended = None if until is None else NOON - until * DAY
    return Claim(party=party, since=NOON - since * DAY, until=ended, **more)


def begins(
    asker: Asker, facts: DeviceFacts, *claims: Claim, released: int | None = None
) -> int | None:
    """How many days ago their time begins."""
    at = None if released is None else NOON - released * DAY
    since = own_since(asker, facts, DeviceHistory(claims=claims, released_at=at), NOON)
    return None if since is None else (NOON - since).days


def test_whoever_has_had_it_through_reads_everything():
    facts = DeviceFacts(finisher=OURS)
    assert begins(WE, facts, a_claim(OURS, 800, 800)) is None
    assert begins(WE, DeviceFacts(network_owner="ours")) is None
    visited = a_claim(THEIRS, 30, 30, makes_owner=False)
    assert begins(WE, facts, a_claim(OURS, 800, 800), visited) is None
    assert begins(Asker(everywhere=True), facts, a_claim(THEIRS, 9, 9), released=3) is None


@pytest.mark.parametrize("again", [a_claim(OURS, 10, 9), a_claim(OURS, 10, -300)])
def test_a_new_owner_begins_with_their_first_run_or_plan(again: Claim):
    facts = DeviceFacts(finisher=OURS)
    before = a_claim(THEIRS, 800, 799)
    assert begins(WE, facts, before, again) == 10
    assert begins(WE, facts, before, again, released=20) == 10
    own_of_before = a_claim(OURS, 900, 899)
    assert begins(WE, facts, own_of_before, before, again) == 10


def test_an_owner_whom_the_network_names_anew_begins_with_nothing():
    facts = DeviceFacts(network_owner="ours")
    assert begins(WE, facts, a_claim(THEIRS, 800, 799)) == 0
    assert begins(WE, facts, a_claim(OURS, 800, 799), released=20) == 0
    serviced = a_claim(OURS, 3, 3, makes_owner=False)
    assert begins(WE, facts, a_claim(THEIRS, 800, 799), serviced) == 3


def test_what_another_pays_still_takes_nothing_of_ones_own_time():
    paid = a_claim(THEIRS, 100, -200)
    assert begins(WE, DeviceFacts(network_owner="ours"), paid, a_claim(OURS, 10, 9)) == 10


def test_of_nobodys_nothing_is_told_from_before():
    nobodys = DeviceFacts()
    assert begins(SOMEBODY, nobodys) is None
    assert begins(SOMEBODY, nobodys, a_claim(THEIRS, 800, 799), released=20) == 20
    assert begins(SOMEBODY, nobodys, a_claim(THEIRS, 800, 40)) == 40
    assert begins(Asker(), nobodys, a_claim(GUEST, 800, 799), a_claim(GUEST, 50, 49)) == 50
    held = DeviceFacts(run=LiveRun(id="run", party=OURS))
    assert begins(WE, held, a_claim(OURS, 2, None, makes_owner=False), released=20) == 2


def a_vehicle(party: Party, ago: int, model: str) -> LeftVehicle:
    vehicle = VehicleDetails(year=2022, make_id=448, make="Toyota", model_id=1, model=model)
    return LeftVehicle(party=party, at=NOON - ago * DAY, vehicle=vehicle)


@pytest.mark.parametrize(("since", "model"), [(None, "Camry"), (9, "Camry"), (7, None), (8, None)])
def test_the_vehicle_is_what_ones_own_people_told_last_in_their_own_time(
    since: int | None, model: str | None
):
    told = [a_vehicle(THEIRS, 2, "Civic"), a_vehicle(GUEST, 5, "Golf"), a_vehicle(OURS, 8, "Camry")]
    begins_at = None if since is None else NOON - since * DAY
    found = own_vehicle(WE, [*told, a_vehicle(OURS, 30, "Corolla")], begins_at)
    assert (found and found.model) == model


def test_a_person_without_a_business_has_what_they_told_alone():
    told = [a_vehicle(Party(dealer_id="d", person_id="she"), 1, "Civic")]
    alone = [
        a_vehicle(Party(person_id="other"), 1, "Golf"),
        a_vehicle(Party(person_id="she"), 3, "Camry"),
    ]
    asker = Asker(person_id="she")
    assert own_vehicle(asker, told, None) is None
    found = own_vehicle(asker, [*told, *alone], None)
    assert found is not None
    assert found.model == "Camry"
    assert own_vehicle(Asker(), alone, None) is None
