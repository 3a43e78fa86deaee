"""The transitions of a bank account's verification, and what its states mean."""

import pytest
from pydantic import ValidationError

from api.billing.bank_accounts import Amounts
from domain.billing.bank_verification import REFUSALS, DepositsReturned
from domain.billing.bank_verification_v1 import (
    BANK_VERIFICATION,
    LABELS,
    STATUS,
    USER_EVENTS,
)
from domain.errors import Conflict, Gone
from domain.kinds import BANK_VERIFICATION as BANK_VERIFICATION_KIND


def test_every_state_can_be_reached_and_has_a_label() -> None:
    reached, looked_at = {"opening"}, set[str]()
    while reached != looked_at:
        looked_at = set(reached)
        reached |= {target for state in looked_at for target in BANK_VERIFICATION[state].values()}
    assert reached == set(BANK_VERIFICATION) == set(LABELS)


def test_nothing_waits_for_ever() -> None:
    for state, edges in BANK_VERIFICATION.items():
        if any(event in edges for event in USER_EVENTS):
            assert {"EXPIRED", "SETTLED"} & edges.keys(), state


def test_amounts_are_taken_only_while_they_are_waited_for() -> None:
    assert BANK_VERIFICATION_KIND.allowed("waiting") == ("VERIFY", "REMOVE")
    assert (
        BANK_VERIFICATION_KIND.allowed("sending")
        == BANK_VERIFICATION_KIND.allowed("verified")
        == ("REMOVE",)
    )
    assert (
        BANK_VERIFICATION_KIND.allowed("checking") == BANK_VERIFICATION_KIND.allowed("failed") == ()
    )


def test_only_a_verified_account_can_be_paid_with() -> None:
    assert {state for state, status in STATUS.items() if status == "ready"} == {
        "verified",
        "settled",
    }
    assert set(BANK_VERIFICATION) - set(STATUS) == {"removed", "refused"}


@pytest.mark.parametrize("amounts", [[32], [32, 45, 1], [0, 45], [32, 100], [3.2, 45], ["32", 45]])
def test_two_whole_amounts_under_a_dollar_are_needed(amounts: list[object]) -> None:
    with pytest.raises(ValidationError):
        Amounts.model_validate({"paymentMethodId": "m", "amounts": amounts})


def test_every_refusal_of_a_run_has_words_and_a_status() -> None:
    assert len(REFUSALS) == 6
    for refusal in REFUSALS.values():
        assert issubclass(refusal, Conflict | Gone)
        assert refusal.detail not in (Conflict.detail, Gone.detail)


def test_a_bank_may_give_no_reason() -> None:
    assert DepositsReturned().reason is None
