"""What a payer says to a payment of invoices that is under way."""

from api.platform.deps import Portal
from api.runs.flows import authorize_run, person_of
from api.runs.messages import send_command, took_effect
from db.base import reading
from domain.billing.invoice_payment import InvoicePaymentMessage
from domain.billing.payments import PayBy
from domain.identity.people import Actor
from workflows.billing.invoice_payment import InvoicePaymentWorkflow


def ask_of(
    actor: Actor, pay_by: PayBy | None = None, name: str | None = None
) -> InvoicePaymentMessage:
    """`name` is who says it, where that is not the actor themselves."""
    person = person_of(actor)
    return InvoicePaymentMessage(
        actor_id=person.user_id,
        actor=name or person.name,
        acting_for=person.acting_for,
        pay_by=pay_by,
    )


async def choose_method(
    portal: Portal, actor: Actor, id: str, pay_by: PayBy, key: str, *, name: str | None = None
) -> None:
    """Has it paid by another method; the same key says it once. Raises FlowRejected, Unavailable."""
    async with reading(portal.sessions) as session:
        owner = await authorize_run(session, actor, "invoice_payment", id)
    update = InvoicePaymentWorkflow.choose_payment
    await send_command(portal, owner, update, ask_of(actor, pay_by, name), actor=actor, key=key)


async def has_chosen(portal: Portal, actor: Actor, id: str, key: str) -> bool:
    """Whether a payment that is over was paid by another method by this key. Raises Unavailable."""
    async with reading(portal.sessions) as session:
        owner = await authorize_run(session, actor, "invoice_payment", id)
    return await took_effect(portal, owner, actor=actor, key=key)
