"""The purchases that an activation joins in a tour: quoted ones, those that have ended, and none at all."""

import uuid

from db.demo.plans import add_plans
from domain.billing.payments import PaymentType
from domain.identity.people import User
from domain.plans.purchases import Buyer, PayBy, PurchaseMessage, PurchaseStart
from domain.plans.quote import PlanLineRequest
from tests.billing.payments.factories import a_method
from tests.conformance.activation.tours import Move
from tests.drivers.factories import an_owner
from tests.drivers.stage import Stage
from tests.plans.purchases.factories import ADDRESS
from workflows import ids
from workflows.client import send_update
from workflows.plans.purchase import PurchaseWorkflow

PREMIUM = "premium_prepaid-1_year"
_BUYERS: dict[str, User] = {}
"""Stage → the owner who buys there: a device's second plan is for the business that bought the first."""


async def begun(stage: Stage, device_key: str, move: Move) -> str:
    """The purchase that leads to the move's results, where it needs one: open for a wait, complete for OK, and none to
    be refused."""
    id_ = uuid.uuid4().hex
    if move.source != "purchase-plan" or move.results == ("FAIL",):
        return id_
    async with stage.sessions.begin() as session:
        await add_plans(session)
    if stage.task_queue not in _BUYERS:
        _BUYERS[stage.task_queue] = await an_owner(stage.sessions)
    buyer = _BUYERS[stage.task_queue]
    method = await a_method(stage.sessions, partner_code=buyer.partner_code)
    start = PurchaseStart(
        id=id_,
        lines=(PlanLineRequest(device_key=device_key, plan_id=PREMIUM),),
        address=ADDRESS,
        buyer=Buyer(
            partner_code=method.partner_code,
            channel="msrp",
            dealer_id="dealer-1",
            person_id=buyer.id,
            name=buyer.name,
            site="ca",
            canadian=True,
        ),
    )
    handle = await stage.client.start_workflow(
        PurchaseWorkflow.run, start, id=ids.purchase_id(id_), task_queue=stage.task_queue
    )
    await stage.until(id_, lambda shown: shown.state == "quoted", kind="purchase", within=60)
    if move.results == ("OK",):
        await _confirm(stage, id_, method.id)
        await handle.result()
    return id_


async def ended(stage: Stage, id_: str, *, good: bool) -> None:
    """Somebody agrees to the quote, or gives the purchase up."""
    if good:
        shown = await stage.flow(id_, "purchase")
        assert shown is not None
        method = await a_method(stage.sessions, partner_code=shown.view["partner_code"])
        await _confirm(stage, id_, method.id)
        return
    handle = stage.client.get_workflow_handle(ids.purchase_id(id_))
    ask = PurchaseMessage(actor_id="person-1", actor="Ina Installer")
    await send_update(handle, PurchaseWorkflow.cancel, ask, update_id=uuid.uuid4().hex)


async def _confirm(stage: Stage, id_: str, method_id: str) -> None:
    shown = await stage.flow(id_, "purchase")
    assert shown is not None
    ask = PurchaseMessage(
        actor_id="person-1",
        actor="Ina Installer",
        quote_hash=shown.view["quote_hash"],
        pay_by=PayBy(type=PaymentType.CARD, method_id=method_id),
    )
    handle = stage.client.get_workflow_handle(ids.purchase_id(id_))
    await send_update(handle, PurchaseWorkflow.confirm, ask, update_id=uuid.uuid4().hex)
