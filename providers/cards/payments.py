"""The card provider by Stripe's own SDK: payments in two steps (docs/decisions/0027-payments.md); `saved.py` keeps cards.

A payment is first made (`prepare`: no money moves), so that its name is known, and then confirmed. Whoever holds the name can
always ask what became of it, however a reply was lost. Raises Unavailable without a usable answer, Refused for a clear no.
"""

from collections.abc import Collection
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import stripe
import structlog

from domain.billing.disputes import Dispute, DisputeStatus
from domain.billing.payment_events import ProviderRefund
from domain.billing.payments import PaymentRequest, PaymentStatus, PaymentType, ProviderPayment
from domain.money import to_cents
from providers.cards.banks import SavedBanks
from providers.cards.saved import SavedCards
from providers.cards.transport import (
    KEY_REUSED,
    SYSTEM,
    is_said_again,
    plain,
    refused,
    text_of,
)
from providers.errors import Refused

log = structlog.get_logger()

_STATES = {
    "requires_payment_method": PaymentStatus.DECLINED,
    "requires_confirmation": PaymentStatus.UNKNOWN,
    "requires_action": PaymentStatus.ACTION_REQUIRED,
    "processing": PaymentStatus.PROCESSING,
    "requires_capture": PaymentStatus.AUTHORISED,
    "succeeded": PaymentStatus.CAPTURED,
    "canceled": PaymentStatus.VOIDED,
}
_GONE = "This card cannot be used any more. Please choose another one."
_BANK_GONE = "This bank account cannot be used any more. Please choose another way to pay."
_NOT_TAKEN = "This payment was not accepted. Please choose another way to pay."
_OF_METHOD = frozenset({"payment_method", "customer"})
_OF_AMOUNT = frozenset({"amount_too_small", "amount_too_large"})
"""What is said of these is for whoever pays; of anything else it is for us."""
LATER = "later"
"""Of a bank's debit that is asked for when the money is to be taken: a bank holds none."""
_EXPAND = ["latest_charge"]
MOST_TRIES = 50
"""Of one refund, as many as may come within the day for which its provider remembers them."""


class Cards(SavedCards):
    """Saved cards, and payments with them and with bank accounts."""

    async def prepare(
        self, request: PaymentRequest, *, method_id: str, customer_id: str | None, key: str
    ) -> ProviderPayment:
        """Names a payment; no money moves. Idempotent by `key`. What is refused is a decline: no payment was named, so that
        nothing is left to look up."""
        is_debit = request.type is PaymentType.BANK_ACCOUNT
        gone = ProviderPayment(
            provider_id="",
            status=PaymentStatus.DECLINED,
            detail=_BANK_GONE if is_debit else _GONE,
        )
        try:
            kind = await SavedBanks(self).kind_of(method_id) if is_debit else "card"
        except Refused:
            return gone
        customer = {"customer": customer_id} if customer_id is not None else {}
        metadata = {
            "flow": request.flow.value,
            "flow_id": request.flow_id,
            "payment_id": request.payment_id,
            "attempt": str(request.attempt),
            "reference": request.reference or "",
            **({"capture": LATER} if is_debit and not request.capture else {}),
        }
        params: Any = {
            "amount": _cents(request.amount),
            "currency": request.currency.lower(),
            "payment_method": method_id,
            "payment_method_types": [kind],
            "capture_method": "automatic" if request.capture or is_debit else "manual",
            "description": request.description,
            "metadata": metadata,
            **customer,
        }
        try:
            intent = await self.line.ask(
                "prepare",
                self.api.payment_intents.create_async(params, {"idempotency_key": key}),
            )
        except (stripe.CardError, stripe.InvalidRequestError) as error:
            if isinstance(error, stripe.CardError) or error.param in _OF_METHOD:
                return gone
            if error.code in _OF_AMOUNT:
                return gone.model_copy(update={"detail": text_of(error)})
            log.error("a payment was not named", code=error.code, param=error.param)
            return gone.model_copy(update={"detail": _NOT_TAKEN})
        return provider_payment_of(intent)

    async def confirm(self, provider_id: str, *, key: str, return_url: str) -> ProviderPayment:
        """Asks for the money. Idempotent by `key`, and by the payment itself, which is confirmed once at most."""
        params: Any = {"return_url": return_url, "expand": _EXPAND}
        return await self._move(
            "confirm",
            provider_id,
            self.api.payment_intents.confirm_async(provider_id, params, {"idempotency_key": key}),
        )

    async def debit(self, provider_id: str, token: str, *, key: str) -> ProviderPayment:
        """Asks the bank for the money, under the permission that was given with the account. Idempotent by `key`, and by the
        payment itself."""
        mandate = await SavedBanks(self).mandate_of(token)
        params: Any = {"expand": _EXPAND, **({"mandate": mandate} if mandate else {})}
        call = self.api.payment_intents.confirm_async(provider_id, params, {"idempotency_key": key})
        return await self._move("confirm", provider_id, call)

    async def payment(self, provider_id: str) -> ProviderPayment:
        """What became of it. Read only."""
        try:
            return provider_payment_of(
                await self.line.ask(
                    "payment",
                    self.api.payment_intents.retrieve_async(provider_id, {"expand": _EXPAND}),
                )
            )
        except stripe.InvalidRequestError as error:
            raise refused(error) from None

    async def find(self, payment_id: str) -> ProviderPayment | None:
        """A payment by our id of it, which the provider keeps with it; None where it has none. It finds what is some minutes
        old, not what is made this moment. Read only."""
        query = f"metadata['payment_id']:'{payment_id}'"
        found = await self.line.ask(
            "find", self.api.payment_intents.search_async({"query": query, "limit": 1})
        )
        return await self.payment(found.data[0].id) if found.data else None

    async def capture(self, provider_id: str, *, key: str) -> ProviderPayment:
        """Takes what is held. Idempotent by `key` and by the payment itself."""
        return await self._move(
            "capture",
            provider_id,
            self.api.payment_intents.capture_async(
                provider_id, {"expand": _EXPAND}, {"idempotency_key": key}
            ),
        )

    async def cancel(self, provider_id: str, *, key: str) -> ProviderPayment:
        """Lets go of what is held; a payment that was taken answers as it is."""
        return await self._move(
            "cancel",
            provider_id,
            self.api.payment_intents.cancel_async(
                provider_id, {"expand": _EXPAND}, {"idempotency_key": key}
            ),
        )

    async def refund(
        self, provider_id: str, amount: Decimal, *, key: str, attempt: int = 1
    ) -> ProviderPayment:
        """Money back, once for each `key`: a refund that carries it already is not made again, unless its bank did not take it. Of
        a bank's debit that is under way nothing is given back, and it answers so. Raises Refused."""
        before = await self.payment(provider_id)
        if before.status is PaymentStatus.PROCESSING:
            return before
        try:
            given = await self.line.ask(
                "refunds",
                self.api.refunds.list_async({"payment_intent": provider_id, "limit": 100}),
            )
        except stripe.InvalidRequestError as error:
            raise refused(error) from None
        ours = [one for one in given.data if plain(one.metadata).get("key") == key]
        failed = {one.id for one in ours if one.status in _FAILED}
        if len(failed) == len(ours):
            await self._give_back(provider_id, amount, key=key, attempt=attempt, failed=failed)
        return await self.payment(provider_id)

    async def _give_back(
        self, provider_id: str, amount: Decimal, *, key: str, attempt: int, failed: Collection[str]
    ) -> None:
        """One that is not there yet. The provider remembers for a day what it refused or made, and says it again, of those that
        have `failed` since too, so that each try has a key of its own: the first, from `attempt` on, that no earlier one has
        used. Raises Refused."""
        params: Any = {
            "payment_intent": provider_id,
            "amount": _cents(amount),
            "metadata": {"key": key},
        }
        for number in range(attempt, attempt + MOST_TRIES):
            own = key if number == 1 else f"{key}:{number}"
            call = self.api.refunds.create_async(params, {"idempotency_key": own})
            try:
                if (await self.line.ask("refund", call)).id not in failed:
                    return
            except (stripe.CardError, stripe.InvalidRequestError) as error:
                if not is_said_again(error):
                    raise refused(error) from None
            except Refused as error:
                if error.code != KEY_REUSED:  # another amount was tried, and refused
                    raise
        raise Refused("refund_refused", "The refund was refused too often.", system=SYSTEM)

    async def fetch_refund(self, refund_id: str) -> ProviderRefund:
        """What became of money that was given back. Read only. Raises Refused."""
        try:
            record = await self.line.ask("refund", self.api.refunds.retrieve_async(refund_id))
        except stripe.InvalidRequestError as error:
            raise refused(error) from None
        paid = record.payment_intent
        return ProviderRefund(
            id=record.id,
            provider_id=paid if isinstance(paid, str) else paid.id if paid is not None else "",
            key=plain(record.metadata).get("key"),
            amount=dollars_of(record.amount),
            has_failed=record.status in _FAILED,
            reason=(record.failure_reason or "").replace("_", " "),
        )

    async def dispute(self, dispute_id: str) -> Dispute:
        """What a bank says of a payment that a card's holder had taken back. Read only. Raises Refused."""
        try:
            return _dispute(
                await self.line.ask("dispute", self.api.disputes.retrieve_async(dispute_id))
            )
        except stripe.InvalidRequestError as error:
            raise refused(error) from None

    async def _move(self, operation: str, provider_id: str, call: Any) -> ProviderPayment:
        """A change of a payment. Whatever is refused is looked up: the payment says itself where it stands."""
        try:
            return provider_payment_of(await self.line.ask(operation, call))
        except stripe.InvalidRequestError as error:
            at_provider = await self.payment(provider_id)
            if operation == "confirm" and at_provider.status in _NOT_ASKED:
                return at_provider.model_copy(
                    update={"status": PaymentStatus.DECLINED, "detail": text_of(error)}
                )
            return at_provider
        except stripe.CardError as error:
            at_provider = await self.payment(provider_id)
            return at_provider.model_copy(update={"detail": at_provider.detail or text_of(error)})


def provider_payment_of(intent: stripe.PaymentIntent) -> ProviderPayment:
    """What an intent says of a payment; with its charge it tells what went back, too."""
    charge = intent.latest_charge
    # Of a hold that was let go the provider says that it was refunded.
    is_debit = bool(_DEBITS.intersection(intent.payment_method_types))
    received = intent.amount if is_debit and _is_asked_of_bank(intent) else intent.amount_received
    is_taken = received > 0
    refunded = charge.amount_refunded if is_taken and isinstance(charge, stripe.Charge) else 0
    status = _STATES.get(intent.status, PaymentStatus.UNKNOWN)
    if status is PaymentStatus.CAPTURED and 0 < received <= refunded:
        status = PaymentStatus.REFUNDED
    metadata = plain(intent.metadata)
    if is_debit and status is PaymentStatus.UNKNOWN and metadata.get("capture") == LATER:
        status = PaymentStatus.AUTHORISED
    if is_debit and status is PaymentStatus.DECLINED and received:
        status = PaymentStatus.RETURNED
    error = intent.last_payment_error
    action = intent.next_action
    redirect = getattr(action, "redirect_to_url", None)  # there for this type of action only
    return ProviderPayment(
        provider_id=intent.id,
        status=status,
        detail=getattr(error, "message", None) if status in _REFUSED else None,
        action_url=redirect.url if redirect is not None else None,
        captured=dollars_of(received),
        refunded=dollars_of(refunded),
        currency=intent.currency.upper(),
        owner=metadata.get("payment_id"),
    )


_FAILED = frozenset({"failed", "canceled"})
_DEBITS = frozenset({"us_bank_account", "acss_debit"})
_NOT_ASKED = frozenset({PaymentStatus.UNKNOWN, PaymentStatus.AUTHORISED})
"""Of what a confirm that was refused leaves as it was."""
_REFUSED = frozenset({PaymentStatus.DECLINED, PaymentStatus.RETURNED})


def _is_asked_of_bank(intent: stripe.PaymentIntent) -> bool:
    """Whether the money is on its way from a bank, or was sent back by it."""
    return intent.status == "processing" or (
        intent.status == "requires_payment_method" and intent.latest_charge is not None
    )


_DISPUTES = {
    "warning_needs_response": DisputeStatus.INQUIRY,
    "warning_under_review": DisputeStatus.INQUIRY,
    "warning_closed": DisputeStatus.WON,
    "prevented": DisputeStatus.WON,
    "won": DisputeStatus.WON,
    "lost": DisputeStatus.LOST,
}
"""All others are open, those of an appeal too."""


def _dispute(record: stripe.Dispute) -> Dispute:
    paid = record.payment_intent
    due = record.evidence_details.due_by
    return Dispute(
        id=record.id,
        provider_id=paid if isinstance(paid, str) else paid.id if paid is not None else "",
        status=_DISPUTES.get(record.status, DisputeStatus.OPEN),
        amount=dollars_of(record.amount),
        currency=record.currency.upper(),
        reason=record.reason,
        respond_by=datetime.fromtimestamp(due, UTC) if due else None,
    )


def _cents(amount: Decimal) -> int:
    return int(to_cents(amount) * 100)


def dollars_of(cents: int) -> Decimal:
    """Dollars of so many cents."""
    return Decimal(cents) / 100
