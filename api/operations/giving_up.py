"""What operators do about a purchase or a payment of invoices that is open and needs attention: they give it up in the place
of its buyer (decision 91)."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, StringConstraints

from api.platform.deps import PortalDep, SignedIn
from api.platform.idempotency import Look
from api.platform.moves_money import MovesMoney
from api.runs.command import RunCommand
from api.runs.flows import FlowId
from api.runs.messages import ANSWERS, RequiredKey
from db.base import reading
from db.operations import runs
from domain.base import Body
from domain.billing.invoice_payment import InvoicePaymentMessage
from domain.errors import NotFound
from domain.operations.operations import NothingToResolve
from domain.plans.purchases import PurchaseMessage
from domain.runs.projection import FlowOwner
from workflows.billing.invoice_payment import InvoicePaymentWorkflow
from workflows.plans.purchase import PurchaseWorkflow

router = APIRouter(prefix="/v1/operations", tags=["operations"])

BY_AN_OPERATOR = "Cancelled by an operator."
"""What its buyer reads of it; the note is for the audit."""


class GiveUpBody(Body):
    """Why it is given up."""

    note: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class GivenUp(BaseModel):
    """The run, which ends by itself."""

    id: str


class GiveUp(RunCommand):
    """To a run that needs attention."""

    audited = frozenset({"note"})

    async def deliver(
        self, run: FlowOwner, update: Any, message: BaseModel
    ) -> tuple[int, BaseModel | Look]:
        status, answer = await super().deliver(run, update, message)
        return status, answer if status != 200 else GivenUp(id=run.id)

    async def check_needs_attention(self) -> None:
        """Raises NothingToResolve: what goes on by itself is its buyer's alone."""
        async with reading(self.portal.sessions) as session:
            run = await runs.find_run(session, self.kind, self.id)
        if run is None:
            raise NotFound
        if run.outcome != "needs_attention" or run.ended_at is not None:
            raise NothingToResolve


class GiveUpPurchase(GiveUp):
    kind = "purchase"

    async def ask(self) -> PurchaseMessage:
        await self.check_needs_attention()
        return PurchaseMessage(**self.sender, reason=BY_AN_OPERATOR)

    def update_in(self, state: str) -> Any:
        failed = state == "part_failed"
        return PurchaseWorkflow.give_up if failed else PurchaseWorkflow.cancel


class GiveUpInvoicePayment(GiveUp):
    kind = "invoice_payment"

    async def ask(self) -> InvoicePaymentMessage:
        await self.check_needs_attention()
        return InvoicePaymentMessage(**self.sender)

    def update_in(self, state: str) -> Any:
        return InvoicePaymentWorkflow.cancel


async def give_up_command(
    request: Request,
    portal: PortalDep,
    actor: SignedIn,
    kind: Literal["purchase", "invoice_payment"],
    id: FlowId,
    key: RequiredKey,
) -> GiveUpPurchase | GiveUpInvoicePayment:
    command = GiveUpPurchase if kind == "purchase" else GiveUpInvoicePayment
    return command(request, portal, actor, id, key)


OnGivenUp = Annotated[GiveUpPurchase | GiveUpInvoicePayment, Depends(give_up_command)]


@router.post(
    "/runs/{kind}/{id}/give-up",
    response_model=GivenUp,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def give_up_run(command: OnGivenUp, body: GiveUpBody) -> Response:
    """Gives up what of a purchase failed, which is paid back, or a charge of which nobody knows what became, which is let go. 409
    when the run needs no attention (any more)."""
    update = command.update_in((await command.run()).state)
    return await command.send(update, command.ask(), body, audit="gave up a run for its buyer")
