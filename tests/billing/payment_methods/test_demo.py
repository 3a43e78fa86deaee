"""The demo businesses' saved methods can be paid with at a fresh stand-in."""

from pathlib import Path

import pytest

from db.base import Sessions
from db.demo.payment_methods import METHODS, DemoMethod
from domain.billing.payments import PaymentStatus
from simulators.cards.known import BY_NAME
from tests.billing.payments.factories import a_method, a_payment_driver, a_payment_request

REFUSED = {"chargeCustomerFail", "avsZipFail", "transactionDeclined"}


@pytest.mark.parametrize("demo", METHODS, ids=lambda demo: demo.id)
async def test_a_fresh_stand_in_knows_it(
    sessions: Sessions, tmp_path: Path, demo: DemoMethod
) -> None:
    saved = await a_method(
        sessions,
        card=demo.behaves,
        bank=None if demo.is_card else demo.behaves,
    )
    async with a_payment_driver(sessions, tmp_path) as driver:
        await driver.turn("cards", slow_seconds=0)
        outcome = await driver.pay.authorise(a_payment_request(saved))
    asked = demo.behaves == "authenticationRequired"
    assert outcome.status is (
        PaymentStatus.DECLINED
        if demo.behaves in REFUSED
        else PaymentStatus.ACTION_REQUIRED
        if asked
        else PaymentStatus.AUTHORISED
    )


@pytest.mark.parametrize("demo", [one for one in METHODS if one.is_card], ids=lambda demo: demo.id)
def test_it_is_shown_as_the_test_card_that_it_is(demo: DemoMethod) -> None:
    assert BY_NAME[demo.behaves].number.endswith(demo.last4)
