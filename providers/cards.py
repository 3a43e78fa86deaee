"""The card provider by Stripe's own SDK: saved cards, and payments in two steps (docs/decisions/0027-payments.md).

A payment is first made (`prepare`: no money moves), so that its name is known, and then confirmed. Whoever holds the name can
always ask what became of it, however a reply was lost. Raises Unavailable without a usable answer, Refused for a clear no
without a name of its own, CardRefused where a card is not taken.
"""

from decimal import Decimal
from typing import Any

import httpx
import stripe
from pydantic import SecretStr

from domain.base import Frozen
from domain.money import to_cents
from domain.payment_methods import BillingAddress, CardRefused
from domain.payments import Fact, PaymentStatus, PaymentWish
from providers.card_line import CardLine, refused, text_of

_STATES = {
    "requires_payment_method": PaymentStatus.DECLINED,
    "requires_confirmation": PaymentStatus.UNKNOWN,
    "requires_action": PaymentStatus.ACTION_REQUIRED,
    "processing": PaymentStatus.PROCESSING,
    "requires_capture": PaymentStatus.AUTHORISED,
    "succeeded": PaymentStatus.CAPTURED,
    "canceled": PaymentStatus.VOIDED,
}
_BRANDS = {
    "visa": "Visa",
    "mastercard": "Mastercard",
    "amex": "American Express",
    "discover": "Discover",
    "diners": "Diners Club",
    "jcb": "JCB",
    "unionpay": "UnionPay",
}
_GONE = "This card can not be used any more. Please choose another one."
_EXPAND = ["latest_charge"]


class RawCard(Frozen):
    """A card as it was typed. Printing it shows neither number nor code."""

    number: SecretStr
    cvv: SecretStr
    exp_month: int
    exp_year: int
    name: str
    billing: BillingAddress


class CardToken(Frozen):
    """A card as the provider knows it. `fingerprint` is its name for the number behind it."""

    provider_id: str
    brand: str
    last4: str
    exp_month: int
    exp_year: int
    name: str
    country: str
    billing: BillingAddress
    fingerprint: str
    customer_id: str | None


class Cards:
    """`public_key` is the browser's; `frame_url` is the page in which numbers are entered, None where the provider's own
    script makes it."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        base_url: str,
        secret_key: str,
        public_key: str = "",
        frame_url: str | None = None,
        seconds: float = 8.0,
        at_once: int = 32,
    ) -> None:
        """`base_url` without `/v1`; `seconds` limits each call; `at_once` the calls under way."""
        self.public_key = public_key
        self.frame_url = frame_url
        self._line = CardLine(
            client, base_url=base_url, secret_key=secret_key, seconds=seconds, at_once=at_once
        )
        self._api = self._line.stripe.v1

    async def create_customer(self, name: str, partner_code: str, *, key: str) -> str:
        """The provider's name for a business. Idempotent by `key`."""
        call = self._api.customers.create_async(
            {"name": name, "metadata": {"partner_code": partner_code}}, {"idempotency_key": key}
        )
        return (await self._ask("customer", call)).id

    async def tokenise(self, card: RawCard) -> CardToken:
        """A token for a number, which goes nowhere else. Raises CardRefused."""
        call = self._api.payment_methods.create_async(
            {
                "type": "card",
                "card": {
                    "number": card.number.get_secret_value(),
                    "cvc": card.cvv.get_secret_value(),
                    "exp_month": card.exp_month,
                    "exp_year": card.exp_year,
                },
                "billing_details": {
                    "name": card.name,
                    "address": _address(card.billing),
                },
            }
        )
        return _token(await self._ask("tokenise", call))

    async def card(self, provider_id: str) -> CardToken:
        """Raises CardRefused for a token that nobody knows. Read only."""
        return _token(
            await self._ask("card", self._api.payment_methods.retrieve_async(provider_id))
        )

    async def save_card(self, provider_id: str, customer_id: str, *, key: str) -> CardToken:
        """Ties a card to a business, with its bank's leave. Idempotent by `key`. Raises CardRefused."""
        params: Any = {
            "customer": customer_id,
            "payment_method": provider_id,
            "payment_method_types": ["card"],
            "confirm": True,
            "usage": "on_session",
        }
        call = self._api.setup_intents.create_async(params, {"idempotency_key": key})
        setup = await self._ask("setup", call)
        if setup.status != "succeeded":
            # The bank wants to ask the payer: it will, at the first payment.
            await self._ask(
                "attach",
                self._api.payment_methods.attach_async(provider_id, {"customer": customer_id}),
            )
        return await self.card(provider_id)

    async def update_card(
        self,
        provider_id: str,
        *,
        name: str,
        exp_month: int,
        exp_year: int,
        billing: BillingAddress,
    ) -> CardToken:
        """Raises CardRefused."""
        call = self._api.payment_methods.update_async(
            provider_id,
            {
                "card": {"exp_month": exp_month, "exp_year": exp_year},
                "billing_details": {"name": name, "address": _address(billing)},
            },
        )
        return _token(await self._ask("update card", call))

    async def forget_card(self, provider_id: str) -> None:
        """A card that is tied to nobody any more counts as done."""
        try:
            await self._ask("detach", self._api.payment_methods.detach_async(provider_id))
        except CardRefused:
            return

    async def prepare(
        self, wish: PaymentWish, *, method_id: str, customer_id: str | None, key: str
    ) -> Fact:
        """Names a payment; no money moves. Idempotent by `key`. A card that is gone is a decline."""
        customer = {"customer": customer_id} if customer_id is not None else {}
        metadata = {
            "flow": wish.flow.value,
            "flow_id": wish.flow_id,
            "payment_id": wish.payment_id,
            "attempt": str(wish.attempt),
            "reference": wish.reference or "",
        }
        params: Any = {
            "amount": _cents(wish.amount),
            "currency": wish.currency.lower(),
            "payment_method": method_id,
            "payment_method_types": ["card"],
            "capture_method": "automatic" if wish.capture else "manual",
            "description": wish.description,
            "metadata": metadata,
            **customer,
        }
        try:
            intent = await self._line.ask(
                "prepare",
                self._api.payment_intents.create_async(params, {"idempotency_key": key}),
            )
        except (stripe.CardError, stripe.InvalidRequestError) as error:
            if isinstance(error, stripe.CardError) or error.param == "payment_method":
                return Fact(provider_id="", status=PaymentStatus.DECLINED, detail=_GONE)
            raise refused(error) from None
        return _fact(intent)

    async def confirm(self, provider_id: str, *, key: str, return_url: str) -> Fact:
        """Asks for the money. Idempotent by `key`, and by the payment itself, which is confirmed once at most."""
        params: Any = {"return_url": return_url, "expand": _EXPAND}
        return await self._move(
            "confirm",
            provider_id,
            self._api.payment_intents.confirm_async(provider_id, params, {"idempotency_key": key}),
        )

    async def payment(self, provider_id: str) -> Fact:
        """What became of it. Read only."""
        try:
            return _fact(
                await self._line.ask(
                    "payment",
                    self._api.payment_intents.retrieve_async(provider_id, {"expand": _EXPAND}),
                )
            )
        except stripe.InvalidRequestError as error:
            raise refused(error) from None

    async def capture(self, provider_id: str, *, key: str) -> Fact:
        """Takes what is held. Idempotent by `key` and by the payment itself."""
        return await self._move(
            "capture",
            provider_id,
            self._api.payment_intents.capture_async(
                provider_id, {"expand": _EXPAND}, {"idempotency_key": key}
            ),
        )

    async def cancel(self, provider_id: str, *, key: str) -> Fact:
        """Lets go of what is held; a payment that was taken answers as it is."""
        return await self._move(
            "cancel",
            provider_id,
            self._api.payment_intents.cancel_async(
                provider_id, {"expand": _EXPAND}, {"idempotency_key": key}
            ),
        )

    async def refund(self, provider_id: str, amount: Decimal, *, key: str) -> Fact:
        """Money back, once for each `key`: a refund that carries it already is not made again. Raises Refused."""
        try:
            given = await self._line.ask(
                "refunds",
                self._api.refunds.list_async({"payment_intent": provider_id, "limit": 100}),
            )
            keys = {_plain(one.metadata).get("key") for one in given.data}
            if key not in keys:
                await self._line.ask(
                    "refund",
                    self._api.refunds.create_async(
                        {
                            "payment_intent": provider_id,
                            "amount": _cents(amount),
                            "metadata": {"key": key},
                        },
                        {"idempotency_key": key},
                    ),
                )
        except (stripe.CardError, stripe.InvalidRequestError) as error:
            raise refused(error) from None
        return await self.payment(provider_id)

    async def _move(self, operation: str, provider_id: str, call: Any) -> Fact:
        """A change of a payment. Whatever is refused is looked up: the payment says itself where it stands."""
        try:
            return _fact(await self._line.ask(operation, call))
        except stripe.InvalidRequestError as error:
            fact = await self.payment(provider_id)
            if operation == "confirm" and fact.status is PaymentStatus.UNKNOWN:
                return fact.model_copy(
                    update={"status": PaymentStatus.DECLINED, "detail": text_of(error)}
                )
            return fact
        except stripe.CardError as error:
            fact = await self.payment(provider_id)
            return fact.model_copy(update={"detail": fact.detail or text_of(error)})

    async def _ask(self, operation: str, call: Any) -> Any:
        try:
            return await self._line.ask(operation, call)
        except (stripe.CardError, stripe.InvalidRequestError) as error:
            raise CardRefused(text_of(error)) from None


def brand_shown(brand: str) -> str:
    """As it is written."""
    return _BRANDS.get(brand, "Card")


def _fact(intent: stripe.PaymentIntent) -> Fact:
    charge = intent.latest_charge
    refunded = charge.amount_refunded if isinstance(charge, stripe.Charge) else 0
    status = _STATES.get(intent.status, PaymentStatus.UNKNOWN)
    if status is PaymentStatus.CAPTURED and 0 < intent.amount_received <= refunded:
        status = PaymentStatus.REFUNDED
    error = intent.last_payment_error
    action = intent.next_action
    redirect = getattr(action, "redirect_to_url", None)  # there for this type of action only
    return Fact(
        provider_id=intent.id,
        status=status,
        detail=getattr(error, "message", None) if status is PaymentStatus.DECLINED else None,
        action_url=redirect.url if redirect is not None else None,
        captured=_dollars(intent.amount_received),
        refunded=_dollars(refunded),
    )


def _token(method: stripe.PaymentMethod) -> CardToken:
    card = method.card
    if card is None:
        raise CardRefused("This is no card.")
    details = method.billing_details
    customer = method.customer
    return CardToken(
        provider_id=method.id,
        brand=brand_shown(card.brand),
        last4=card.last4 or "0000",
        exp_month=card.exp_month,
        exp_year=card.exp_year,
        name=details.name or "",
        country=(details.address.country if details.address else None) or card.country or "",
        billing=_billing(details.address),
        fingerprint=card.fingerprint or method.id,
        customer_id=customer if isinstance(customer, str) or customer is None else customer.id,
    )


def _billing(address: stripe.StripeObject | None) -> BillingAddress:
    given = _plain(address)
    return BillingAddress(
        street_address_1=given.get("line1") or "",
        street_address_2=given.get("line2") or "",
        city=given.get("city") or "",
        state=given.get("state") or "",
        postal_code=given.get("postal_code") or "",
        country_code=given.get("country") or "",
    )


def _plain(told: stripe.StripeObject | None) -> dict[str, Any]:
    return {} if told is None else told.to_dict()


def _address(billing: BillingAddress) -> Any:
    """Empty texts are left out: they would be taken for a wish to clear."""
    named = {
        "line1": billing.street_address_1,
        "line2": billing.street_address_2,
        "city": billing.city,
        "state": billing.state,
        "postal_code": billing.postal_code,
        "country": billing.country_code,
    }
    return {name: value for name, value in named.items() if value}


def _cents(amount: Decimal) -> int:
    return int(to_cents(amount) * 100)


def _dollars(cents: int) -> Decimal:
    return Decimal(cents) / 100
