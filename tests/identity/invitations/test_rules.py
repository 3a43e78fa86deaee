"""The transitions of an invitation, and who may join."""

import pytest

from domain import kinds
from domain.identity.invitation_v1 import INVITATION, LABELS, USER_EVENTS
from domain.identity.invitations import BelongsElsewhere, check_may_join, works_at
from domain.identity.people import OUTSIDE_REP_GROUP, User, UserType

NOBODYS = User(id="p", email="p@people.example", first_name="Pat", last_name="Person")
OURS = NOBODYS.model_copy(update={"dealer_id": "ours", "user_type": (UserType(),)})


def test_every_state_can_be_reached_and_has_a_label() -> None:
    reached, looked_at = {"opening"}, set[str]()
    while reached != looked_at:
        looked_at = set(reached)
        reached |= {target for state in looked_at for target in INVITATION[state].values()}
    assert reached == set(INVITATION) == set(LABELS)


def test_every_open_state_has_an_end_of_its_own() -> None:
    """Nothing waits for ever: each state that waits for a person expires."""
    for state, edges in INVITATION.items():
        if any(event in edges for event in USER_EVENTS):
            assert edges["EXPIRED"] == "expired", state


def test_an_accepted_invitation_can_be_neither_declined_nor_withdrawn() -> None:
    assert kinds.INVITATION.allowed("waiting") == ("ACCEPT", "DECLINE", "WITHDRAW")
    assert kinds.INVITATION.allowed("registering") == ("WITHDRAW",)
    for state in ("accepting", "accepted", "registered", "declined", "withdrawn", "expired"):
        assert kinds.INVITATION.allowed(state) == (), state


def test_whoever_belongs_nowhere_or_here_may_join() -> None:
    check_may_join(NOBODYS, "ours")
    check_may_join(OURS, "ours")
    assert works_at(OURS, "ours")
    assert not works_at(NOBODYS, "ours")
    assert not works_at(OURS, "theirs")


@pytest.mark.parametrize(
    "change",
    [
        {"dealer_id": "theirs"},
        {"partner_code": "B2C100"},
        {"is_retired": True},
        {"permission_groups": (OUTSIDE_REP_GROUP,)},
        {"access_type": "firstech_admin"},
    ],
    ids=["another dealer", "consumer", "retired", "rep", "administrator"],
)
def test_whoever_belongs_elsewhere_may_not_join(change: dict[str, object]) -> None:
    with pytest.raises(BelongsElsewhere):
        check_may_join(NOBODYS.model_copy(update=change), "ours")
