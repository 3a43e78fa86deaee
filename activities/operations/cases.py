"""The effects of a case beside those on its payments."""

from contextlib import suppress

from sqlalchemy.ext.asyncio import AsyncSession
from temporalio import activity

from activities.identity.rights import is_linked, recipients_of
from db.base import Sessions, reading
from db.identity.people import administrators, find_user
from db.operations import never_sent
from db.operations.cases import lists, opening, starts
from db.orders.orders import order_of_token
from db.partners.site_urls import url_of_run
from db.plans.plans import plans_of_purchase
from domain.base import Frozen
from domain.billing.payments import NOTHING
from domain.identity.people import User
from domain.letters.language import Reader
from domain.money import Money
from domain.operations.case_mails import CaseMail, MailKind, suspended, written
from domain.operations.cases import (
    BelongsTo,
    CaseCause,
    CaseStart,
    CaseView,
    NotSent,
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
                earlier = await never_sent.unpaid_before(session, case.id)
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
            url = await url_of_run(session, case.id, self._portal_url)
        is_to_us = mail.kind in (MailKind.ASSIGNED, MailKind.ATTENTION)
        base = self._portal_url if is_to_us else url
        await self._messenger.write_to_each(
            [
                Reader(email=person.email) if is_to_us else person
                for person in people
                if not person.is_retired
            ],
            lambda language: written(mail, earlier, base, language, is_back=is_back),
            key=f"case-{case.id}-{mail.kind}-{mail.rev}",
        )
        if buyers:
            await self._messenger.write_to_each(
                buyers,
                lambda language: suspended(case, url, language),
                key=f"case-{case.id}-suspended-{mail.rev}",
            )


async def _buyers(session: AsyncSession, mail: CaseMail, *, is_to_pay: bool) -> tuple[User, ...]:
    start = await starts.find_start(session, mail.case.id)
    code = start.partner_code if start else None
    return await recipients_of(session, mail.person_id, code, is_to_pay=is_to_pay)


async def _has_just_suspended(session: AsyncSession, case: CaseView) -> bool:
    """A plan that the network would not suspend is as active as before."""
    is_of_plans = case.state == "suspended" and case.belongs_to.kind == "purchase"
    return is_of_plans and await _rests(session, case)


async def _rests(session: AsyncSession, case: CaseView) -> bool:
    """Whether a plan that the case stands on is suspended still."""
    plans = await plans_of_purchase(session, case.belongs_to.id)
    return any(plan.suspended_at is not None for plan in plans)
