"""An owner's yes to an order, the requester's yes to new figures, and the mails of both (decision 61)."""

from sqlalchemy.ext.asyncio import AsyncSession
from temporalio import activity

from activities.checkout.approval_mails import AN_OWNER, MailKind, addressees, words_below
from activities.checkout.placements import buyer_of, problem_of
from activities.runs.intents import Call
from db.base import Sessions, reading
from db.checkout import approvals, placements, reservations
from db.checkout.quote import counted
from db.identity.people import find_user
from db.partner_tables import load_sites
from domain.base import Frozen
from domain.billing.payments import PaymentType
from domain.checkout.approvals import NotApprover, is_approver
from domain.checkout.draft import PaymentChoice
from domain.checkout.placement import PlacementStart, Problem, StockChanged
from domain.checkout.placement_snapshot import Snapshot, pieces_now
from domain.checkout.quote import OverCreditLimit, Quote, blocking, needs_agreement
from domain.errors import PortalError
from domain.identity.people import Actor, User
from domain.letters.text import Text
from domain.money import Money
from providers.messenger import Messenger


class Approving(Call):
    """Whose yes it is, and how the order is to be paid."""

    start: PlacementStart
    payment: PaymentChoice
    approver_id: str | None


class Requoted(Frozen):
    """The figures that are frozen now."""

    total: Money
    quote_hash: str


class Approved(Frozen):
    """What came of a yes. `refused`: the order ends; `hindered`: it waits as before, and why. `requoted` are new figures,
    to which the requester `must_agree` first."""

    refused: Problem | None = None
    hindered: Problem | None = None
    requoted: Requoted | None = None
    must_agree: bool = False


class Agreeing(Call):
    turn: int


class ApprovalMail(Frozen):
    """`number` counts the mails of a run; `note` is the approver's word."""

    kind: MailKind
    start: PlacementStart
    number: int
    by: str | None = None
    note: str | None = None


_SUBJECTS = {
    MailKind.ASKED: Text(
        "{requester} asks you to approve an order: ${total:,.2f}",
        "{requester} vous demande d’approuver une commande : {total:,.2f} $",
    ),
    MailKind.APPROVED: Text(
        "Your order was approved: ${total:,.2f}",
        "Votre commande a été approuvée : {total:,.2f} $",
    ),
    MailKind.REQUOTED: Text(
        "Please agree to new prices: ${total:,.2f}",
        "Veuillez accepter les nouveaux prix : {total:,.2f} $",
    ),
    MailKind.REJECTED: Text(
        "Your order was not approved: ${total:,.2f}",
        "Votre commande n’a pas été approuvée : {total:,.2f} $",
    ),
    MailKind.EXPIRED: Text(
        "Nobody approved your order: ${total:,.2f}",
        "Personne n’a approuvé votre commande : {total:,.2f} $",
    ),
}
_TEXTS = {
    MailKind.ASKED: Text(
        "It waits for an owner of {business} until {until:%B %-d, %Y}. See it and answer here:\n"
        "{portal}/approvals/{token}",
        "Elle attend un propriétaire de {business} jusqu’au {until:%-d %B %Y}. Consultez-la et répondez ici :\n"
        "{portal}/approvals/{token}",
    ),
    MailKind.APPROVED: Text(
        "{by} approved it. It goes on by itself:\n{portal}/cart/checkout/products?token={token}",
        "Approuvée par {by}. Elle suit son cours d’elle-même :\n{portal}/cart/checkout/products?token={token}",
    ),
    MailKind.REQUOTED: Text(
        "Prices or stock have changed since you ordered. Nothing goes on without your yes:\n"
        "{portal}/cart/checkout/products?token={token}",
        "Les prix ou les stocks ont changé depuis votre commande. Rien ne se poursuit sans votre oui :\n"
        "{portal}/cart/checkout/products?token={token}",
    ),
    MailKind.REJECTED: Text(
        "{by} rejected it. Your cart is back:\n{portal}/cart",
        "Refusée par {by}. Votre panier est de retour :\n{portal}/cart",
    ),
    MailKind.EXPIRED: Text(
        "It waited until {until:%B %-d, %Y}. Your cart is back:\n{portal}/cart",
        "Elle a attendu jusqu’au {until:%-d %B %Y}. Votre panier est de retour :\n{portal}/cart",
    ),
}


class _Hindered(Exception):
    """Takes back what the approval held so far."""

    def __init__(self, error: type[PortalError]) -> None:
        super().__init__(error.code)
        self.problem = problem_of(error)


class ApprovalActivities:
    def __init__(self, sessions: Sessions, messenger: Messenger) -> None:
        self._sessions = sessions
        self._messenger = messenger

    @activity.defn(name="approve_placement")
    async def approve(self, approving: Approving) -> Approved:
        """Approves the order and holds its stock and credit, in one transaction, if approver, buyer and figures still hold.
        Idempotent by the submit."""
        start = approving.start
        try:
            async with self._sessions.begin() as session:
                status = await approvals.approval_status(
                    session, start.token, start.turn, lock=True
                )
                if status.approved_at is None and status.requoted_at is None:
                    return await _approve(session, approving)
                frozen = await placements.snapshot_of(session, start.token, start.turn)
                return Approved(
                    requoted=_other_than(start, frozen.quote),
                    must_agree=status.approved_at is None,
                )
        except _Hindered as hindered:
            return Approved(hindered=hindered.problem)

    @activity.defn(name="agree_to_placement")
    async def agree(self, agreeing: Agreeing) -> None:
        """The requester agrees to the figures that are frozen now. Idempotent."""
        async with self._sessions.begin() as session:
            await approvals.agree(session, agreeing.flow_id, agreeing.turn)

    @activity.defn(name="mail_approval")
    async def mail(self, mail: ApprovalMail) -> None:
        """Asks the owners, or tells the requester. Idempotent by run, number and address."""
        start, kind = mail.start, mail.kind
        async with reading(self._sessions) as session:
            readers = await addressees(session, kind, start.dealer_id, start.owner_id)
        said = {
            "requester": start.owner_name,
            "business": start.partner_name,
            "total": start.total,
            "until": start.approval.until if start.approval else None,
            "portal": start.portal_url,
            "token": start.token,
            "by": mail.by or AN_OWNER,
        }
        reason = start.approval.reason if start.approval else None
        await self._messenger.write_to_each(
            readers,
            lambda language: (
                _SUBJECTS[kind](language, **said),
                _TEXTS[kind](language, **said)
                + words_below(language, kind, start.owner_name, reason, mail.note),
            ),
            key=f"{start.token}-{start.turn}-{mail.number}",
        )


async def _approve(session: AsyncSession, approving: Approving) -> Approved:
    """The caller holds the lock of the submit. Raises _Hindered."""
    start = approving.start
    approver = await find_user(session, approving.approver_id or "")
    if approver is None or not is_approver(
        approver, dealer_id=start.dealer_id, requester_id=start.owner_id
    ):
        raise _Hindered(NotApprover)
    buyer = await buyer_of(session, start)
    if isinstance(buyer, Problem):
        return Approved(refused=buyer)
    snapshot = await placements.snapshot_of(session, start.token, start.turn)
    quote = await _quoted_now(session, snapshot, buyer, approving.payment)
    if (against := blocking(quote)) is not None:
        return Approved(refused=Problem(code=against.code, detail=against.detail))
    must_agree = needs_agreement(snapshot.quote, quote)
    if not must_agree:
        # Before another coupon is taken, as in the submit: its row shares the lock that credit needs alone.
        await _hold(session, start, quote, approving.payment)
    if quote.quote_hash != snapshot.quote.quote_hash:
        await approvals.requote(session, snapshot, quote, needs_agreement=must_agree)
    anew = _other_than(start, quote)
    if must_agree:
        return Approved(requoted=anew, must_agree=True)
    await approvals.approve(session, start.token, start.turn, by=approver.id)
    return Approved(requoted=anew)


def _other_than(start: PlacementStart, quote: Quote) -> Requoted | None:
    """The figures of a quote, if they are not those that the run knows."""
    if quote.quote_hash == start.quote_hash:
        return None
    return Requoted(total=quote.total, quote_hash=quote.quote_hash)


async def _quoted_now(
    session: AsyncSession, snapshot: Snapshot, buyer: User, payment: PaymentChoice
) -> Quote:
    start = snapshot.start
    site = next(one for one in await load_sites(session) if one.code == start.site)
    actor = Actor(request_id=snapshot.workflow_id, site=site, user=buyer)
    # The switch for cards is asked when a card is chosen: what was submitted with one goes on.
    return await counted(
        session, actor, start.token, payment, cards=True, submitted_at=snapshot.created_at
    )


async def _hold(
    session: AsyncSession, start: PlacementStart, quote: Quote, payment: PaymentChoice
) -> None:
    """Raises _Hindered."""
    on_terms = quote.total if payment.type is PaymentType.TERMS else None
    try:
        await reservations.hold(
            session, start.token, start.partner_code, pieces_now(quote), on_terms=on_terms
        )
    except (OverCreditLimit, StockChanged) as error:
        raise _Hindered(type(error)) from None
