"""The links of an invoice: made, listed and revoked by whoever may pay it (decision 58)."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import Field, StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from api.billing.invoice_payments.paying import payer_code, payment_id_of
from api.billing.invoices.queries import DocumentId
from api.billing.pay_links.lending import maker_of
from api.platform.deps import PortalDep, SignedIn
from api.platform.moves_money import MovesMoney
from api.platform.schemas import Camel
from api.platform.throttling.links import LinkTries
from api.runs.messages import RequiredKey
from db.base import reading
from db.billing import pay_links
from db.billing.invoices.documents import find_invoice
from db.operations.audit import record_by
from db.platform.idempotency import KeyReused
from db.runs import flows
from domain.base import Body, Utc
from domain.billing.invoices.documents import DocumentMissing
from domain.billing.pay_link import (
    MOST_OF_AN_INVOICE,
    NothingOpen,
    PayLink,
    PayLinkState,
    TooManyPayLinks,
)
from providers.security.tokens import MailedLink, secret_hash

router = APIRouter(prefix="/v1/pay-links", tags=["pay links"])

LinkId = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[0-9a-f]+$")]
MadeFor = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]


class NewPayLink(Body):
    """A link that pays this invoice, made for somebody of this name."""

    invoice: DocumentId
    made_for: MadeFor


class RevokeBody(Body):
    """Nothing but the request."""


class PayLinkOut(Camel):
    """A link as its business sees it. `openedAt` is when it was opened last, `paidAt` when its payment ended well."""

    id: str
    invoice: str
    maker: str
    made_for: str
    state: PayLinkState
    created_at: Utc
    expires_at: Utc
    revoked_at: Utc | None
    opened_at: Utc | None
    opened: int
    payment_id: str | None
    paid_at: Utc | None


class PayLinkMade(PayLinkOut):
    """`url` is told here and never again."""

    url: str = Field(repr=False)


class PayLinksListed(Camel):
    results: list[PayLinkOut]


@router.post("", dependencies=[MovesMoney])
async def make_pay_link(
    portal: PortalDep, actor: SignedIn, body: NewPayLink, key: RequiredKey
) -> PayLinkMade:
    """Lends the right to pay one invoice for thirty days. The same key again is the same link, whatever has become of it."""
    code = payer_code(actor)
    id_ = payment_id_of(actor, key)
    token = portal.tokens.link(MailedLink.PAYMENT, id_)
    await LinkTries(portal.sessions).count_pay_link(actor.key)
    async with portal.sessions.begin() as session:
        link, is_new = await pay_links.add_link(
            session,
            id_,
            secret_hash(token),
            partner_code=code,
            invoice_number=body.invoice,
            maker_id=actor.person.id,
            maker=actor.person.name,
            made_for=body.made_for,
            site=actor.site.code,
        )
        if is_new:
            await _check(session, link)
            await record_by(
                session,
                actor,
                "made a pay link",
                on=("pay_link", link.id),
                more={"invoice": link.invoice_number, "made_for": link.made_for},
            )
        elif (link.partner_code, link.invoice_number, link.made_for) != (
            code,
            body.invoice,
            body.made_for,
        ):
            raise KeyReused
        shown = await _link_out(session, link)
    return PayLinkMade(**shown.model_dump(), url=f"{portal.url_of(actor.site)}/pay#{token}")


@router.get("")
async def list_pay_links(
    portal: PortalDep,
    actor: SignedIn,
    invoice: Annotated[str, Query(min_length=1, max_length=64, pattern=r"^[\w-]+$")],
) -> PayLinksListed:
    """The links of one invoice of the business, the newest first: who made them for whom, and what became of them."""
    code = payer_code(actor)
    async with reading(portal.sessions) as session:
        if await find_invoice(session, invoice, code) is None:
            raise DocumentMissing
        links = await pay_links.links_of(session, code, invoice)
        return PayLinksListed(results=[await _link_out(session, link) for link in links])


@router.post("/{id}/revoke", dependencies=[MovesMoney])
async def revoke_pay_link(
    portal: PortalDep, actor: SignedIn, id: LinkId, body: RevokeBody
) -> PayLinkOut:
    """Nobody can use it any more. What is being paid already goes on. 404 for a link of another business."""
    code = payer_code(actor)
    async with portal.sessions.begin() as session:
        link = await pay_links.revoke(session, id, code)
        if link is None:
            raise DocumentMissing
        await record_by(session, actor, "revoked a pay link", on=("pay_link", link.id))
        return await _link_out(session, link)


async def _check(session: AsyncSession, link: PayLink) -> None:
    """Whether a link may be there that has been added. Raises DocumentMissing, NothingOpen, TooManyPayLinks."""
    invoice = await find_invoice(session, link.invoice_number, link.partner_code)
    if invoice is None:
        raise DocumentMissing
    if invoice.balance <= 0:
        raise NothingOpen
    if await pay_links.count_good(session, link.partner_code, invoice.number) > MOST_OF_AN_INVOICE:
        raise TooManyPayLinks


async def _link_out(session: AsyncSession, link: PayLink) -> PayLinkOut:
    run = (
        await flows.find_flow(session, "invoice_payment", link.payment_id)
        if link.payment_id
        else None
    )
    paid = run is not None and run.state == "confirmed"
    state = PayLinkState.OPEN
    if paid:
        state = PayLinkState.PAID
    elif link.revoked_at is not None:
        state = PayLinkState.REVOKED
    elif await pay_links.is_over(session, link.id):
        state = PayLinkState.EXPIRED
    elif await maker_of(session, link) is None:
        state = PayLinkState.VOID
    return PayLinkOut(
        **link.model_dump(exclude={"invoice_number", "partner_code", "maker_id", "site"}),
        invoice=link.invoice_number,
        state=state,
        paid_at=run.updated_at if run is not None and paid else None,
    )
