"""What a placement may do where, and what becomes of what was frozen."""

from datetime import timedelta

import pytest

from domain.billing.invoice_payment import InvoicePaymentPolicy
from domain.checkout.placement import (
    BY_HAND,
    UNCLEAR_IN,
    How,
    PlacementPolicy,
    event_by_hand,
    waits_on,
)
from domain.checkout.placements import placement_v4 as transitions
from domain.kinds import PLACEMENT
from domain.plans.purchases import PurchasePolicy
from domain.runs.kind import WaitsFor

ENDS = {state for state, to in transitions.PLACEMENT.items() if not to}


@pytest.mark.parametrize("state", sorted(transitions.PLACEMENT))
def test_whoever_is_waited_for_is_named_until_the_end(state: str) -> None:
    assert (waits_on(state) is None) == (state in ENDS)
    waits_for_a_person = state in PLACEMENT.turns[WaitsFor.PERSON]
    assert waits_for_a_person == (waits_on(state) in ("buyer", "approver", "operator"))


def test_money_and_goods_can_be_called_back_until_the_erp_has_accepted() -> None:
    for state in (
        "waiting_for_approval",
        "requoted",
        "authorising",
        "action_required",
        "payment_failed",
        "handing_over",
    ):
        assert transitions.CANCEL in transitions.allowed(state)
    for state in ("capturing", "compensating", *ENDS):
        assert transitions.CANCEL not in transitions.allowed(state)


@pytest.mark.parametrize("policy", [PlacementPolicy(), PurchasePolicy(), InvoicePaymentPolicy()])
def test_nobody_waits_longer_than_seconds_for_a_provider_to_let_go(
    policy: PlacementPolicy | PurchasePolicy | InvoicePaymentPolicy,
) -> None:
    assert policy.brief <= timedelta(seconds=5)


@pytest.mark.parametrize("stuck_in", sorted(transitions.STUCK))
def test_what_needs_attention_offers_what_fits_where_it_stands(stuck_in: str) -> None:
    assert stuck_in in UNCLEAR_IN, "a run in the place of this one would say nothing"
    offered = transitions.allowed("needs_attention", stuck_in)
    by_hand = set(offered) - {transitions.CHOOSE_PAYMENT}  # the buyer's own way on
    assert by_hand == set(BY_HAND[stuck_in].values())
    assert all(event in transitions.PLACEMENT["needs_attention"] for event in offered)


@pytest.mark.parametrize(
    ("state", "stuck_in", "how", "event"),
    [
        ("needs_attention", "capturing", "confirmed", transitions.SETTLE_CONFIRMED),
        ("needs_attention", "capturing", "cancel", None),
        ("needs_attention", "authorising", "confirmed", None),
        ("needs_attention", "compensating", "undone", transitions.SETTLE_UNDONE),
        ("handing_over", None, "retry", transitions.RETRY_HAND_OVER),
        ("authorising", None, "retry", None),
        ("confirmed", None, "retry", None),
        ("handing_over", None, None, None),
    ],
)
def test_an_operators_request_is_an_event_or_nothing(
    state: str, stuck_in: str | None, how: How | None, event: str | None
) -> None:
    assert event_by_hand(state, stuck_in, how) == event


def test_every_way_out_before_the_acceptance_leads_through_compensating() -> None:
    for state, to in transitions.PLACEMENT.items():
        if state in ("compensating", "needs_attention"):
            continue
        assert not set(to.values()) & (ENDS - {"confirmed"}), state
