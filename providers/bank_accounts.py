"""Saved bank accounts, each at the provider that it was saved at: the card provider's, and the gateway's."""

from domain.billing.bank_verification import BankAccount, HolderType
from domain.billing.payments import is_at_card_provider
from providers.cards.banks import SavedBanks
from providers.cards.payments import Cards
from providers.gateway import Gateway


class BankAccounts:
    """Raises Unavailable without a usable answer, Refused for a clear no."""

    def __init__(self, cards: Cards, gateway: Gateway) -> None:
        self._banks = SavedBanks(cards)
        self._gateway = gateway

    async def send_deposits(self, account: BankAccount) -> None:
        """Small deposits that prove whose it is, once. Idempotent by the account."""
        key = f"deposits-{account.method_id}"
        if not is_at_card_provider(account.token):
            return await self._gateway.send_deposits(
                account.token, method_id=account.method_id, key=key
            )
        await self._banks.send_deposits(
            account.token,
            customer_id=account.customer_id or "",
            country=account.country,
            is_company=account.holder_type is HolderType.COMPANY,
            method_id=account.method_id,
            key=key,
        )

    async def verify(self, token: str, named: tuple[int, int] | str, *, key: str) -> bool | None:
        """Whether these are the cents of the two deposits, or the code that came with the one; None for a code where none was
        sent. Idempotent by `key`."""
        if is_at_card_provider(token):
            return await self._banks.verify(token, named, key=key)
        if isinstance(named, str):
            return None
        return await self._gateway.verify_deposits(token, named, key=key)

    async def forget(self, token: str) -> None:
        """Its provider keeps nothing of it. Idempotent."""
        if is_at_card_provider(token):
            return await self._banks.forget(token)
        await self._gateway.forget_account(token)
