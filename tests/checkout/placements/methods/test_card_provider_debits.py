"""Orders paid from a bank account that the card provider keeps: a bank holds nothing, so it is asked when the ERP has the order."""

import pytest

from activities.billing.bank_verifications import BankVerificationActivities, StillPays
from db.billing.payment_methods import method_of
from domain.billing.payments import Provider
from providers.bank_accounts import BankAccounts
from tests.checkout.placements.runs import begun, ended
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole


@pytest.fixture(scope="module")
async def stage(whole: Whole) -> Stage:
    return whole.stage


async def test_an_order_is_debited_once_when_the_erp_has_it(stage: Stage) -> None:
    run = await begun(stage, bank="good", bank_at=Provider.CARDS)
    await ended(run, "confirmed")
    assert await until(run.kept) == round(run.start.total * 100)
    assert await run.kept("gateway") == 0
    ledger = await stage.http.get(f"{SIMULATED}/cards/_ledger", params={"flow_id": run.token})
    assert len(ledger.json()["intents"]) == 1


async def test_an_order_that_the_erp_refuses_never_asks_the_bank(stage: Stage) -> None:
    run = await begun(stage, bank="good", bank_at=Provider.CARDS, po_number="ERP-REFUSED")
    await ended(run, "compensated")
    ledger = await stage.http.get(f"{SIMULATED}/cards/_ledger", params={"flow_id": run.token})
    assert set(ledger.json()["sums"]) <= {"voided"}
    assert [one["status"] for one in ledger.json()["intents"]] == ["canceled"]


async def test_an_account_is_forgotten_once_the_order_that_was_begun_with_it_is_paid(
    stage: Stage,
) -> None:
    run = await begun(stage, bank="good", bank_at=Provider.CARDS, po_number="ERP-UNSEEN")
    await run.until("handing_over")
    async with stage.sessions() as session:
        method = await method_of(session, run.start.payment.method_id or "", run.shop.code)
    systems = stage.systems
    banks = BankAccounts(systems.cards, systems.gateway)
    verifying = BankVerificationActivities(banks, systems.messenger, systems.vault, stage.sessions)
    with pytest.raises(StillPays):
        await verifying.forget(method.provider_id)
    order = (await run.moving()).order
    assert order is not None
    sent = await stage.http.post(f"{SIMULATED}/erp/_orders/{order.number}/_send")
    assert sent.status_code == 204, sent.text
    await ended(run, "confirmed")
    assert await until(run.kept) == round(run.start.total * 100)
    await verifying.forget(method.provider_id)
    there = await systems.cards.api.payment_methods.retrieve_async(method.provider_id)
    assert there.customer is None
