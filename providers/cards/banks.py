"""Bank accounts at the card provider, by Stripe's own SDK (decision 84): American ones (`us_bank_account`) and Canadian ones
(`acss_debit`, a pre-authorised debit).

A number becomes a token. The permission to debit it (a setup intent, with its mandate) is given with two small deposits, or
one whose text holds a code; whoever names them has verified the account. Raises Unavailable without a usable answer,
Refused for a clear no.
"""

from typing import Any, Literal

import stripe
from pydantic import SecretStr

from domain.base import Frozen
from providers.cards.saved import SavedCards
from providers.cards.transport import SYSTEM, refused
from providers.errors import Refused

WRONG = frozenset(
    {
        "payment_method_microdeposit_verification_amounts_mismatch",
        "payment_method_microdeposit_verification_amounts_invalid",
        "payment_method_microdeposit_verification_descriptor_code_mismatch",
        "payment_method_microdeposit_verification_attempts_exceeded",
        "payment_method_microdeposit_verification_timeout",
    }
)
"""Its words for deposits that were not named rightly, or too late."""
_KINDS = {"US": "us_bank_account", "CA": "acss_debit"}
_INSTITUTION_DIGITS = 3


class RawAccount(Frozen):
    """An account as it was typed. Printing it shows no number. `routing_number` has nine digits: of a Canadian bank they are a
    0, the three of the institution and the five of the branch."""

    holder_name: str
    holder_type: Literal["individual", "company"]
    account_type: Literal["checking", "savings"]
    routing_number: SecretStr
    account_number: SecretStr
    country: str
    email: str


class CardBankToken(Frozen):
    """An account as the provider knows it. `fingerprint` is its name for the number behind it."""

    token: str
    last4: str
    bank_name: str | None
    fingerprint: str


class SavedBanks:
    """Of businesses that are the provider's customers."""

    def __init__(self, cards: SavedCards) -> None:
        self._line, self._api = cards.line, cards.api

    async def tokenise(self, account: RawAccount, *, key: str) -> CardBankToken:
        """A token for an account number, which goes nowhere else. Idempotent by `key`."""
        kind = _KINDS[account.country]
        params: Any = {
            "type": kind,
            kind: _numbers(account),
            "billing_details": {"name": account.holder_name, "email": account.email},
        }
        call = self._api.payment_methods.create_async(params, {"idempotency_key": key})
        method = await self._ask("bank account", call)
        held = getattr(method, kind, None)  # an answer holds the kind that it is of
        if held is None:
            raise Refused("not_a_bank_account", "This is no bank account.", system=SYSTEM)
        return CardBankToken(
            token=method.id,
            last4=held.last4 or "0000",
            bank_name=held.bank_name,
            fingerprint=held.fingerprint or method.id,
        )

    async def send_deposits(
        self,
        token: str,
        *,
        customer_id: str,
        country: str,
        is_company: bool,
        method_id: str,
        key: str,
    ) -> None:
        """Asks for the permission to debit the account: the deposits go out with it, once. Idempotent by `key`, and
        by the account."""
        if await self._setup(token) is not None:
            return
        params: Any = {
            **permission(country, is_company=is_company),
            "customer": customer_id,
            "payment_method": token,
            "metadata": {"method_id": method_id},
        }
        await self._ask(
            "deposits", self._api.setup_intents.create_async(params, {"idempotency_key": key})
        )

    async def verify(self, token: str, named: tuple[int, int] | str, *, key: str) -> bool:
        """Whether these are the cents of the two deposits, or the code that came with the one. Idempotent by `key`."""
        setup = await self._setup(token)
        if setup is None:
            return False
        if setup.status == "succeeded":
            return True
        params: Any = (
            {"descriptor_code": named} if isinstance(named, str) else {"amounts": list(named)}
        )
        try:
            verified = await self._line.ask(
                "verify",
                self._api.setup_intents.verify_microdeposits_async(
                    setup.id, params, {"idempotency_key": key}
                ),
            )
        except (stripe.CardError, stripe.InvalidRequestError) as error:
            if error.code in WRONG:
                return False
            raise refused(error) from None
        return verified.status == "succeeded"

    async def mandate_of(self, token: str) -> str | None:
        """The provider's name of the permission to debit an account."""
        setup = await self._setup(token)
        mandate = setup.mandate if setup is not None else None
        return mandate if mandate is None or isinstance(mandate, str) else mandate.id

    async def kind_of(self, token: str) -> str:
        """What the provider calls this kind of account."""
        return (
            await self._ask("bank account", self._api.payment_methods.retrieve_async(token))
        ).type

    async def forget(self, token: str) -> None:
        """An account that is tied to nobody counts as done."""
        try:
            await self._line.ask("detach", self._api.payment_methods.detach_async(token))
        except (stripe.CardError, stripe.InvalidRequestError):
            return

    async def _setup(self, token: str) -> stripe.SetupIntent | None:
        """The last permission that was asked for."""
        params: Any = {"payment_method": token, "limit": 1}
        found = await self._ask("setup", self._api.setup_intents.list_async(params))
        return found.data[0] if found.data else None

    async def _ask(self, operation: str, call: Any) -> Any:
        try:
            return await self._line.ask(operation, call)
        except (stripe.CardError, stripe.InvalidRequestError) as error:
            raise refused(error) from None


def permission(country: str, *, is_company: bool) -> dict[str, Any]:
    """What is asked for with the deposits: to debit an account of this country whenever its business pays by it."""
    kind = _KINDS[country]
    options: dict[str, Any] = {"verification_method": "microdeposits"}
    if kind == "acss_debit":
        options |= {
            "currency": "usd",
            "mandate_options": {
                "payment_schedule": "sporadic",
                "transaction_type": "business" if is_company else "personal",
            },
        }
    return {
        "payment_method_types": [kind],
        "payment_method_options": {kind: options},
        "mandate_data": {"customer_acceptance": {"type": "offline"}},
        "usage": "off_session",
        "confirm": True,
    }


def _numbers(account: RawAccount) -> dict[str, str]:
    routing = account.routing_number.get_secret_value()
    number = account.account_number.get_secret_value()
    if account.country == "CA":
        banks = routing.removeprefix("0")
        return {
            "account_number": number,
            "institution_number": banks[:_INSTITUTION_DIGITS],
            "transit_number": banks[_INSTITUTION_DIGITS:],
        }
    return {
        "account_holder_type": account.holder_type,
        "account_type": account.account_type,
        "account_number": number,
        "routing_number": routing,
    }
