"""Purchases without an API in front: devices, a saved card, and the run."""

import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import select, update
from temporalio.client import WorkflowHandle, WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError

from db.billing.payments import payments_of_flow, record_provider_state
from db.checkout.limits import set_limits
from db.demo.plans import add_plans
from db.identity.people import InstallerRow
from db.plans.purchase_starts import save_start, start_in_place_of
from db.runs.device_reservations import ReservationRow
from domain.billing.payments import (
    PayingFlow,
    PaymentChanged,
    PaymentStatus,
    PaymentType,
    Provider,
    ProviderPayment,
    payment_id_of,
)
from domain.checkout.limits import PurchaseLimits
from domain.identity.people import User
from domain.kinds import PURCHASE
from domain.operations.operations import RunStatus
from domain.plans.purchases import (
    CURRENT_VERSION,
    PATH,
    Buyer,
    PayBy,
    PurchaseMessage,
    PurchasePolicy,
    PurchaseStart,
    PurchaseView,
)
from domain.plans.quote import PlanLineRequest
from tests.billing.payments.factories import a_method
from tests.drivers.factories import a_dealer, an_installer, an_owner
from tests.drivers.stage import SIMULATED, Stage, a_device_key
from tests.drivers.until import until_published
from tests.plans.purchases.factories import ADDRESS
from workflows import ids
from workflows.client import begun_as, send_update
from workflows.plans.purchase import PurchaseWorkflow

Handle = WorkflowHandle[Any, Any]

SECOND = timedelta(seconds=1)
PATIENT = PurchasePolicy(
    quote=120 * SECOND,
    declined=120 * SECOND,
    action=120 * SECOND,
    retry=120 * SECOND,
    look=0.2 * SECOND,
)
BUYER = {"actor_id": "person-1", "actor": "Ina Installer"}
SOON = SECOND
"""For a wait that a story sees the end of."""
PREMIUM, BASIC = "premium_prepaid-1_year", "basic_prepaid-1_year"


@dataclass
class Run:
    """`owner` is the owner of a purchaser's business."""

    stage: Stage
    start: PurchaseStart
    handle: Handle
    card: str
    buyer: User
    owner: User | None = None

    async def view(self) -> PurchaseView:
        return await self.handle.query(PurchaseWorkflow.view)

    async def standing(self) -> RunStatus:
        return await self.handle.query(PurchaseWorkflow.standing)

    async def until(self, *states: str, within: float = 60.0) -> str:
        return await until_published(self.standing, *states, within=within)

    async def send_update(self, update: Any, *, by: User | None = None, **ask: Any) -> str | None:
        """The code of the refusal, if it was refused."""
        person = {"actor_id": by.id, "actor": by.name} if by else BUYER
        message = PurchaseMessage(**person, **ask)
        try:
            await send_update(self.handle, update, message, update_id=uuid.uuid4().hex)
        except WorkflowUpdateFailedError as error:
            return error.cause.type if isinstance(error.cause, ApplicationError) else "unexpected"
        return None

    async def confirm(self, quote_hash: str | None = None) -> str | None:
        agreed = quote_hash or (await self.view()).quote_hash
        return await self.send_update(
            PurchaseWorkflow.confirm, quote_hash=agreed, pay_by=_by_card(self.card)
        )

    async def pay(self, card: str) -> str | None:
        """By another card, named by how it behaves."""
        code = self.start.buyer.partner_code
        method = await a_method(self.stage.sessions, card=card, partner_code=code)
        return await self.send_update(PurchaseWorkflow.choose_payment, pay_by=_by_card(method.id))

    async def requote(self, *lines: PlanLineRequest) -> str | None:
        return await self.send_update(PurchaseWorkflow.requote, lines=lines)

    async def approve(self, by: User | None = None) -> str | None:
        """The owner says yes, or `by`."""
        return await self.send_update(
            PurchaseWorkflow.approve, by=by or self.owner, reason="Go ahead"
        )

    async def reject(self) -> str | None:
        return await self.send_update(PurchaseWorkflow.reject, by=self.owner, reason="Too many")

    async def agree(self, quote_hash: str | None = None) -> str | None:
        agreed = quote_hash or (await self.view()).quote_hash
        return await self.send_update(PurchaseWorkflow.agree, quote_hash=agreed)

    async def retry(self) -> str | None:
        return await self.send_update(PurchaseWorkflow.retry)

    async def give_up(self) -> str | None:
        return await self.send_update(PurchaseWorkflow.give_up)

    async def take_place(self) -> None:
        """Its run is lost, and another goes on where it stood."""
        await self.lose()
        await self.go_on()

    async def lose(self) -> None:
        await self.handle.terminate("lost")

    async def go_on(self) -> None:
        """Another run where the lost one stood."""
        async with self.stage.sessions() as session:
            start = await start_in_place_of(session, self.start.id)
        assert start is not None
        self.handle = await self.stage.client.start_workflow(
            PurchaseWorkflow.run,
            start,
            id=self.handle.id,
            task_queue=self.stage.task_queue,
            **begun_as(PURCHASE, start),
        )

    async def asked(self) -> int:
        """How often its buyer was asked what to do."""
        trying = (await self.view()).trying
        return trying.asked if trying else 0

    async def times_notified(self) -> int:
        """How often it has told activations that wait."""
        events = (await self.handle.fetch_history()).events
        signals = [
            event.signal_external_workflow_execution_initiated_event_attributes for event in events
        ]
        return [one.signal_name for one in signals].count("purchase_settled")

    async def held(self) -> set[str]:
        """The devices that no other purchase can have."""
        async with self.stage.sessions() as session:
            rows = await session.scalars(
                select(ReservationRow.device_key).where(
                    ReservationRow.flow_id == self.start.id, ReservationRow.released_at.is_(None)
                )
            )
            return set(rows)

    async def bounce(self) -> None:
        """Its bank takes the debit back; the run is not told."""
        async with self.stage.sessions.begin() as session:
            (paid,) = await payments_of_flow(session, PayingFlow.PURCHASE, self.start.id)
            returned = ProviderPayment(
                provider_id=paid.provider_id or "",
                status=PaymentStatus.RETURNED,
                captured=paid.request.amount,
            )
            await record_provider_state(session, paid.id, returned)

    async def signal_return(self) -> None:
        """The same, and it is told."""
        await self.bounce()
        payment_id = payment_id_of(f"{self.handle.id}:1")
        changed = PaymentChanged(payment_id=payment_id, status=PaymentStatus.RETURNED)
        await self.handle.signal(PurchaseWorkflow.payment_heard, changed)

    async def cancel(self) -> str | None:
        return await self.send_update(PurchaseWorkflow.cancel)

    async def prove(self, *, agreed: bool = True) -> None:
        """The payer answers their bank."""
        payment = (await self.view()).payment
        assert payment is not None
        assert payment.action_url is not None
        page, _, query = payment.action_url.partition("?")
        secret = dict(part.split("=", 1) for part in query.split("&"))["secret"]
        said = {"secret": secret, "answer": "agree" if agreed else "refuse"}
        answer = await self.stage.http.post(page, data=said)
        assert answer.status_code < 400, answer.text

    async def lose_rights(self) -> None:
        async with self.stage.sessions.begin() as session:
            await session.execute(
                update(InstallerRow)
                .where(InstallerRow.person_id == self.start.buyer.person_id)
                .values(is_owner=False)
            )

    async def kept(self) -> int:
        """Cents that were taken and not given back."""
        sums = await self.sums()
        return sums.get("captured", 0) - sums.get("refunded", 0) + sums.get("refund_failed", 0)

    async def processing(self) -> int:
        """Cents that a bank was asked for."""
        return (await self.sums()).get("processing", 0)

    async def sums(self) -> dict[str, int]:
        """Cents by operation, as the provider's ledger has them."""
        answer = await self.stage.http.get(
            f"{SIMULATED}/cards/_ledger", params={"flow_id": self.start.id}
        )
        return answer.json()["sums"]


async def begun(
    stage: Stage,
    *lines: PlanLineRequest,
    card: str = "visa",
    bank: str | None = None,
    policy: PurchasePolicy = PATIENT,
    at_once: bool = False,
    limits: PurchaseLimits | None = None,
    buyer: User | None = None,
    version: int = CURRENT_VERSION,
) -> Run:
    """A purchase for a fresh device, or for these lines; `at_once` buys what it quotes. With `limits` of a purchaser, by
    default of an owner. With `bank` it is paid from such an account at the card provider."""
    async with stage.sessions.begin() as session:
        await add_plans(session)
    owner, dealer_id = None, buyer.dealer_id if buyer else None
    if limits is not None:
        owner, buyer = await limited(stage, limits)
        dealer_id = owner.dealer_id
    buyer = buyer or await an_owner(stage.sessions)
    assert buyer.partner_code is not None
    method = await a_method(
        stage.sessions,
        card=card,
        bank=bank,
        bank_at=Provider.CARDS,
        partner_code=buyer.partner_code,
    )
    kind = PaymentType.CARD if bank is None else PaymentType.BANK_ACCOUNT
    start = PurchaseStart(
        id=uuid.uuid4().hex,
        version=version,
        path=PATH,
        lines=lines or (a_line(),),
        address=ADDRESS,
        buyer=Buyer(
            partner_code=method.partner_code,
            channel="msrp",
            dealer_id=dealer_id,
            person_id=buyer.id,
            name=buyer.name,
            site="ca",
            canadian=True,
        ),
        pay_by=PayBy(type=kind, method_id=method.id) if at_once else None,
        reason="For the vans",
        policy=policy,
        portal_url="http://portal.test",
    )
    async with stage.sessions.begin() as session:
        await save_start(session, start)
    handle = await stage.client.start_workflow(
        PurchaseWorkflow.run,
        start,
        id=ids.purchase_id(start.id),
        task_queue=stage.task_queue,
        **begun_as(PURCHASE, start),
    )
    return Run(stage, start, handle, method.id, buyer, owner)


async def limited(stage: Stage, limits: PurchaseLimits) -> tuple[User, User]:
    """An owner, and a purchaser of theirs with these limits."""
    dealer = await a_dealer(stage.sessions)
    owner = await an_owner(stage.sessions, dealer)
    buyer = await an_installer(stage.sessions, dealer, is_purchaser=True)
    async with stage.sessions.begin() as session:
        await set_limits(session, buyer.id, dealer.id, limits, by=owner.id)
    return owner, buyer


async def quoted(stage: Stage, *lines: PlanLineRequest, **more: Any) -> Run:
    run = await begun(stage, *lines, **more)
    await run.until("quoted")
    return run


def a_line(device_key: str | None = None, plan_id: str = PREMIUM) -> PlanLineRequest:
    return PlanLineRequest(device_key=device_key or a_device_key(), plan_id=plan_id)


async def a_stubborn_line(stage: Stage, times: int) -> PlanLineRequest:
    """A device that refuses so many plans."""
    line = a_line()
    await stage.control(line.device_key, plan_refusals=times)
    return line


async def a_hopeless_line(stage: Stage) -> PlanLineRequest:
    """A device that can be quoted, and never takes a plan."""
    line = a_line()
    await stage.control(line.device_key, sim_retired=True)
    return line


async def ended(run: Run, state: str) -> Handle:
    assert await run.until(state) == state
    await run.handle.result()
    return run.handle


def _by_card(method_id: str) -> PayBy:
    return PayBy(type=PaymentType.CARD, method_id=method_id)
