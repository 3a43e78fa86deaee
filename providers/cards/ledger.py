"""The card provider's ledger: every payment since a day, page by page, and what banks and refunds did to older ones."""

from datetime import datetime
from typing import Any

import stripe

from domain.base import Frozen
from domain.billing.payments import ProviderPayment
from domain.billing.reconciliation.facts import Charge
from providers.cards.payments import Cards, dollars_of, provider_payment_of
from providers.cards.transport import plain, refused

PAGE = 100
OVER = frozenset({"won", "warning_closed", "prevented"})
"""Disputes that took nothing."""


class ChargePage(Frozen):
    """`cursor` names where the next page begins; None where there is none."""

    charges: tuple[Charge, ...]
    cursor: str | None


class NamePage(Frozen):
    """The provider's names of charges that something happened to."""

    ids: tuple[str, ...]
    cursor: str | None


class CardLedger:
    """Read only. Raises Unavailable without a usable answer."""

    def __init__(self, cards: Cards) -> None:
        self._line, self._api = cards.line, cards.api

    async def charges(self, since: datetime, after: str | None) -> ChargePage:
        """Newest first."""
        params = _params(since, after) | {"expand": ["data.latest_charge"]}
        page = await self._line.ask("charges", self._api.payment_intents.list_async(params))
        return ChargePage(
            charges=tuple(charge_of(one) for one in page.data),
            cursor=page.data[-1].id if page.has_more and page.data else None,
        )

    async def refunded(self, since: datetime, after: str | None) -> NamePage:
        """Those that something of was given back since, however old they are."""
        page = await self._line.ask("refunds", self._api.refunds.list_async(_params(since, after)))
        return NamePage(
            ids=tuple(filter(None, (_name(one.payment_intent) for one in page.data))),
            cursor=page.data[-1].id if page.has_more and page.data else None,
        )

    async def disputed(self, since: datetime, after: str | None) -> NamePage:
        """Those that a bank has taken back since."""
        page = await self._line.ask(
            "disputes", self._api.disputes.list_async(_params(since, after))
        )
        live = (one for one in page.data if one.status not in OVER)
        return NamePage(
            ids=tuple(filter(None, (_name(one.payment_intent) for one in live))),
            cursor=page.data[-1].id if page.has_more and page.data else None,
        )

    async def charge(self, id: str) -> tuple[Charge, ProviderPayment] | None:
        """As it stands now; None where the provider never had it."""
        try:
            found = await self._line.ask(
                "charge",
                self._api.payment_intents.retrieve_async(id, {"expand": ["latest_charge"]}),
            )
        except stripe.InvalidRequestError as error:
            if error.code == "resource_missing":
                return None
            raise refused(error) from None
        return charge_of(found), provider_payment_of(found)


def charge_of(intent: stripe.PaymentIntent) -> Charge:
    at_provider = provider_payment_of(intent)
    return Charge(
        id=intent.id,
        provider="card",
        payment_id=plain(intent.metadata).get("payment_id"),
        status=at_provider.status,
        captured=at_provider.captured,
        refunded=at_provider.refunded,
        amount=dollars_of(intent.amount),
        currency=at_provider.currency or "USD",
        customer=_name(intent.customer),
    )


def _params(since: datetime, after: str | None) -> Any:
    place = {"starting_after": after} if after else {}
    return {"created": {"gte": int(since.timestamp())}, "limit": PAGE, **place}


def _name(reference: Any) -> str | None:
    """An id, also where the object itself was sent."""
    return reference if reference is None or isinstance(reference, str) else reference.id
