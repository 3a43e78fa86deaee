"""Orders paid from a bank account that the card provider keeps: a bank holds nothing, so it is asked when the ERP has the order."""

import pytest

from domain.billing.payments import Provider
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
