"""What operators do about a payment of which nobody knows what became."""

from tests.billing.invoice_payments.runs import PATIENT, begun, ended
from tests.billing.invoice_payments.stories import SECOND, SOON
from tests.catalogue.people import signed_in
from tests.drivers.factories import an_admin
from tests.drivers.portal import a_key
from tests.drivers.whole_portal import Whole


async def test_a_payment_that_is_unclear_is_given_up(whole: Whole) -> None:
    policy = PATIENT.model_copy(update={"charge": SOON, "look": 60 * SECOND, "brief": SOON})
    run = await begun(whole.stage, card="away", policy=policy)
    await run.until("needs_attention")
    async with signed_in(whole.app, await an_admin(whole.sessions)) as browser:
        answer = await browser.post(
            f"/v1/operations/runs/invoice_payment/{run.start.id}/give-up",
            json={"note": "The provider knows nothing of it."},
            headers=a_key(),
        )
    assert answer.status_code in (200, 202), answer.text
    await ended(run, "cancelled")
    assert await run.held() == 0
