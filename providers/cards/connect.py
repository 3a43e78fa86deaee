"""Payout accounts at the card provider, and transfers to them, by Stripe's own SDK (decision 65).

Raises Unavailable without a usable answer, Refused for a clear no.
"""

from collections.abc import Awaitable
from datetime import UTC, datetime
from typing import Any, TypeVar

import stripe

from domain.base import Frozen
from domain.dealers.payout_account import AccountLink, ProviderAccount
from domain.dealers.payouts import Payout, Transfer
from domain.money import to_cents
from providers.cards.payments import Cards, dollars_of
from providers.cards.transport import plain, refused

PAGE = 100
_Answer = TypeVar("_Answer")


class TransferPage(Frozen):
    """`cursor` names where the next page begins; None where there is none."""

    transfers: tuple[Transfer, ...]
    cursor: str | None


class Connect:
    """Accounts of dealers, and what is sent to them."""

    def __init__(self, cards: Cards) -> None:
        self._line, self._api = cards.line, cards.api

    async def create_account(
        self, dealer_id: str, name: str, country: str | None
    ) -> ProviderAccount:
        """One for each dealer: idempotent by its id, whoever of them asks. It never leaves its `country` (`CA`); None is the
        portal's own."""
        params: Any = {
            "type": "express",
            **({"country": country} if country else {}),
            "business_profile": {"name": name},
            "capabilities": {"transfers": {"requested": True}},
            "metadata": {"dealer_id": dealer_id},
        }
        call = self._api.accounts.create_async(
            params, {"idempotency_key": f"payout-account-{dealer_id}"}
        )
        return account_of(await self._ask("account", call))

    async def account(self, account_id: str) -> ProviderAccount:
        """As it stands now. Read only."""
        return account_of(await self._ask("account", self._api.accounts.retrieve_async(account_id)))

    async def link(self, account_id: str, *, refresh_url: str, return_url: str) -> AccountLink:
        """A new page for what the provider wants to know; links of before stay as they are."""
        made = await self._ask(
            "account link",
            self._api.account_links.create_async(
                {
                    "account": account_id,
                    "refresh_url": refresh_url,
                    "return_url": return_url,
                    "type": "account_onboarding",
                }
            ),
        )
        return AccountLink(url=made.url, expires_at=datetime.fromtimestamp(made.expires_at, UTC))

    async def login_url(self, account_id: str) -> str:
        """The provider's own page of an account whose onboarding is complete."""
        made = await self._ask(
            "login link", self._api.accounts.login_links.create_async(account_id)
        )
        return made.url

    async def send(self, payout: Payout, account_id: str) -> Transfer:
        """Moves the money of a payout. Idempotent by its attempt, for as long as the provider keeps keys."""
        made = await self._ask(
            "transfer",
            self._api.transfers.create_async(
                {
                    "amount": int(to_cents(payout.amount) * 100),
                    "currency": "usd",
                    "destination": account_id,
                    "description": f"Rewards {payout.month}",
                    "transfer_group": payout.id,
                    "metadata": {"attempt": str(payout.attempt), "payout_id": payout.id},
                },
                {"idempotency_key": payout.key},
            ),
        )
        return transfer_of(made)

    async def sent(self, payout: Payout) -> tuple[Transfer, ...]:
        """All that was ever sent for a payout. Read only."""
        found = await self._ask(
            "transfers",
            self._api.transfers.list_async({"transfer_group": payout.id, "limit": PAGE}),
        )
        return tuple(transfer_of(one) for one in found.data)

    async def transfer(self, transfer_id: str) -> Transfer:
        """As it stands now. Read only."""
        return transfer_of(
            await self._ask("transfer", self._api.transfers.retrieve_async(transfer_id))
        )

    async def transfers(self, since: datetime, after: str | None) -> TransferPage:
        """The newest first. Read only."""
        place = {"starting_after": after} if after else {}
        params: Any = {"created": {"gte": int(since.timestamp())}, "limit": PAGE, **place}
        page = await self._ask("transfers", self._api.transfers.list_async(params))
        return TransferPage(
            transfers=tuple(transfer_of(one) for one in page.data),
            cursor=page.data[-1].id if page.has_more and page.data else None,
        )

    async def _ask(self, operation: str, call: Awaitable[_Answer]) -> _Answer:
        try:
            return await self._line.ask(operation, call)
        except (stripe.CardError, stripe.InvalidRequestError) as error:
            raise refused(error) from None


def account_of(record: stripe.Account) -> ProviderAccount:
    capabilities = plain(record.capabilities)
    requirements = plain(record.requirements)
    due = {*(requirements.get("currently_due") or ()), *(requirements.get("past_due") or ())}
    return ProviderAccount(
        id=record.id,
        details_submitted=bool(record.details_submitted),
        can_be_paid=capabilities.get("transfers") == "active",
        due=tuple(sorted(due)),
    )


def transfer_of(record: stripe.Transfer) -> Transfer:
    metadata = plain(record.metadata)
    attempt = str(metadata.get("attempt", ""))
    to = record.destination
    return Transfer(
        id=record.id,
        account_id=to if isinstance(to, str) else to.id if to is not None else "",
        amount=dollars_of(record.amount),
        reversed=dollars_of(record.amount_reversed),
        payout_id=record.transfer_group or metadata.get("payout_id"),
        attempt=int(attempt) if attempt.isdigit() else None,
        currency=record.currency.upper(),
    )
