"""Where a payment stands, asked at the provider that has it."""

from domain.billing.payments import Fact, Held, PaymentType
from providers.cards.payments import Cards
from providers.gateway import Gateway


async def fetch_payment(cards: Cards, gateway: Gateway, held: Held) -> Fact | None:
    """What the provider says of a payment; None while nobody was asked for it. Read only. Raises Unavailable."""
    if held.wish.type is not PaymentType.CARD:
        return await gateway.find(held.id)
    return await cards.payment(held.provider_id) if held.provider_id else None
