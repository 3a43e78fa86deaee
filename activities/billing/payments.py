"""Moving money: one payment for each key, at one provider, told by one row and its ledger (docs/decisions/0027-payments.md).

Nothing is guessed. Before a second try the provider is asked what became of the first; a reply that says nothing is looked up
at once; while nobody can be asked, the activity is tried again. A decline is an outcome.
"""

from datetime import UTC, datetime, timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncSession
from temporalio import activity

from db.base import Sessions
from db.billing import payments
from db.billing.disputes import record_dispute
from db.billing.pay_links import lent_card
from db.billing.payment_methods import method_of
from db.billing.payments import Kept, Means
from domain.billing.disputes import Dispute
from domain.billing.pay_link import is_lent
from domain.billing.payment_methods import MethodMissing, PaymentMethod
from domain.billing.payments import (
    ENDED,
    Fact,
    Held,
    PayingFlow,
    PaymentMissing,
    PaymentOutcome,
    PaymentRef,
    PaymentStatus,
    PaymentType,
    PaymentWish,
    RefundWish,
)
from providers.cards.payments import Cards
from providers.errors import Unavailable
from providers.gateway import Gateway
from providers.payments import fetch_payment

log = structlog.stdlib.get_logger()

_PAGES = {
    PayingFlow.PLACEMENT: "/cart/checkout/products?token=",
    PayingFlow.PURCHASE: "/cart/checkout/subscriptions?uuid=",
    PayingFlow.INVOICE_PAYMENT: "/invoice-payment/complete?id=",
}
"""Where a payer comes back to after their bank has asked them."""
LINK_PAGE = "/pay"
"""The page of whoever pays by a link."""
_NOT_SAVED = "This payment method is not there any more. Please choose another one."
_NOT_READY = "This payment method cannot be used yet. Please choose another one."
KEY_TRUSTED = timedelta(hours=23)
"""How long an idempotency key is relied upon (promise 4)."""
_TAKEN = frozenset({PaymentStatus.PROCESSING, PaymentStatus.CAPTURED})


class PaymentActivities:
    """Each is idempotent by the payment, or by the key of its refund. All raise Unavailable while a provider cannot be asked."""

    def __init__(
        self, cards: Cards, gateway: Gateway, sessions: Sessions, *, portal_url: str
    ) -> None:
        self._cards = cards
        self._gateway = gateway
        self._sessions = sessions
        self._portal_url = portal_url.rstrip("/")

    @activity.defn(name="authorise_payment")
    async def authorise(self, wish: PaymentWish) -> PaymentOutcome:
        """Holds the money, or with `capture` takes it. At most two calls to a provider."""
        kept, fact = await self._begin(wish)
        if fact is None:
            if kept.held.status is not PaymentStatus.UNKNOWN:
                return await self._as_it_is(kept)
            is_card = wish.type is PaymentType.CARD
            fact = await (self._charge(kept) if is_card else self._debit(kept))
        held = await self._learn(wish.payment_id, fact)
        log.info("payment asked for", payment_id=held.id, status=held.status, type=wish.type)
        return held.outcome

    @activity.defn(name="capture_payment")
    async def capture(self, ref: PaymentRef) -> PaymentOutcome:
        """Takes what is held. A payment that is in no state for it answers as it is."""
        held = (await self._known(ref)).held
        if held.status in _TAKEN or held.status in ENDED:
            return held.outcome
        if held.provider_id is None:
            return held.outcome
        if held.wish.type is PaymentType.CARD:
            try:
                fact = await self._cards.capture(held.provider_id, key=f"{held.id}:capture")
            except Unavailable as error:
                fact = await self._looked_up(held.provider_id, error, PaymentStatus.AUTHORISED)
        else:
            fact = await self._gateway.capture(held.id)
        held = await self._learn(held.id, fact)
        log.info("payment captured", payment_id=held.id, status=held.status)
        return held.outcome

    @activity.defn(name="void_payment")
    async def void(self, ref: PaymentRef) -> PaymentOutcome:
        """Lets go of the money: what was taken already is given back. A payment that nobody was asked for never will be."""
        kept = await self._find(ref, keep=True)
        if kept is None:
            return PaymentOutcome(payment_id=ref.payment_id, status=PaymentStatus.VOIDED)
        held = kept.held
        if held.status in ENDED:
            return held.outcome
        if held.wish.type is PaymentType.CARD:
            fact = await self._void_card(held)
        else:
            fact = await self._void_transaction(held)
        held = await self._learn(held.id, fact)
        log.info("payment voided", payment_id=held.id, status=held.status)
        return held.outcome

    @activity.defn(name="drop_payment")
    async def drop(self, ref: PaymentRef) -> bool:
        """Whether nothing will ever come of a payment that nobody wants any more: of a card it is noted at once, while its
        provider was not asked. Asks nobody. Idempotent."""
        kept = await self._find(ref, keep=True)
        if kept is None or kept.held.status in ENDED:
            return True
        if kept.held.wish.type is not PaymentType.CARD:
            return False
        async with self._sessions.begin() as session:
            return await payments.drop_payment(session, ref.payment_id)

    @activity.defn(name="refund_payment")
    async def refund(self, wish: RefundWish) -> PaymentOutcome:
        """Gives back a part, or all. Idempotent by the wish's key. Raises Refused for more than was taken."""
        held = (await self._known(PaymentRef(payment_id=wish.payment_id))).held
        fact = await self._give_back(held, wish)
        held = await self._learn(held.id, fact)
        log.info("payment refunded", payment_id=held.id, status=held.status)
        return held.outcome

    @activity.defn(name="look_up_payment")
    async def look_up(self, ref: PaymentRef) -> PaymentOutcome:
        """What the provider says now; UNKNOWN for a payment that nobody was asked for."""
        kept = await self._find(ref)
        if kept is None:
            return PaymentOutcome(payment_id=ref.payment_id, status=PaymentStatus.UNKNOWN)
        fact = await fetch_payment(self._cards, self._gateway, kept.held)
        return (await self._learn(kept.held.id, fact)).outcome if fact else kept.held.outcome

    @activity.defn(name="look_up_dispute")
    async def look_up_dispute(self, dispute_id: str) -> Dispute:
        """What the bank says of a chargeback now. Raises Unavailable, Refused."""
        dispute = await self._cards.dispute(dispute_id)
        async with self._sessions.begin() as session:
            await record_dispute(session, dispute)
        return dispute

    async def _begin(self, wish: PaymentWish) -> tuple[Kept, Fact | None]:
        """The payment's row; a fact where it is declined before anybody is asked."""
        async with self._sessions.begin() as session:
            method: PaymentMethod | None = None
            detail: str | None = None
            if is_lent(wish.method_id):
                return await self._begin_lent(session, wish), None
            if wish.type in (PaymentType.CARD, PaymentType.BANK_ACCOUNT):
                try:
                    method = await method_of(session, wish.method_id or "", wish.partner_code)
                    fits = method.type == wish.type.value and method.status == "ready"
                    detail = None if fits else _NOT_READY
                except MethodMissing:
                    detail = _NOT_SAVED
            means = Means(
                method_id=method.provider_id if method else None,
                customer_id=method.customer_id if method else None,
                shown=method.shown if method else wish.type.value,
            )
            kept = await payments.begin_payment(session, wish, means)
        # A method may have been deleted between two tries: the first one counts.
        if detail is None or not kept.is_new:
            return kept, None
        return kept, Fact(provider_id="", status=PaymentStatus.DECLINED, detail=detail)

    async def _begin_lent(self, session: AsyncSession, wish: PaymentWish) -> Kept:
        """With a card that is saved nowhere. Raises MethodMissing."""
        card = await lent_card(session, wish.method_id or "", wish.partner_code)
        if card is None:
            raise MethodMissing
        means = Means(method_id=card.provider_id, shown=card.shown)
        return await payments.begin_payment(session, wish, means)

    async def _as_it_is(self, kept: Kept) -> PaymentOutcome:
        """An answer to a repeat. Who waits for the payer's bank is told what it says by now."""
        if kept.held.status is PaymentStatus.ACTION_REQUIRED:
            return await self.look_up(PaymentRef(payment_id=kept.held.id))
        return kept.held.outcome

    async def _charge(self, kept: Kept) -> Fact:
        held, means = kept.held, kept.means
        if held.provider_id is None:
            # A provider forgets a key after a day, and would do the same again.
            is_old = datetime.now(UTC) - kept.begun_at > KEY_TRUSTED
            fact = (await self._cards.find(held.id) if is_old else None) or (
                await self._cards.prepare(
                    held.wish,
                    method_id=means.method_id or "",
                    customer_id=means.customer_id,
                    key=f"{held.id}:prepare",
                )
            )
            if fact.status is PaymentStatus.DECLINED:
                return fact
            async with self._sessions.begin() as session:
                held = await payments.name_payment(session, held.id, fact.provider_id)
        else:
            fact = await self._cards.payment(held.provider_id)
        name = fact.provider_id
        if held.status is PaymentStatus.VOIDED:
            return await self._cards.cancel(name, key=f"{held.id}:cancel")
        if fact.status is not PaymentStatus.UNKNOWN:
            return fact
        place = f"{_PAGES[held.wish.flow]}{held.wish.flow_id}"
        page = f"{self._portal_url}{LINK_PAGE if is_lent(held.wish.method_id) else place}"
        try:
            return await self._cards.confirm(name, key=f"{held.id}:confirm", return_url=page)
        except Unavailable as error:
            return await self._looked_up(name, error, PaymentStatus.UNKNOWN)

    async def _looked_up(self, name: str, error: Unavailable, before: PaymentStatus) -> Fact:
        """What became of a call without an answer. Raises the error again where the payment stands as it did `before`."""
        if not error.may_have_worked:
            raise error
        fact = await self._cards.payment(name)
        if fact.status is before:
            raise error
        return fact

    async def _debit(self, kept: Kept) -> Fact:
        held = kept.held
        found = None if kept.is_new else await self._gateway.find(held.id)
        return found or await self._gateway.authorise(held.wish, account=kept.means.method_id)

    async def _void_card(self, held: Held) -> Fact:
        name = held.provider_id
        if name is None:
            async with self._sessions.begin() as session:
                if await payments.drop_payment(session, held.id):
                    return Fact(provider_id="", status=PaymentStatus.VOIDED)
                name = (await self._reread(held.id)).provider_id
        if name is None:
            raise PaymentMissing
        fact = await self._cards.cancel(name, key=f"{held.id}:cancel")
        left = fact.captured - fact.refunded
        if fact.status in _TAKEN and left > 0:
            return await self._cards.refund(name, left, key=f"{held.id}:void")
        return fact

    async def _void_transaction(self, held: Held) -> Fact:
        fact = await self._gateway.find(held.id)
        if fact is not None and fact.status in _TAKEN:
            left = fact.captured - fact.refunded
            return await self._gateway.refund(held.id, left, key=f"{held.id}:void")
        return await self._gateway.void(held.id)

    async def _give_back(self, held: Held, wish: RefundWish) -> Fact:
        if held.wish.type is not PaymentType.CARD:
            return await self._gateway.refund(held.id, wish.amount, key=wish.key)
        if held.provider_id is None:
            raise PaymentMissing
        return await self._cards.refund(
            held.provider_id, wish.amount, key=wish.key, attempt=wish.attempt
        )

    async def _find(self, ref: PaymentRef, *, keep: bool = False) -> Kept | None:
        """With `keep` and a wish the payment is kept from now on, if it was not."""
        async with self._sessions.begin() as session:
            if ref.wish is not None and keep:
                return await payments.begin_payment(session, ref.wish, Means())
            return await payments.payment_of(session, ref.payment_id)

    async def _known(self, ref: PaymentRef) -> Kept:
        kept = await self._find(ref)
        if kept is None:
            raise PaymentMissing
        return kept

    async def _reread(self, payment_id: str) -> Held:
        return (await self._known(PaymentRef(payment_id=payment_id))).held

    async def _learn(self, payment_id: str, fact: Fact) -> Held:
        """Writes down what the provider said."""
        async with self._sessions.begin() as session:
            return await payments.record_provider_state(session, payment_id, fact)
