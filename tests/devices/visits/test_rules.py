"""What a yes permits, and to whom."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.devices.ownership import Asker, DeviceFacts, Ownership, Party, whose_device
from domain.devices.visit_v1 import LABELS, VISIT
from domain.devices.visits import Visit, may_answer, permits, shown_state

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
VISITOR = Asker(dealer_id="prairie", partner_code="N2", person_id="marcus")
OWNED = DeviceFacts(payer=Party(dealer_id="harbour", partner_code="N1", person_id="olivia"))


def a_visit(state: str = "permitted", *, owner_dealer_id: str | None = "harbour") -> Visit:
    return Visit(
        id="v",
        workflow_id="visit-v",
        device_key="FT-X1-00000001",
        visitor_id="marcus",
        visitor_dealer_id="prairie",
        visitor_name="Marcus Okafor",
        visitor_business="Prairie Remote Start",
        owner_dealer_id=owner_dealer_id,
        owner_partner_code="N1",
        owner_person_id=None,
        reason="the siren",
        state=state,
        rev=1,
        answered_by=None,
        asked_at=NOW,
        expires_at=NOW + timedelta(hours=1),
        updated_at=NOW,
        ended_at=None,
    )


def test_a_yes_lets_the_visitor_in_and_changes_nothing_about_whose_it_is() -> None:
    assert permits(VISITOR, OWNED, (a_visit(),))
    assert whose_device(VISITOR, OWNED) is Ownership.FOREIGN


@pytest.mark.parametrize(
    "asker",
    [
        Asker(dealer_id="prairie", partner_code="N2", person_id="a colleague"),
        Asker(dealer_id="elsewhere now", person_id="marcus"),
        Asker(person_id="marcus"),
        Asker(),
    ],
)
def test_a_yes_is_for_one_person_at_one_business(asker: Asker) -> None:
    assert not permits(asker, OWNED, (a_visit(),))


def test_a_yes_of_whom_the_device_belongs_to_no_longer_permits_nothing() -> None:
    sold = OWNED.with_network_owner("another dealer")
    assert not permits(VISITOR, sold, (a_visit(),))
    assert not permits(VISITOR, DeviceFacts(), (a_visit(),))


def test_the_people_of_the_owner_answer_and_nobody_else() -> None:
    assert may_answer(Asker(dealer_id="harbour", person_id="ivan"), a_visit())
    assert may_answer(Asker(partner_code="N1", person_id="a rep"), a_visit())
    assert not may_answer(VISITOR, a_visit())
    assert not may_answer(Asker(person_id="olivia, retired"), a_visit())


def test_a_time_that_is_over_is_shown_before_the_run_has_noticed() -> None:
    late = NOW + timedelta(hours=1)
    assert shown_state(a_visit("waiting"), now=late) == "lapsed"
    assert shown_state(a_visit("permitted"), now=late) == "ended"
    assert shown_state(a_visit("permitted"), now=NOW, done=True) == "ended"
    assert shown_state(a_visit("refused"), now=late) == "refused"


def test_every_state_of_the_walk_has_a_name() -> None:
    assert (
        set(LABELS) == set(VISIT) == {"waiting", *(t for e in VISIT.values() for t in e.values())}
    )
