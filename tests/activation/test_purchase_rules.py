"""An activation that waits for the purchase of its device's plan, and what it is told of it."""

import pytest

from domain.activation import reducer as flow
from domain.activation.activation import BuyPlan, PurchaseProgress, Skip, Wait
from domain.devices.activation_type import ActivationType
from domain.devices.devices import DeviceState
from tests.activation.in_memory import Walk, a_device, a_walk

PURCHASE = "purchase-1"


def buying() -> Walk:
    walk = a_walk(
        a_device(device_state=DeviceState.INSTALLED),
        flow_version=3,
        kind=ActivationType.PURCHASE_SUBSCRIPTION,
    )
    walk.to("purchase-plan")
    join(walk)
    return walk


def join(walk: Walk) -> None:
    walk.apply(BuyPlan(actor=walk.actor, seq=walk.state.seq, purchase_id=PURCHASE))
    walk.apply(Wait())


def report(
    walk: Walk,
    number: int,
    state: str,
    provisioned: tuple[str, ...] = (),
    given_up: tuple[str, ...] = (),
) -> None:
    walk.apply(
        PurchaseProgress(
            id=f"p-{number}",
            purchase_id=PURCHASE,
            state=state,
            provisioned=provisioned,
            given_up=given_up,
        )
    )


def test_what_is_still_tried_is_waited_for_again_by_whoever_comes_back():
    walk = buying()
    report(walk, 1, "part_failed")
    assert walk.state.state == "purchase-plan/waiting"
    skip = Skip(actor=walk.actor, seq=walk.state.seq, step="purchase-plan", reason="later")
    walk.apply(skip)
    walk.back()
    join(walk)
    assert (walk.state.state, walk.state.error) == ("purchase-plan/waiting", None)
    report(walk, 2, "confirmed", provisioned=(walk.state.device_key,))
    assert walk.state.step != "purchase-plan"


@pytest.mark.parametrize("by", ["a signal", "joining again"])
def test_a_device_that_was_given_up_is_waited_for_no_more(by: str):
    walk = buying()
    if by == "joining again":
        skip = Skip(actor=walk.actor, seq=walk.state.seq, step="purchase-plan", reason="later")
        walk.apply(skip)
    report(walk, 1, "part_failed", given_up=(walk.state.device_key,))
    if by == "joining again":
        walk.back()
        join(walk)
    assert walk.state.state == "purchase-plan"
    assert walk.state.error is not None
    assert walk.state.error.code == "purchase_given_up"
    assert walk.state.error.detail == flow.NOT_BOUGHT


def test_that_another_device_was_given_up_changes_nothing():
    walk = buying()
    report(walk, 1, "part_failed", given_up=("FT-X1-00000099",))
    assert walk.state.state == "purchase-plan/waiting"
