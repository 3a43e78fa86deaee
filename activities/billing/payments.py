"""Moving money: one payment for each key, at one provider, told by one row and its ledger (docs/decisions/0027-payments.md).

Nothing is guessed. Before a second try the provider is asked what became of the first; a reply that says nothing is looked up
at once; while nobody can be asked, the activity is tried again. A decline is an outcome.
"""

from datetime import UTC, datetime, timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncSession
from temporalio import activity

from db.base import Sessions, reading
from db.billing import payments
from db.billing.disputes import is_undecided, record_dispute
from db.billing.pay_links import lent_card
from db.billing.payment_methods import method_of
from db.billing.payments import PaymentSource, StoredPayment
from db.partners.site_urls import url_of_run
from domain.billing.disputes import Dispute
from domain.billing.pay_link import is_lent
from domain.billing.payment_methods import MethodMissing, PaymentMethod
from domain.billing.payments import (
    ENDED,
    NOTHING,
    PayingFlow,
    Payment,
    PaymentMissing,
    PaymentOutcome,
    PaymentRef,
    PaymentRequest,
    PaymentStatus,
    PaymentType,
    Provider,
    ProviderPayment,
    RefundRequest,
)
from providers.cards.payments import Cards
from providers.cards.transport import SYSTEM
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
    async def authorise(self, request: PaymentRequest) -> PaymentOutcome:
        """Holds the money, or with `capture` takes it. At most two calls to a provider."""
        stored, at_provider = await self._begin(request)
        if at_provider is None:
            if stored.payment.status is not PaymentStatus.UNKNOWN:
                return await self._as_it_is(stored)
            is_theirs = stored.payment.provider is Provider.CARDS
            at_provider = await (self._charge(stored) if is_theirs else self._debit(stored))
        payment = await self._record(request.payment_id, at_provider)
        log.info(
            "payment asked for", payment_id=payment.id, status=payment.status, type=request.type
        )
        return payment.outcome

    @activity.defn(name="capture_payment")
    async def capture(self, ref: PaymentRef) -> PaymentOutcome:
        """Takes what is held. A payment that is in no state for it answers as it is."""
        payment = (await self._known(ref)).payment
        if payment.status in _TAKEN or payment.status in ENDED:
            return payment.outcome
        if payment.provider_id is None:
            return payment.outcome
        if payment.provider is Provider.CARDS:
            try:
                at_provider = await self._take(payment, payment.provider_id)
            except Unavailable as error:
                at_provider = await self._looked_up(
                    payment.provider_id, error, PaymentStatus.AUTHORISED
                )
        else:
            at_provider = await self._gateway.capture(payment.id)
        payment = await self._record(payment.id, at_provider)
        log.info("payment captured", payment_id=payment.id, status=payment.status)
        return payment.outcome

    @activity.defn(name="void_payment")
    async def void(self, ref: PaymentRef) -> PaymentOutcome:
        """Lets go of the money: what was taken already is given back, as far as it is there. A payment that nobody was asked
        for never will be."""
        stored = await self._find(ref, save=True)
        if stored is None:
            return PaymentOutcome(payment_id=ref.payment_id, status=PaymentStatus.VOIDED)
        payment = stored.payment
        if payment.status in ENDED:
            return payment.outcome
        if payment.provider is Provider.CARDS:
            at_provider = await self._void_card(payment)
        else:
            at_provider = await self._void_transaction(payment)
        payment = await self._record_given_back(payment, at_provider)
        log.info("payment voided", payment_id=payment.id, status=payment.status)
        return payment.outcome

    @activity.defn(name="drop_payment")
    async def drop(self, ref: PaymentRef) -> bool:
        """Whether nothing will ever come of a payment that nobody wants any more: of a card it is noted at once, while its
        provider was not asked. Asks nobody. Idempotent."""
        stored = await self._find(ref, save=True)
        if stored is None or stored.payment.status in ENDED:
            return True
        if stored.payment.provider is Provider.GATEWAY:
            return False
        async with self._sessions.begin() as session:
            return await payments.drop_payment(session, ref.payment_id)

    @activity.defn(name="refund_payment")
    async def refund(self, request: RefundRequest) -> PaymentOutcome:
        """Gives back a part, or all; nothing of what `must_arrive`. Idempotent by the request's key. Raises Refused for more than
        was taken."""
        payment = (await self._known(PaymentRef(payment_id=request.payment_id))).payment
        at_provider = await self._give_back(payment, request)
        payment = await self._record_given_back(payment, at_provider)
        log.info("payment refunded", payment_id=payment.id, status=payment.status)
        return payment.outcome

    @activity.defn(name="look_up_payment")
    async def look_up(self, ref: PaymentRef) -> PaymentOutcome:
        """What the provider says now, and whether a bank has still to decide about it; UNKNOWN for a payment that nobody was
        asked for."""
        stored = await self._find(ref)
        if stored is None:
            return PaymentOutcome(payment_id=ref.payment_id, status=PaymentStatus.UNKNOWN)
        at_provider = await fetch_payment(self._cards, self._gateway, stored.payment)
        found = stored.payment
        if at_provider:
            found = await self._record(found.id, at_provider)
        if found.disputed == NOTHING:
            return found.outcome
        async with reading(self._sessions) as session:
            undecided = await is_undecided(session, found.id)
        return found.outcome.model_copy(update={"is_undecided": undecided})

    @activity.defn(name="look_up_dispute")
    async def look_up_dispute(self, dispute_id: str) -> Dispute:
        """What the bank says of a chargeback now. Raises Unavailable, Refused."""
        dispute = await self._cards.dispute(dispute_id)
        async with self._sessions.begin() as session:
            await record_dispute(session, dispute)
        return dispute

    async def _begin(self, request: PaymentRequest) -> tuple[StoredPayment, ProviderPayment | None]:
        """The payment's row; an answer where it is declined before anybody is asked."""
        async with self._sessions.begin() as session:
            method: PaymentMethod | None = None
            detail: str | None = None
            if is_lent(request.method_id):
                return await self._begin_lent(session, request), None
            if request.type in (PaymentType.CARD, PaymentType.BANK_ACCOUNT):
                try:
                    method = await method_of(session, request.method_id or "", request.partner_code)
                    fits = method.type == request.type.value and method.status == "ready"
                    detail = None if fits else _NOT_READY
                except MethodMissing:
                    detail = _NOT_SAVED
            source = PaymentSource(
                method_id=method.provider_id if method else None,
                customer_id=method.customer_id if method else None,
                shown=method.shown if method else request.type.value,
            )
            stored = await payments.begin_payment(session, request, source)
        # A method may have been deleted between two tries: the first one counts.
        if detail is None or not stored.is_new:
            return stored, None
        return stored, ProviderPayment(provider_id="", status=PaymentStatus.DECLINED, detail=detail)

    async def _begin_lent(self, session: AsyncSession, request: PaymentRequest) -> StoredPayment:
        """With a card that is saved nowhere. Raises MethodMissing."""
        card = await lent_card(session, request.method_id or "", request.partner_code)
        if card is None:
            raise MethodMissing
        source = PaymentSource(method_id=card.provider_id, shown=card.shown)
        return await payments.begin_payment(session, request, source)

    async def _as_it_is(self, stored: StoredPayment) -> PaymentOutcome:
        """An answer to a repeat. Who waits for the payer's bank is told what it says by now."""
        if stored.payment.status is PaymentStatus.ACTION_REQUIRED:
            return await self.look_up(PaymentRef(payment_id=stored.payment.id))
        return stored.payment.outcome

    async def _charge(self, stored: StoredPayment) -> ProviderPayment:
        payment, source = stored.payment, stored.source
        if payment.provider_id is None:
            # A provider forgets a key after a day, and would do the same again.
            is_old = datetime.now(UTC) - stored.begun_at > KEY_TRUSTED
            at_provider = (await self._cards.find(payment.id) if is_old else None) or (
                await self._cards.prepare(
                    payment.request,
                    method_id=source.method_id or "",
                    customer_id=source.customer_id,
                    key=f"{payment.id}:prepare",
                )
            )
            if at_provider.status is PaymentStatus.DECLINED:
                return at_provider
            async with self._sessions.begin() as session:
                payment = await payments.name_payment(session, payment.id, at_provider.provider_id)
        else:
            at_provider = await self._cards.payment(payment.provider_id)
        name = at_provider.provider_id
        if payment.status is PaymentStatus.VOIDED:
            return await self._cards.cancel(name, key=f"{payment.id}:cancel")
        if at_provider.status is not PaymentStatus.UNKNOWN:
            return at_provider
        try:
            if payment.request.type is PaymentType.BANK_ACCOUNT:
                return await self._take(payment, name)
            return await self._confirm(payment, name)
        except Unavailable as error:
            return await self._looked_up(name, error, PaymentStatus.UNKNOWN)

    async def _confirm(self, payment: Payment, name: str) -> ProviderPayment:
        """The payer comes back to the site where the run was begun, at which they are signed in. A provider takes a key with one
        address only, so that each site has its own."""
        request = payment.request
        async with reading(self._sessions) as session:
            url = await url_of_run(session, request.flow_id, self._portal_url)
        place = f"{_PAGES[request.flow]}{request.flow_id}"
        page = f"{url}{LINK_PAGE if is_lent(request.method_id) else place}"
        key = f"{payment.id}:confirm" + ("" if url == self._portal_url else f":{url}")
        return await self._cards.confirm(name, key=key, return_url=page)

    async def _take(self, payment: Payment, name: str) -> ProviderPayment:
        """Of a card what is held. A bank knows no hold: its debit is asked for here, once."""
        if payment.request.type is PaymentType.CARD:
            return await self._cards.capture(name, key=f"{payment.id}:capture")
        return await self._cards.debit(name, payment.token or "", key=f"{payment.id}:confirm")

    async def _looked_up(
        self, name: str, error: Unavailable, before: PaymentStatus
    ) -> ProviderPayment:
        """What became of a call without an answer. Raises the error again where the payment stands as it did `before`."""
        if not error.may_have_worked:
            raise error
        at_provider = await self._cards.payment(name)
        if at_provider.status is before:
            raise error
        return at_provider

    async def _debit(self, stored: StoredPayment) -> ProviderPayment:
        payment = stored.payment
        found = None if stored.is_new else await self._gateway.find(payment.id)
        return found or await self._gateway.authorise(
            payment.request, account=stored.source.method_id
        )

    async def _void_card(self, payment: Payment) -> ProviderPayment:
        name = payment.provider_id
        if name is None:
            async with self._sessions.begin() as session:
                if await payments.drop_payment(session, payment.id):
                    return ProviderPayment(provider_id="", status=PaymentStatus.VOIDED)
                name = (await self._reread(payment.id)).provider_id
        if name is None:
            raise PaymentMissing
        at_provider = await self._cards.cancel(name, key=f"{payment.id}:cancel")
        left = at_provider.captured - at_provider.refunded - payment.disputed
        if at_provider.status is PaymentStatus.CAPTURED and left > 0:
            return await self._cards.refund(name, left, key=f"{payment.id}:void")
        return at_provider

    async def _void_transaction(self, payment: Payment) -> ProviderPayment:
        at_provider = await self._gateway.find(payment.id)
        if at_provider is not None and at_provider.status in _TAKEN:
            left = at_provider.captured - at_provider.refunded
            return await self._gateway.refund(payment.id, left, key=f"{payment.id}:void")
        return await self._gateway.void(payment.id)

    async def _give_back(self, payment: Payment, request: RefundRequest) -> ProviderPayment:
        if payment.provider is Provider.GATEWAY:
            return await self._gateway.refund(payment.id, request.amount, key=request.key)
        if payment.provider_id is None:
            raise PaymentMissing
        return await self._cards.refund(
            payment.provider_id, request.amount, key=request.key, attempt=request.attempt
        )

    async def _find(self, ref: PaymentRef, *, save: bool = False) -> StoredPayment | None:
        """With `save` and a request the payment is kept from now on, if it was not."""
        async with self._sessions.begin() as session:
            if ref.wish is not None and save:
                return await payments.begin_payment(session, ref.wish, PaymentSource())
            return await payments.payment_of(session, ref.payment_id)

    async def _known(self, ref: PaymentRef) -> StoredPayment:
        stored = await self._find(ref)
        if stored is None:
            raise PaymentMissing
        return stored

    async def _reread(self, payment_id: str) -> Payment:
        return (await self._known(PaymentRef(payment_id=payment_id))).payment

    async def _record_given_back(self, payment: Payment, at_provider: ProviderPayment) -> Payment:
        """Writes down what the provider said. Raises Unavailable where it did nothing, as a bank was on its way, and the bank
        has answered meanwhile: another try gives it back."""
        recorded = await self._record(payment.id, at_provider)
        did_nothing = (
            payment.provider is Provider.CARDS and at_provider.status is PaymentStatus.PROCESSING
        )
        if did_nothing and recorded.status is not PaymentStatus.PROCESSING:
            raise Unavailable(system=SYSTEM, may_have_worked=False)
        return recorded

    async def _record(self, payment_id: str, at_provider: ProviderPayment) -> Payment:
        """Writes down what the provider said."""
        async with self._sessions.begin() as session:
            return await payments.record_provider_state(session, payment_id, at_provider)
