"""A bank's debit comes back after what it paid for was confirmed: it is owed again, unsent goods are held, plans rest after a
while; paid again, everything goes on."""

import uuid
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from db.identity.people import find_user
from db.operations.cases import open_case
from db.orders.orders import order_of_token
from domain.billing.payments import PayingFlow
from domain.operations.cases import BelongsTo, CaseCause, CasePolicy, CaseStart, on_order
from tests.billing.payments.factories import a_method
from tests.checkout.placements.runs import begun, ended
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.until import until as come
from tests.operations.cases.factories import case_in, case_on, handle_of, kept, told
from tests.operations.cases.stories import HASTY, Owing, opened, until
from tests.plans.purchases import runs as purchases
from workflows.operations.case import CaseWorkflow


async def paid_by_bank(stage: Stage, po_number: str) -> str:
    """A confirmed order whose debit will come back; its token."""
    run = await begun(stage, bank="insufficient", po_number=po_number)
    await ended(run, "confirmed")
    return run.token


async def told_of(stage: Stage, person_id: str) -> str:
    """What the buyer was written when the case was opened."""
    async with stage.sessions() as session:
        buyer = await find_user(session, person_id)
    assert buyer is not None

    async def there() -> list[str]:
        texts = [str(mail["text"]) for mail in await stage.mails(buyer.email)]
        return [text for text in texts if "is owed again" in text]

    return (await come(there))[0]


async def erp_status(stage: Stage, number: str) -> str:
    answer = await stage.http.get(f"{SIMULATED}/erp/_ledger", params={"reference": number})
    return answer.json()["orders"][0]["status"]


async def test_an_order_whose_debit_comes_back_is_held_until_it_is_paid(stage: Stage) -> None:
    token = await paid_by_bank(stage, "ERP-WAITS")
    async with stage.sessions() as session:
        order = await order_of_token(session, token)
    assert order is not None
    case = await case_on(stage, "order", order.id, "owed")
    assert (case.owed, case.amount) == (order.total, order.total)
    assert await erp_status(stage, order.number) == "held"
    assert await kept(stage, token, "gateway") == 0
    text = await told_of(stage, order.placed_by)
    assert "What was not sent yet is held." in text
    assert "suspended" not in text
    method = await a_method(stage.sessions, partner_code=order.partner_code)
    pays = {"type": "CARD", "method_id": method.id, "actor_id": order.placed_by}
    assert await told(handle_of(stage, case.id), "pay", **pays) is None
    await case_on(stage, "order", order.id, "solved")
    assert await erp_status(stage, order.number) == "taken"
    assert await kept(stage, token) == int(order.total * 100)


async def test_what_is_withdrawn_while_all_is_owed_goes_back_out_of_what_is_paid(
    stage: Stage,
) -> None:
    """Withdrawn before, it lowers what is owed; withdrawn after, it is given back once the buyer has paid, and not before."""
    token = await paid_by_bank(stage, "ERP-WAITS")
    async with stage.sessions() as session:
        order = await order_of_token(session, token)
    assert order is not None
    owed = await case_on(stage, "order", order.id, "owed")
    withdrawn = CaseStart(
        id=uuid.uuid4().hex,
        cause=CaseCause.SHIPMENT_CANCELLED,
        belongs_to=on_order(order.id, order.number, token),
        amount=Decimal("10.00"),
        partner_code=order.partner_code,
        person_id=order.placed_by,
        site="ca",
        opened_at=datetime.now(UTC),
        policy=CasePolicy(soon=timedelta(milliseconds=50), bank=timedelta(milliseconds=200)),
    )
    cancelled = withdrawn.model_copy(
        update={"id": uuid.uuid4().hex, "cause": CaseCause.ORDER_CANCELLED, "amount": None}
    )
    async with stage.sessions.begin() as session:
        for case in (withdrawn, cancelled):
            await open_case(session, case)
    waiting = await case_in(stage, withdrawn.id, "waiting")
    assert (waiting.given_back, waiting.error and waiting.error.code) == (0, "owed_before")
    assert (await case_in(stage, cancelled.id, "solved")).given_back == 0
    method = await a_method(stage.sessions, partner_code=order.partner_code)
    pays = {"type": "CARD", "method_id": method.id, "actor_id": order.placed_by}
    assert await told(handle_of(stage, owed.id), "pay", **pays) is None
    await case_in(stage, owed.id, "solved")
    assert (await case_in(stage, withdrawn.id, "solved")).given_back == Decimal("10.00")
    assert await kept(stage, token) == round(order.total * 100) - 1_000


async def test_plans_that_were_not_paid_are_suspended_and_restored(stage: Stage) -> None:
    run = await purchases.begun(stage, at_once=True)
    await purchases.ended(run, "confirmed")
    device_key = (await run.view()).lines[0].device_key
    async with stage.sessions() as session:
        buyer = await find_user(session, run.start.buyer.person_id)
    assert buyer is not None
    handle = await opened(
        stage,
        amount="10.00",
        policy=HASTY,
        is_paid=False,
        cause=CaseCause.DEBIT_RETURNED,
        buyer=buyer,
        belongs_to=BelongsTo(
            kind="purchase",
            id=run.start.id,
            name="Purchase of plans",
            flow=PayingFlow.PURCHASE,
            flow_id=run.start.id,
        ),
    )
    await until(stage, handle, "suspended")
    text = await told_of(stage, buyer.id)
    rests_at = (await handle.query(CaseWorkflow.view)).opened_at + HASTY.grace
    assert f"suspended after {rests_at:%Y-%m-%d}" in text
    assert "not sent" not in text
    assert await is_suspended(stage, device_key)
    before = await run.kept()
    assert await Owing(stage, handle, buyer).pay() is None
    await until(stage, handle, "solved")
    assert not await is_suspended(stage, device_key)
    assert await run.kept() == before + 1_000


async def is_suspended(stage: Stage, device_key: str) -> bool:
    plan = await stage.systems.device_cloud.plan(device_key)
    return plan.is_suspended
