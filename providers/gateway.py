"""The ACH/COD gateway: bank debits, cash on delivery, terms, and the small deposits that prove a bank account (shop spec 4.7).

A transaction is named by our reference, so that it can be asked for whatever became of a reply. Raises Unavailable without a
usable answer, Refused for a clear no.
"""

from datetime import datetime
from decimal import Decimal
from typing import Any, Literal
from urllib.parse import quote

import httpx
from pydantic import BaseModel, SecretStr, ValidationError

from domain.base import Frozen
from domain.billing.payments import PaymentRequest, PaymentStatus, PaymentType, ProviderPayment
from domain.billing.reconciliation.facts import Charge
from domain.money import to_cents
from providers.errors import Refused, Unavailable
from providers.http import HttpClient

_TYPES = {PaymentType.BANK_ACCOUNT: "ACH", PaymentType.COD: "COD", PaymentType.TERMS: "TERMS"}
_STATES = {
    "authorised": PaymentStatus.AUTHORISED,
    "processing": PaymentStatus.PROCESSING,
    "settled": PaymentStatus.CAPTURED,
    "captured": PaymentStatus.CAPTURED,
    "declined": PaymentStatus.DECLINED,
    "voided": PaymentStatus.VOIDED,
    "refunded": PaymentStatus.REFUNDED,
    "returned": PaymentStatus.RETURNED,
}


class BankToken(Frozen):
    """A bank account as the gateway knows it. `fingerprint` is its name for the number behind it."""

    token: str
    last4: str
    bank_name: str
    fingerprint: str


class _Transaction(BaseModel):
    reference: str
    status: str
    amount: int = 0
    currency: str | None = None
    captured: int
    refunded: int
    reason: str | None = None
    metadata: dict[str, str] = {}


class _Page(BaseModel):
    results: list[_Transaction]
    has_more: bool


class _Verdict(BaseModel):
    verified: bool


class Gateway:
    """What goes by the ACH/COD gateway."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        base_url: str | None,
        api_key: str,
        seconds: float = 8.0,
        at_once: int = 32,
    ) -> None:
        """`base_url` without `/v1`, None where there is no gateway; `seconds` limits each call; `at_once` the calls under way."""
        self._wire = HttpClient(
            client,
            system="gateway",
            base_url=base_url and f"{base_url.rstrip('/')}/v1",
            headers={"Authorization": f"Bearer {api_key}"},
            seconds=seconds,
            at_once=at_once,
        )

    @property
    def is_used(self) -> bool:
        """Whether there is one. Without it every call is Unavailable."""
        return self._wire.is_used

    async def authorise(self, request: PaymentRequest, *, account: str | None) -> ProviderPayment:
        """Holds, or takes at once. Idempotent by the payment's id, which is the reference; a decline is an answer."""
        body = {
            "reference": request.payment_id,
            "type": _TYPES[request.type],
            "account": account,
            "amount": _cents(request.amount),
            "currency": request.currency,
            "capture": request.capture,
            "metadata": {
                "flow": request.flow.value,
                "flow_id": request.flow_id,
                "payment_id": request.payment_id,
                "reference": request.reference or "",
            },
        }
        return await self._change("authorise", request.payment_id, "", body)

    async def find(self, reference: str) -> ProviderPayment | None:
        """None for a reference that never came. Read only."""
        try:
            answer = await self._wire.call(
                "transaction", "GET", f"/transactions/{quote(reference)}"
            )
        except Refused as refused:
            if refused.code == "unknown_transaction":
                return None
            raise
        return self._payment("transaction", answer)

    async def charges(
        self, since: datetime, after: str | None
    ) -> tuple[tuple[Charge, ...], str | None]:
        """What was asked for since, in its order; and after what the next page begins."""
        params = {"since": int(since.timestamp()), "after": after or "", "limit": 100}
        answer = await self._wire.call("charges", "GET", "/transactions", params=params)
        try:
            page = _Page.model_validate_json(answer)
        except ValidationError as error:
            raise self._wire.unreadable("charges", error) from None
        more = page.results[-1].reference if page.has_more and page.results else None
        return tuple(_charge(one) for one in page.results), more

    async def charge(self, reference: str) -> tuple[Charge, ProviderPayment] | None:
        """As it stands now; None for a reference that never came."""
        try:
            answer = await self._wire.call("charge", "GET", f"/transactions/{quote(reference)}")
        except Refused as refused:
            if refused.code == "unknown_transaction":
                return None
            raise
        at_provider = self._payment("charge", answer)
        return _charge(_Transaction.model_validate_json(answer)), at_provider

    async def capture(self, reference: str) -> ProviderPayment:
        """Idempotent by the transaction itself: one that was taken, and that its bank has returned since, is told as it stands."""
        try:
            return await self._change("capture", reference, "/capture", {})
        except Refused:
            at_provider = await self.find(reference)
            if at_provider is None or at_provider.status is not PaymentStatus.RETURNED:
                raise
            return at_provider

    async def void(self, reference: str) -> ProviderPayment:
        """A reference that never came is kept from ever being taken. Raises Refused for one that was taken."""
        return await self._change("void", reference, "/void", {})

    async def refund(self, reference: str, amount: Decimal, *, key: str) -> ProviderPayment:
        """Idempotent by `key`."""
        body = {"amount": _cents(amount), "key": key}
        return await self._change("refund", reference, "/refund", body)

    async def create_account(
        self,
        *,
        holder_name: str,
        holder_type: Literal["individual", "company"],
        account_type: Literal["checking", "savings"],
        routing_number: SecretStr,
        account_number: SecretStr,
        country: str,
        method_id: str,
        key: str,
    ) -> BankToken:
        """A token for an account number, which goes nowhere else. Idempotent by `key`."""
        body = {
            "holder_name": holder_name,
            "holder_type": holder_type,
            "account_type": account_type,
            "routing_number": routing_number.get_secret_value(),
            "account_number": account_number.get_secret_value(),
            "country": country,
            "metadata": {"method_id": method_id},
        }
        answer = await self._wire.call("account", "POST", "/accounts", json=body, key=key)
        try:
            return BankToken.model_validate_json(answer)
        except ValidationError as error:
            raise self._wire.unreadable("account", error) from None

    async def send_deposits(self, token: str, *, method_id: str, key: str) -> None:
        """Two small deposits, once. Refused when the bank knows no such account."""
        body = {"metadata": {"method_id": method_id}}
        await self._wire.call(
            "deposits", "POST", f"/accounts/{quote(token)}/deposits", json=body, key=key
        )

    async def verify_deposits(self, token: str, amounts: tuple[int, int], *, key: str) -> bool:
        """Whether these are the cents of the two deposits. Idempotent by `key`."""
        answer = await self._wire.call(
            "verify",
            "POST",
            f"/accounts/{quote(token)}/verify",
            json={"amounts": list(amounts)},
            key=key,
        )
        try:
            return _Verdict.model_validate_json(answer).verified
        except ValidationError as error:
            raise self._wire.unreadable("verify", error) from None

    async def forget_account(self, token: str) -> None:
        """Idempotent."""
        await self._wire.call("forget", "DELETE", f"/accounts/{quote(token)}")

    async def _change(
        self, operation: str, reference: str, path: str, body: dict[str, Any]
    ) -> ProviderPayment:
        """An unclear reply is looked up at once; what is still unclear then is Unavailable."""
        where = f"/transactions/{quote(reference)}{path}" if path else "/transactions"
        try:
            return self._payment(
                operation, await self._wire.call(operation, "POST", where, json=body)
            )
        except Unavailable as error:
            if not error.may_have_worked:
                raise
            at_provider = await self.find(reference)
            if at_provider is None or not _has_worked(operation, at_provider):
                raise
            return at_provider

    def _payment(self, operation: str, answer: bytes) -> ProviderPayment:
        try:
            transaction = _Transaction.model_validate_json(answer)
        except ValidationError as error:
            raise self._wire.unreadable(operation, error) from None
        return ProviderPayment(
            provider_id=transaction.reference,
            status=_STATES.get(transaction.status, PaymentStatus.UNKNOWN),
            detail=transaction.reason,
            captured=Decimal(transaction.captured) / 100,
            refunded=Decimal(transaction.refunded) / 100,
            currency=transaction.currency,
            owner=transaction.metadata.get("payment_id"),
        )


def _charge(transaction: _Transaction) -> Charge:
    return Charge(
        id=transaction.reference,
        provider="bank",
        payment_id=transaction.metadata.get("payment_id") or transaction.reference,
        status=_STATES.get(transaction.status, PaymentStatus.UNKNOWN),
        captured=Decimal(transaction.captured) / 100,
        refunded=Decimal(transaction.refunded) / 100,
        amount=Decimal(transaction.amount) / 100,
        currency=transaction.currency or "USD",
    )


def _has_worked(operation: str, at_provider: ProviderPayment) -> bool:
    """Whether a transaction as it stands shows that this was done. A refund is shown by nothing but its own answer."""
    done = {
        "authorise": at_provider.status is not PaymentStatus.UNKNOWN,
        "capture": at_provider.status is not PaymentStatus.AUTHORISED,
        "void": at_provider.status is not PaymentStatus.AUTHORISED,
    }
    return done.get(operation, False)


def _cents(amount: Decimal) -> int:
    return int(to_cents(amount) * 100)
