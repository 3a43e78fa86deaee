"""A purchase of plans within the limits of its buyer: admitted, approved by an owner, and the mails of that (decision 64)."""

from sqlalchemy.ext.asyncio import AsyncSession
from temporalio import activity

from activities.checkout.approval_mails import AN_OWNER, MailKind, addressees, words_below
from db.base import Sessions, reading
from db.checkout.limits import allowance_of, lock_limits
from db.identity.people import find_user
from db.plans import agreements
from db.plans.agreements import Agreement
from domain.base import Frozen, Utc
from domain.billing.payments import PayBy
from domain.checkout.approvals import Approval, NotApprover, is_approver
from domain.checkout.limits import Allowance, is_limited
from domain.letters.language import Language
from domain.letters.text import Text, reread
from domain.money import Money
from domain.operations.case_mails import LEFT_TEXTS
from domain.operations.cases import NOTHING_CHARGED, with_case
from domain.plans.approvals import approval_above, over_limit
from domain.plans.purchases import Buyer, PurchaseError
from providers.messenger import Messenger


class Admitting(Frozen):
    """The figures that the buyer agreed to at `at`. `asked_above`: an owner was asked before, because of this limit."""

    purchase_id: str
    buyer: Buyer
    total: Money
    quote_hash: str
    pay_by: PayBy | None
    at: Utc
    asked_above: Money | None = None


class Admitted(Frozen):
    """`over_limit` says why it is not bought; an owner must approve it first, as it is above `approval_above`."""

    over_limit: PurchaseError | None = None
    approval_above: Money | None = None


class ApprovingPurchase(Frozen):
    """Whose yes it is, and to which figures."""

    purchase_id: str
    buyer: Buyer
    quote_hash: str
    approver_id: str | None


class ApprovedPurchase(Frozen):
    """`hindered`: it waits as before, and why."""

    hindered: PurchaseError | None = None


class PurchaseApprovalMail(Frozen):
    """`number` counts the mails of a run; `left` is what a case goes on with of a charge before."""

    kind: MailKind
    purchase_id: str
    buyer: Buyer
    total: Money
    devices: int
    approval: Approval
    number: int
    portal_url: str
    left: str | None = None


_SUBJECTS = {
    MailKind.ASKED: Text(
        "{requester} asks you to approve plans: ${total:,.2f}",
        "{requester} vous demande d’approuver des forfaits : {total:,.2f} $",
    ),
    MailKind.APPROVED: Text(
        "Your purchase of plans was approved: ${total:,.2f}",
        "Votre achat de forfaits a été approuvé : {total:,.2f} $",
    ),
    MailKind.REQUOTED: Text(
        "Please agree to new prices of plans: ${total:,.2f}",
        "Veuillez accepter les nouveaux prix des forfaits : {total:,.2f} $",
    ),
    MailKind.REJECTED: Text(
        "Your purchase of plans was not approved: ${total:,.2f}",
        "Votre achat de forfaits n’a pas été approuvé : {total:,.2f} $",
    ),
    MailKind.EXPIRED: Text(
        "Nobody approved your purchase of plans: ${total:,.2f}",
        "Personne n’a approuvé votre achat de forfaits : {total:,.2f} $",
    ),
}
_TEXTS = {
    MailKind.ASKED: Text(
        "Plans for {devices} wait for an owner until {until:%B %-d, %Y}. See them and answer here:\n"
        "{portal}/approvals/{id}?kind=purchase",
        "Des forfaits pour {devices} attendent un propriétaire jusqu’au {until:%-d %B %Y}. Consultez-les et répondez ici :\n"
        "{portal}/approvals/{id}?kind=purchase",
    ),
    MailKind.APPROVED: Text(
        "{by} approved plans for {devices}. The purchase goes on by itself:\n"
        "{portal}/cart/checkout/subscriptions?uuid={id}",
        "Les forfaits pour {devices} ont été approuvés par {by}. L’achat suit son cours de lui-même :\n"
        "{portal}/cart/checkout/subscriptions?uuid={id}",
    ),
    MailKind.REQUOTED: Text(
        "What plans for {devices} cost has changed since you agreed. Nothing goes on without your yes:\n"
        "{portal}/cart/checkout/subscriptions?uuid={id}",
        "Le prix des forfaits pour {devices} a changé depuis votre accord. Rien ne se poursuit sans votre oui :\n"
        "{portal}/cart/checkout/subscriptions?uuid={id}",
    ),
    MailKind.REJECTED: Text(
        "{by} rejected plans for {devices}. {charged}\n"
        "{portal}/cart/checkout/subscriptions?uuid={id}",
        "Les forfaits pour {devices} ont été refusés par {by}. {charged}\n"
        "{portal}/cart/checkout/subscriptions?uuid={id}",
    ),
    MailKind.EXPIRED: Text(
        "Plans for {devices} waited until {until:%B %-d, %Y}. {charged}\n"
        "{portal}/cart/checkout/subscriptions?uuid={id}",
        "Les forfaits pour {devices} ont attendu jusqu’au {until:%-d %B %Y}. {charged}\n"
        "{portal}/cart/checkout/subscriptions?uuid={id}",
    ),
}
_ONE = Text("1 device", "1 appareil")
_MORE = Text("{count} devices", "{count} appareils")


class PurchaseApprovalActivities:
    def __init__(self, sessions: Sessions, messenger: Messenger) -> None:
        self._sessions = sessions
        self._messenger = messenger

    @activity.defn(name="admit_purchase")
    async def admit(self, admitting: Admitting) -> Admitted:
        """Keeps what the buyer agreed to, if it is within their limits: from then on it counts. In one transaction, under the
        lock of the limits. Idempotent by purchase and figures."""
        buyer, total = admitting.buyer, admitting.total
        async with self._sessions.begin() as session:
            await lock_limits(session, buyer.person_id, buyer.dealer_id)
            allowance = await allowance_of_buyer(
                session, buyer, admitting.purchase_id, at=admitting.at
            )
            if (over := over_limit(allowance, total)) is not None:
                return Admitted(over_limit=over)
            above = approval_above(allowance, total, admitting.asked_above)
            await agreements.save_agreement(
                session,
                Agreement(
                    **admitting.model_dump(include={"purchase_id", "total", "quote_hash"}),
                    person_id=buyer.person_id,
                    partner_code=buyer.partner_code,
                    pay_by=admitting.pay_by,
                    agreed_at=admitting.at,
                    above=above,
                ),
            )
            stored = await agreements.approved(session, admitting.purchase_id)
        if stored is not None and stored.approved_at is not None:
            return Admitted()
        return Admitted(approval_above=above)

    @activity.defn(name="approve_purchase")
    async def approve(self, approving: ApprovingPurchase) -> ApprovedPurchase:
        """Notes an owner's yes to figures, in one transaction, if they are one of the dealer's still and the figures are those
        that wait. Idempotent by purchase and figures."""
        buyer = approving.buyer
        async with self._sessions.begin() as session:
            stored = await agreements.approved(session, approving.purchase_id, lock=True)
            if stored is None or stored.quote_hash != approving.quote_hash:
                return ApprovedPurchase(hindered=_NOT_APPROVER)
            if stored.approved_at is not None:
                return ApprovedPurchase()
            approver = await find_user(session, approving.approver_id or "")
            if approver is None or not is_approver(
                approver, dealer_id=buyer.dealer_id, requester_id=buyer.person_id
            ):
                return ApprovedPurchase(hindered=_NOT_APPROVER)
            await agreements.approve(session, approving.purchase_id, by=approver.id)
        return ApprovedPurchase()

    @activity.defn(name="mail_purchase_approval")
    async def mail(self, mail: PurchaseApprovalMail) -> None:
        """Asks the owners, or tells the buyer. Idempotent by run, number and address."""
        buyer = mail.buyer
        async with reading(self._sessions) as session:
            readers = await addressees(session, mail.kind, buyer.dealer_id, buyer.person_id)
        await self._messenger.write_to_each(
            readers,
            lambda language: written(mail, language),
            key=f"{mail.purchase_id}-approval-{mail.number}",
        )


def written(mail: PurchaseApprovalMail, language: Language) -> tuple[str, str]:
    """Its subject and its text."""
    kind, approval, requester = mail.kind, mail.approval, mail.buyer.name
    said = {
        "requester": requester,
        "total": mail.total,
        "devices": _ONE if mail.devices == 1 else _MORE(language, count=mail.devices),
        "until": approval.until,
        "portal": mail.portal_url,
        "id": mail.purchase_id,
        "by": approval.answered_by or AN_OWNER,
        "charged": reread(language, with_case(NOTHING_CHARGED, mail.left).strip(), LEFT_TEXTS),
    }
    below = words_below(language, kind, requester, approval.reason, approval.note)
    return _SUBJECTS[kind](language, **said), _TEXTS[kind](language, **said) + below


_NOT_APPROVER = PurchaseError(code=NotApprover.code, detail=NotApprover.detail)


async def allowance_of_buyer(
    session: AsyncSession, buyer: Buyer, purchase_id: str, *, at: Utc
) -> Allowance | None:
    """The limits of a buyer as they are now, and what they ordered beside this purchase. None for whom none bind."""
    person = await find_user(session, buyer.person_id)
    if person is None or not is_limited(person):
        return None
    return await allowance_of(
        session, buyer.person_id, buyer.dealer_id, buyer.partner_code, token=purchase_id, at=at
    )
