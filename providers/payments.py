"""Where a payment stands, asked at the provider that has it."""

from domain.billing.payments import Payment, Provider, ProviderPayment
from providers.cards.payments import Cards
from providers.gateway import Gateway


async def fetch_payment(cards: Cards, gateway: Gateway, payment: Payment) -> ProviderPayment | None:
    """What the provider says of a payment; None while nobody was asked for it. Read only. Raises Unavailable."""
    if payment.provider is Provider.GATEWAY:
        return await gateway.find(payment.id)
    return await cards.payment(payment.provider_id) if payment.provider_id else None
