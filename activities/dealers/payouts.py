"""Paying dealers what they earned: a month is frozen, each payout is sent once, and owners are told (decision 65).

Nothing is guessed. Who was asked is written before money may move, and before a second try the provider is asked what became
of the first. A refusal is an outcome.
"""

import structlog
from temporalio import activity

from db.base import Sessions, reading
from db.dealers import payout_accounts, payouts
from db.dealers.dealers import find_dealer, present_owners
from db.identity.people import reader_of
from db.partners.site_urls import url_of_business
from db.platform.clock import database_now
from domain.base import Frozen
from domain.dealers.payouts import Payout, PayoutRef, PayoutState, Transfer
from domain.letters.text import Text, written
from providers.cards.connect import Connect
from providers.cards.payments import Cards
from providers.errors import Refused
from providers.messenger import Messenger

log = structlog.stdlib.get_logger()

PAGE = 100

_SUBJECTS = {
    PayoutState.WAITING: Text(
        "Your rewards wait for your payout account",
        "Vos récompenses attendent votre compte de versement",
    ),
    PayoutState.REFUSED: Text(
        "Your rewards could not be paid", "Vos récompenses n’ont pas pu être versées"
    ),
    PayoutState.RETURNED: Text(
        "A payout of your rewards came back", "Un versement de vos récompenses est revenu"
    ),
}
_TEXTS = {
    PayoutState.WAITING: Text(
        "${amount:,.2f} for {month} are paid to {business} as soon as its payout account is set up:\n"
        "{portal}/my-business",
        "{amount:,.2f} $ pour {month} seront versés à {business} dès que son compte de versement sera configuré :\n"
        "{portal}/my-business",
    ),
    PayoutState.REFUSED: Text(
        "${amount:,.2f} for {month} could not be sent to {business}. We look into it and try again:\n"
        "{portal}/rewards",
        "{amount:,.2f} $ pour {month} n’ont pas pu être envoyés à {business}. Nous nous en occupons et réessayons :\n"
        "{portal}/rewards",
    ),
    PayoutState.RETURNED: Text(
        "${amount:,.2f} for {month} came back from the payout account of {business}. We look into it and try"
        " again:\n{portal}/rewards",
        "{amount:,.2f} $ pour {month} sont revenus du compte de versement de {business}. Nous nous en occupons et"
        " réessayons :\n{portal}/rewards",
    ),
}


class Due(Frozen):
    """A page of what is to be paid; of one dealer, or of all."""

    dealer_id: str | None = None
    after: PayoutRef | None = None


class Paying(Frozen):
    """`again_after` is the attempt after which a person wants another."""

    ref: PayoutRef
    again_after: int | None = None


class Paid(Frozen):
    state: PayoutState
    attempt: int


class PayoutNotice(Frozen):
    """What owners are told."""

    ref: PayoutRef
    state: PayoutState
    attempt: int


class PayoutActivities:
    """Each is idempotent by the payout and its attempt. All raise Unavailable while the provider cannot be asked."""

    def __init__(
        self,
        cards: Cards,
        messenger: Messenger,
        sessions: Sessions,
        *,
        portal_url: str,
        begins: str = "",
    ) -> None:
        """`begins` is the first month whose rewards are paid; "" for all of them."""
        self._connect = Connect(cards)
        self._messenger = messenger
        self._sessions = sessions
        self._portal_url = portal_url.rstrip("/")
        self._begins = begins or None

    @activity.defn(name="freeze_rewards")
    async def freeze(self, month: str) -> int:
        """Makes the payouts of a month; answers how many."""
        async with self._sessions.begin() as session:
            made = await payouts.freeze_month(session, month, begins=self._begins)
        log.info("payouts were made", month=month, made=made)
        return made

    @activity.defn(name="due_payouts")
    async def due(self, due: Due) -> tuple[PayoutRef, ...]:
        async with reading(self._sessions) as session:
            return await payouts.due_payouts(session, due.dealer_id, due.after, limit=PAGE)

    @activity.defn(name="pay_dealer")
    async def pay(self, paying: Paying) -> Paid:
        """Sends a payout, or says why it waits: an account that could not be paid is asked for anew, as nobody may have told of
        it. Raises PayoutMissing."""
        ref = paying.ref
        await self._look_again(ref.dealer_id)
        async with self._sessions.begin() as session:
            stored = await payout_accounts.account_of_dealer(session, ref.dealer_id)
            able = stored.account.id if stored is not None and stored.account.can_be_paid else None
            asked = await payouts.begin_attempt(session, ref, able, again_after=paying.again_after)
        if asked is None:
            async with reading(self._sessions) as session:
                payout = await payouts.find_payout(session, ref.dealer_id, ref.month)
            assert payout is not None
            return Paid(state=payout.state, attempt=payout.attempt)
        was_asked = asked.was_asked or asked.payout.attempt > 1
        transfer = await self._found(asked.payout) if was_asked else None
        try:
            if transfer is None:
                async with self._sessions.begin() as session:
                    await payouts.note_asked(session, asked.payout)
                transfer = await self._connect.send(asked.payout, asked.account_id)
            done = await self._record_outcome(asked.payout, transfer)
        except Refused as refusal:
            done = await self._record_outcome(asked.payout, None, refusal.detail)
        log.info("payout asked for", payout=done.id, state=done.state, attempt=done.attempt)
        return Paid(state=done.state, attempt=done.attempt)

    @activity.defn(name="look_at_payout_account")
    async def look_at_account(self, account_id: str) -> str | None:
        """Keeps what the provider says of an account; answers whose it is, None for no dealer of ours."""
        async with reading(self._sessions) as session:
            dealer_id = await payout_accounts.dealer_of_account(session, account_id)
        if dealer_id is not None:
            await self._look_at(dealer_id, account_id)
        return dealer_id

    @activity.defn(name="look_at_transfer")
    async def look_at_transfer(self, transfer_id: str) -> PayoutNotice | None:
        """Whether a payout came back, and which."""
        transfer = await self._connect.transfer(transfer_id)
        async with self._sessions.begin() as session:
            payout = await payouts.mark_returned(session, transfer)
        if payout is None:
            return None
        ref = PayoutRef(dealer_id=payout.dealer_id, month=payout.month)
        return PayoutNotice(ref=ref, state=payout.state, attempt=payout.attempt)

    @activity.defn(name="tell_owners_of_payout")
    async def notify_owners(self, word: PayoutNotice) -> None:
        """One mail to each owner for each attempt and state."""
        async with reading(self._sessions) as session:
            payout = await payouts.find_payout(session, word.ref.dealer_id, word.ref.month)
            dealer = await find_dealer(session, word.ref.dealer_id)
            owners = [reader_of(one) for one in await present_owners(session, word.ref.dealer_id)]
            code = dealer.partner_code if dealer else None
            url = await url_of_business(session, code, self._portal_url)
        if payout is None or dealer is None:
            return
        letter = written(
            _SUBJECTS[word.state],
            _TEXTS[word.state],
            amount=payout.amount,
            month=payout.month,
            business=dealer.name,
            portal=url,
        )
        await self._messenger.write_to_each(
            owners,
            letter,
            key=f"{payout.id}:{word.attempt}:{word.state}",
        )

    async def _look_again(self, dealer_id: str) -> None:
        async with reading(self._sessions) as session:
            stored = await payout_accounts.account_of_dealer(session, dealer_id)
        if stored is None or stored.account.can_be_paid:
            return
        try:
            await self._look_at(dealer_id, stored.account.id)
        except Refused as refusal:
            log.warning("a payout account was not shown", dealer=dealer_id, detail=refusal.detail)

    async def _look_at(self, dealer_id: str, account_id: str) -> None:
        async with reading(self._sessions) as session:
            now = await database_now(session)
        account = await self._connect.account(account_id)
        async with self._sessions.begin() as session:
            await payout_accounts.save_account(session, dealer_id, account, now)

    async def _found(self, payout: Payout) -> Transfer | None:
        """What an earlier try of this attempt has sent, or an earlier attempt that did not come back."""
        sent = await self._connect.sent(payout)
        standing = (one for one in sent if one.attempt == payout.attempt or not one.is_returned)
        return next(standing, None)

    async def _record_outcome(
        self, payout: Payout, transfer: Transfer | None, detail: str | None = None
    ) -> Payout:
        async with self._sessions.begin() as session:
            return await payouts.record_outcome(session, payout, transfer, detail)
