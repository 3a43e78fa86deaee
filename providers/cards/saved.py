"""Saved cards at the card provider, by Stripe's own SDK: tokens for numbers, and whose cards they are.

Raises Unavailable without a usable answer, CardRefused where a card is not taken.
"""

from typing import Any

import httpx
import stripe
from pydantic import SecretStr

from domain.base import Frozen
from domain.billing.payment_methods import BillingAddress, CardRefused
from providers.cards.transport import StripeTransport, plain, text_of

_BRANDS = {
    "visa": "Visa",
    "mastercard": "Mastercard",
    "amex": "American Express",
    "discover": "Discover",
    "diners": "Diners Club",
    "jcb": "JCB",
    "unionpay": "UnionPay",
}


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


class SavedCards:
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
        self.line = StripeTransport(
            client, base_url=base_url, secret_key=secret_key, seconds=seconds, at_once=at_once
        )
        self.api = self.line.stripe.v1

    async def create_customer(self, name: str, partner_code: str, *, key: str) -> str:
        """The provider's name for a business. Idempotent by `key`."""
        call = self.api.customers.create_async(
            {"name": name, "metadata": {"partner_code": partner_code}}, {"idempotency_key": key}
        )
        return (await self._ask("customer", call)).id

    async def tokenise(self, card: RawCard) -> CardToken:
        """A token for a number, which goes nowhere else. Raises CardRefused."""
        call = self.api.payment_methods.create_async(
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
        return _token(await self._ask("card", self.api.payment_methods.retrieve_async(provider_id)))

    async def save_card(self, provider_id: str, customer_id: str, *, key: str) -> CardToken:
        """Ties a card to a business, with its bank's leave. Idempotent by `key`. Raises CardRefused."""
        params: Any = {
            "customer": customer_id,
            "payment_method": provider_id,
            "payment_method_types": ["card"],
            "confirm": True,
            "usage": "on_session",
        }
        call = self.api.setup_intents.create_async(params, {"idempotency_key": key})
        setup = await self._ask("setup", call)
        if setup.status != "succeeded":
            # The bank wants to ask the payer: it will, at the first payment.
            await self._ask(
                "attach",
                self.api.payment_methods.attach_async(provider_id, {"customer": customer_id}),
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
        call = self.api.payment_methods.update_async(
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
            await self._ask("detach", self.api.payment_methods.detach_async(provider_id))
        except CardRefused:
            return

    async def _ask(self, operation: str, call: Any) -> Any:
        try:
            return await self.line.ask(operation, call)
        except (stripe.CardError, stripe.InvalidRequestError) as error:
            raise CardRefused(text_of(error)) from None


def brand_shown(brand: str) -> str:
    """As it is written."""
    return _BRANDS.get(brand, "Card")


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
    given = plain(address)
    return BillingAddress(
        street_address_1=given.get("line1") or "",
        street_address_2=given.get("line2") or "",
        city=given.get("city") or "",
        state=given.get("state") or "",
        postal_code=given.get("postal_code") or "",
        country_code=given.get("country") or "",
    )


def _address(billing: BillingAddress) -> Any:
    """Empty texts are left out: they would be taken for a request to clear."""
    named = {
        "line1": billing.street_address_1,
        "line2": billing.street_address_2,
        "city": billing.city,
        "state": billing.state,
        "postal_code": billing.postal_code,
        "country": billing.country_code,
    }
    return {name: value for name, value in named.items() if value}
