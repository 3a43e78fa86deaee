"""The effects of a case beside those on its payments."""

from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum

from sqlalchemy.ext.asyncio import AsyncSession
from temporalio import activity

from activities.identity.rights import is_linked, told_of
from db.base import Sessions, reading
from db.identity.people import administrators, find_user
from db.operations import never_sent
from db.operations.cases import lists, opening, starts
from db.orders.orders import order_of_token
from db.plans.plans import plans_of_purchase
from domain.base import Frozen, Utc
from domain.billing.payments import NOTHING
from domain.identity.people import User
from domain.money import Money
from domain.operations.cases import (
    BY_HAND,
    CAUSE_WORDS,
    PLANS_ARE_BACK,
    BelongsTo,
    CaseCause,
    CasePolicy,
    CaseStart,
    CaseView,
    Earlier,
    NotSent,
    end_words,
    was_suspended,
)
from domain.orders.orders import OrderMissing
from domain.plans.plans import may_still_buy_plans
from providers.erp import ErpOrders
from providers.errors import Refused
from providers.messenger import Messenger


class Payments(Frozen):
    """The payments that a case is about. Not settled while the run that moves them is open: it may still take or return
    money itself. Goods that are never sent are `is_owed_before` while earlier cases wait for the whole to be paid again, or for
    the bank to decide whose its money is: those that are owed, `owed_by`, ask for less, by `taken_off`, or it goes back out
    of what is paid then. An order that was cancelled waits for none that is not owed yet, and tells it."""

    is_settled: bool
    is_owed_before: bool = False
    owed_by: tuple[str, ...] = ()
    taken_off: Money = NOTHING
    ids: tuple[str, ...] = ()


class WhichPayments(Frozen):
    """All of what the case belongs to, or one that its run has let go of."""

    belongs_to: BelongsTo
    payment_id: str | None = None
    case_id: str | None = None


class HoldRequest(Frozen):
    belongs_to: BelongsTo
    is_held: bool


class Payer(Frozen):
    person_id: str | None
    partner_code: str


class MailKind(StrEnum):
    OPENED = "opened"
    ENDED = "ended"
    LOST = "lost"
    """A chargeback was: what it took is owed again."""
    ASSIGNED = "assigned"
    ATTENTION = "attention"


class CaseMail(Frozen):
    """`person_id` is the buyer; `rev` tells two mails of one kind apart. Plans rest from `rests_at` on, unless they are paid."""

    kind: MailKind
    person_id: str
    case: CaseView
    rev: int
    rests_at: Utc | None = None


NOT_ASKED_FOR = {
    CaseCause.ORDER_CANCELLED: "Nothing is owed for it any more; whatever was paid is paid back.",
    CaseCause.SHIPMENT_CANCELLED: "What is owed is lowered by what this part had cost, or it is paid back once the rest is paid.",
}
UNDECIDED = {
    CaseCause.ORDER_CANCELLED: (
        "Nothing is owed for it. What the bank took back it has not decided about: that is not paid back before, and only if it"
        " decides so. Whatever else was paid is being paid back."
    ),
    CaseCause.SHIPMENT_CANCELLED: "It is paid back, or not asked for, once the bank has decided.",
}
_PAGES = {
    "order": "/order/{id}",
    "cart": "/cart/checkout/products?token={id}",
    "purchase": "/cart/checkout/subscriptions?uuid={id}",
    "invoice_payment": "/invoice-payment/complete?id={id}",
}


class CaseActivities:
    def __init__(
        self,
        erp: ErpOrders,
        messenger: Messenger,
        sessions: Sessions,
        *,
        portal_url: str,
    ) -> None:
        self._erp = erp
        self._messenger = messenger
        self._sessions = sessions
        self._portal_url = portal_url.rstrip("/")

    @activity.defn(name="payments_of_case")
    async def payments(self, which: WhichPayments) -> Payments:
        """What was paid for it. Read only."""
        belongs_to = which.belongs_to
        if which.payment_id is not None:
            return Payments(is_settled=True, ids=(which.payment_id,))
        async with reading(self._sessions) as session:
            if await lists.is_at_work(session, belongs_to):
                return Payments(is_settled=False)
            if which.case_id is None:
                return Payments(is_settled=True, ids=await lists.payments_of(session, belongs_to))
            if earlier := await never_sent.owed_before(session, which.case_id):
                owed_by = tuple(one.case_id for one in earlier if one.is_owed)
                return Payments(is_settled=False, is_owed_before=True, owed_by=owed_by)
            return Payments(
                is_settled=True,
                owed_by=await never_sent.stuck_before(session, which.case_id),
                taken_off=await never_sent.taken_off(session, which.case_id),
                ids=await lists.payments_of(session, belongs_to),
            )

    @activity.defn(name="not_sent_of_case")
    async def not_sent(self, case_id: str) -> NotSent:
        """What is not owed any more by this case. Read only."""
        async with reading(self._sessions) as session:
            return await never_sent.not_sent(session, case_id)

    @activity.defn(name="hold_for_case")
    async def hold(self, request: HoldRequest) -> None:
        """Has the ERP keep back what was not sent of an order, or let it go. Idempotent; an order that is on its way is."""
        if request.belongs_to.kind != "order":
            return
        async with reading(self._sessions) as session:
            order = await order_of_token(session, request.belongs_to.flow_id)
        if order is None:
            raise OrderMissing
        with suppress(Refused):
            await self._erp.hold_order(
                order.number,
                is_held=request.is_held,
                partner_code=order.partner_code,
                token=order.token,
            )

    @activity.defn(name="may_pay_case")
    async def may_pay(self, payer: Payer) -> bool:
        """Reads rights, retirement and the link to the business again (promise 38). Read only."""
        async with reading(self._sessions) as session:
            person = await find_user(session, payer.person_id or "")
            linked = person is not None and await is_linked(session, person, payer.partner_code)
        return may_still_buy_plans(person, is_linked=linked)

    @activity.defn(name="open_case")
    async def open(self, start: CaseStart) -> None:
        """Opens a case for a run that goes on without it. Idempotent by its id."""
        async with self._sessions.begin() as session:
            await opening.open_case(session, start)

    @activity.defn(name="mail_case")
    async def mail(self, mail: CaseMail) -> None:
        """Writes to the buyer, or to the owners of the business where the buyer may not see it, or not pay what is asked for; to
        the owner of the case, or to the administrators of one that has none, and to the buyer too where plans are suspended.
        Idempotent by case, kind, `rev` and address."""
        case = mail.case
        async with reading(self._sessions) as session:
            earlier, buyers, is_back = (), (), False
            if mail.kind in (MailKind.OPENED, MailKind.ENDED):
                earlier = await never_sent.told_before(session, case.id)
            if mail.kind in (MailKind.OPENED, MailKind.LOST, MailKind.ENDED):
                is_to_pay = mail.kind is MailKind.LOST or (
                    mail.kind is MailKind.OPENED and case.cause is CaseCause.DEBIT_RETURNED
                )
                people = await _buyers(session, mail, is_to_pay=is_to_pay)
                is_back = was_suspended(case) and not await _rests(session, case)
            elif case.owner_id is not None:
                owner = await find_user(session, case.owner_id)
                people = (owner,) if owner else ()
            else:
                people = await administrators(session)
            if mail.kind is MailKind.ATTENTION and await _has_just_suspended(session, case):
                buyers = await _buyers(session, mail, is_to_pay=True)
        await self._messenger.send_to_each(
            [person.email for person in people if not person.is_retired],
            *self._written(mail, earlier, is_back=is_back),
            key=f"case-{case.id}-{mail.kind}-{mail.rev}",
        )
        if buyers:
            await self._messenger.send_to_each(
                [person.email for person in buyers],
                *self._suspended(case),
                key=f"case-{case.id}-suspended-{mail.rev}",
            )

    def _suspended(self, case: CaseView) -> tuple[str, str]:
        name, page = case.belongs_to.name, self._page(case)
        return f"{name}: the plans are suspended", (
            f"${case.owed:,.2f} is owed again and was not paid in time. The plans are suspended, and come back as soon as it is"
            f" paid. Please pay here:\n{page}"
        )

    def _page(self, case: CaseView) -> str:
        page = _PAGES[case.belongs_to.kind].format(id=case.belongs_to.id)
        return f"{self._portal_url}{page}"

    def _written(
        self, mail: CaseMail, earlier: Sequence[Earlier], *, is_back: bool
    ) -> tuple[str, str]:
        case, name = mail.case, mail.case.belongs_to.name
        what = f"{name} {CAUSE_WORDS[case.cause]}"
        ours, theirs = f"{self._portal_url}/operations/case?id={case.id}", self._page(case)
        match mail.kind:
            case MailKind.OPENED:
                wanted = "What you paid" if case.amount is None else f"${case.amount:,.2f}"
                then = not_paid_back(case.cause, earlier) or f"{wanted} is being paid back."
                if (
                    case.belongs_to.kind == "invoice_payment"
                    and case.cause is CaseCause.DEBIT_RETURNED
                ):
                    return what, f"{what}. {case.detail}\n\n{_open_again(self._portal_url, case)}"
                if case.cause is CaseCause.CHARGEBACK:
                    kept = "Nothing more happens until the bank has decided."
                    if case.belongs_to.kind == "order":
                        kept = "What was not sent yet is held until the bank has decided."
                    return what, (
                        f"{what}. {case.detail}\n\n{wanted} was taken back. {kept} If this was not meant, please tell your"
                        f" bank.\n{theirs}"
                    )
                if case.cause is CaseCause.DEBIT_RETURNED:
                    return what, f"{what}. {case.detail}\n\n{_owed_again(mail)}\n{theirs}"
                if case.cause is CaseCause.LET_GO:
                    then = "Nothing stays charged: what was taken is paid back, and what is held is let go."
                if case.cause in BY_HAND:
                    then = "We look after what you paid. Please do not pay again."
                return what, f"{what}. {case.detail}\n\n{then} You need do nothing.\n{theirs}"
            case MailKind.LOST:
                said = "The bank has decided for the holder of the card."
                if case.belongs_to.kind == "invoice_payment":
                    return (
                        f"{name}: it is owed again",
                        f"{said} {_open_again(self._portal_url, case)}",
                    )
                return f"{name}: it is owed again", f"{said} {_owed_again(mail)}\n{theirs}"
            case MailKind.ENDED:
                said = end_words(case, has_bank_some=has_bank_some(earlier))
                if is_back:
                    said = f"{said} {PLANS_ARE_BACK}"
                return f"{name}: taken care of", f"{what}.\n\n{said}\n{theirs}"
            case MailKind.ASSIGNED:
                return (
                    f"A case is yours: {name}",
                    f"{what}. It is due {case.due_at:%Y-%m-%d}.\n{ours}",
                )
            case MailKind.ATTENTION:
                error = case.error.detail if case.error else ""
                return f"A case needs attention: {name}", f"{what}.\n{error}\n{ours}"


def not_paid_back(cause: CaseCause, earlier: Sequence[Earlier]) -> str | None:
    """What becomes of the money for goods that are never sent while it is owed, or a bank has it; a debit that came back is owed
    within moments. None where it is paid back."""
    if not earlier:
        return None
    is_owed = any(one.is_owed or one.cause is CaseCause.DEBIT_RETURNED for one in earlier)
    if cause is CaseCause.ORDER_CANCELLED and has_bank_some(earlier):
        is_owed = False
    return (NOT_ASKED_FOR if is_owed else UNDECIDED)[cause]


def has_bank_some(earlier: Sequence[Earlier]) -> bool:
    """Whether a bank has money that it has not decided about."""
    return any(one.cause is CaseCause.CHARGEBACK and not one.is_owed for one in earlier)


async def _buyers(session: AsyncSession, mail: CaseMail, *, is_to_pay: bool) -> tuple[User, ...]:
    start = await starts.find_start(session, mail.case.id)
    code = start.partner_code if start else None
    return await told_of(session, mail.person_id, code, is_to_pay=is_to_pay)


async def _has_just_suspended(session: AsyncSession, case: CaseView) -> bool:
    """A plan that the network would not suspend is as active as before."""
    is_of_plans = case.state == "suspended" and case.belongs_to.kind == "purchase"
    return is_of_plans and await _rests(session, case)


async def _rests(session: AsyncSession, case: CaseView) -> bool:
    """Whether a plan that the case stands on is suspended still."""
    plans = await plans_of_purchase(session, case.belongs_to.id)
    return any(plan.suspended_at is not None for plan in plans)


def _open_again(portal_url: str, case: CaseView) -> str:
    """Of invoices. What a bank took of a part of them, a person looks after first."""
    if case.error is not None:
        return f"We look after what is open of the invoices now.\n{portal_url}/invoice"
    return (
        "The invoices are open again, as before the payment; a discount is granted again until its last day only. Please pay them"
        f" here:\n{portal_url}/invoice"
    )


def _owed_again(mail: CaseMail) -> str:
    case = mail.case
    owed = case.owed or case.amount
    wanted = "What you paid" if owed is None else f"${owed:,.2f}"
    until = mail.rests_at or case.opened_at + CasePolicy().grace
    kept = "What was not sent yet is held."
    if case.belongs_to.kind == "purchase":
        kept = f"The plans are suspended after {until:%Y-%m-%d}."
    return f"{wanted} is owed again. {kept} Please pay here:"
