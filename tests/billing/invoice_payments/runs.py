"""Payments of invoices without an API in front: documents at the ERP and in the mirror, a saved method, and the run."""

import uuid
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from temporalio.client import WorkflowHandle, WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError

from db.base import Sessions
from db.billing import invoice_payments
from db.billing.invoices.documents import find_invoice, find_memo, mirror
from db.billing.invoices.statement import read_statement
from db.identity.people import PersonRow
from db.runs.flows import find_flow
from domain.billing.invoice_allocation import AllocationRequest, DocumentRequest, planned
from domain.billing.invoice_payment import (
    PATH,
    InvoicePaymentMessage,
    InvoicePaymentPolicy,
    InvoicePaymentStart,
    InvoicePaymentView,
    Payer,
)
from domain.billing.invoices.documents import CreditMemo, Invoice
from domain.billing.invoices.statement import Statement, StatementSearch
from domain.billing.payments import PayBy, PaymentType, Provider
from domain.identity.people import User
from domain.kinds import INVOICE_PAYMENT
from domain.operations.operations import RunStatus
from tests.billing.invoice_payments.factories import numbered
from tests.billing.invoices.factories import ISSUED, a_memo, an_invoice
from tests.billing.payments.factories import a_method
from tests.drivers.factories import an_owner
from tests.drivers.outside.erp_records import issue
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.until import until_published
from workflows import ids
from workflows.billing.invoice_payment import InvoicePaymentWorkflow
from workflows.client import begun_as, send_update

Handle = WorkflowHandle[Any, Any]

SECOND = timedelta(seconds=1)
PATIENT = InvoicePaymentPolicy(
    declined=120 * SECOND,
    action=120 * SECOND,
    look=0.2 * SECOND,
    bank=0.2 * SECOND,
    post=20 * SECOND,
    late=0.1 * SECOND,
)
SOON = SECOND
"""For a wait that a story sees the end of."""


@dataclass
class Run:
    stage: Stage
    start: InvoicePaymentStart
    handle: Handle

    async def view(self) -> InvoicePaymentView:
        return await self.handle.query(InvoicePaymentWorkflow.view)

    async def shown(self) -> InvoicePaymentView:
        """As everybody reads it by now, who asks no run."""
        async with self.stage.sessions() as session:
            found = await find_flow(session, "invoice_payment", self.start.id)
        assert found is not None
        return InvoicePaymentView.model_validate(found.view)

    async def standing(self) -> RunStatus:
        return await self.handle.query(InvoicePaymentWorkflow.standing)

    async def until(self, *states: str, within: float = 60.0) -> str:
        return await until_published(self.standing, *states, within=within)

    async def send_update(self, update: Any, **ask: Any) -> str | None:
        """The code of the refusal, if it was refused."""
        message = InvoicePaymentMessage(actor_id="person-1", actor="Olivia Owner", **ask)
        try:
            await send_update(self.handle, update, message, update_id=uuid.uuid4().hex)
        except WorkflowUpdateFailedError as error:
            return error.cause.type if isinstance(error.cause, ApplicationError) else "unexpected"
        return None

    async def pay(self, card: str) -> str | None:
        """By another card, named by how it behaves."""
        code = self.start.payer.partner_code
        method = await a_method(self.stage.sessions, card=card, partner_code=code)
        by = PayBy(type=PaymentType.CARD, method_id=method.id)
        return await self.send_update(InvoicePaymentWorkflow.choose_payment, pay_by=by)

    async def cancel(self) -> str | None:
        return await self.send_update(InvoicePaymentWorkflow.cancel)

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

    async def kept(self, system: str = "cards") -> Decimal:
        """What was taken and not given back."""
        return await kept(self.stage, self.start.id, system)

    async def invoice(self, place: int = 0) -> Invoice:
        """As it is mirrored now."""
        number = self.start.plan.allocations[place].number
        async with self.stage.sessions() as session:
            found = await find_invoice(session, number, self.start.payer.partner_code)
        assert found is not None
        return found

    async def memo(self, number: str) -> CreditMemo:
        async with self.stage.sessions() as session:
            found = await find_memo(session, number, self.start.payer.partner_code)
        assert found is not None
        return found

    async def statement(self) -> Statement:
        """Of all that the business ever had."""
        asked = StatementSearch(
            partner_code=self.start.payer.partner_code,
            today=date.max,
            first_day=date.min,
            last_day=date.max,
        )
        async with self.stage.sessions() as session:
            return await read_statement(session, asked)

    async def held(self) -> int:
        """How many of its documents are held, by whomever."""
        numbers = [one.number for one in self.start.plan.allocations]
        numbers += [part.number for one in self.start.plan.allocations for part in one.memos]
        async with self.stage.sessions() as session:
            return len(await invoice_payments.holders_of(session, numbers))


async def kept(stage: Stage, payment_id: str, system: str = "cards") -> Decimal:
    answer = await stage.http.get(f"{SIMULATED}/{system}/_ledger", params={"flow_id": payment_id})
    sums = answer.json()["sums"]
    cents = sums.get("captured", 0) - sums.get("refunded", 0) - sums.get("returned", 0)
    return Decimal(cents) / 100


async def issued(stage: Stage, *documents: Invoice | CreditMemo) -> None:
    """By the ERP, and mirrored."""
    await issue(stage.http, *documents, at=f"{SIMULATED}/erp")
    async with stage.sessions.begin() as session:
        for one in documents:
            await mirror(session, one)


async def begun(
    stage: Stage,
    *behave: str,
    card: str = "visa",
    bank: str | None = None,
    bank_at: Provider = Provider.GATEWAY,
    memo: str | None = None,
    policy: InvoicePaymentPolicy = PATIENT,
    retired: bool = False,
) -> Run:
    """A payment of one invoice of 100.00 for each of `behave`, all that settles them with their discount. `memo` is the
    total of a credit memo that is applied as far as it goes."""
    start, payer = await kept_only(
        stage, *behave, card=card, bank=bank, bank_at=bank_at, memo=memo, policy=policy
    )
    if retired:
        await retire(stage.sessions, payer.id)
    handle = await stage.client.start_workflow(
        InvoicePaymentWorkflow.run,
        start,
        id=ids.invoice_payment_id(start.id),
        task_queue=stage.task_queue,
        **begun_as(INVOICE_PAYMENT, start),
    )
    return Run(stage, start, handle)


async def kept_only(
    stage: Stage,
    *behave: str,
    card: str = "visa",
    bank: str | None = None,
    bank_at: Provider = Provider.GATEWAY,
    memo: str | None = None,
    policy: InvoicePaymentPolicy = PATIENT,
) -> tuple[InvoicePaymentStart, User]:
    """A payment that was submitted, and no run has begun with it."""
    payer = await an_owner(stage.sessions)
    code = payer.partner_code
    assert code is not None
    invoices = [an_invoice(code, number=numbered(one)) for one in behave or ("",)]
    memos = [a_memo(code, memo)] if memo else []
    await issued(stage, *invoices, *memos)
    method = await a_method(
        stage.sessions, card=card, bank=bank, bank_at=bank_at, partner_code=code
    )
    request = AllocationRequest(
        invoices=tuple(DocumentRequest(number=one.number, amount=one.balance) for one in invoices),
        memos=tuple(DocumentRequest(number=one.number, amount=one.balance) for one in memos),
    )
    start = await submitted(stage.sessions, payer, request, method.id, policy=policy, bank=bank)
    return start, payer


async def submitted(
    sessions: Sessions,
    payer: User,
    request: AllocationRequest,
    method_id: str,
    *,
    bank: str | None = None,
    policy: InvoicePaymentPolicy = PATIENT,
) -> InvoicePaymentStart:
    """Kept on the last day of the discount."""
    code = payer.partner_code
    assert code is not None
    kind = PaymentType.CARD if bank is None else PaymentType.BANK_ACCOUNT
    async with sessions.begin() as session:
        found = await invoice_payments.documents_of(session, code, request, lock=True)
        start = InvoicePaymentStart(
            id=uuid.uuid4().hex,
            path=PATH,
            payer=Payer(
                partner_code=code,
                dealer_id=payer.dealer_id,
                person_id=payer.id,
                name="Olivia Owner",
                site="ca",
            ),
            plan=planned(
                request, found.invoices, found.memos, ISSUED + timedelta(days=10), found.held
            ),
            pay_by=PayBy(type=kind, method_id=method_id),
            submitted_at=found.at,
            policy=policy,
            portal_url="http://portal.test",
        )
        await invoice_payments.submit(session, ids.invoice_payment_id(start.id), start)
    return start


async def ended(run: Run, state: str) -> Handle:
    """Nothing is held after an end."""
    assert await run.until(state) == state
    await run.handle.result()
    assert await run.held() == 0
    return run.handle


async def retire(sessions: Sessions, person_id: str) -> None:
    async with sessions.begin() as session:
        row = await session.get(PersonRow, person_id)
        assert row is not None
        row.is_retired = True
