"""What a provider says of money that it gave back."""

from domain.base import Frozen
from domain.money import Money


class ProviderRefund(Frozen):
    """`id` is the provider's name of it, `provider_id` that of its payment, `key` ours where we have asked for it. One that
    `has_failed` is ours again: the bank did not take it, and `reason` says why."""

    id: str
    provider_id: str
    key: str | None = None
    amount: Money
    has_failed: bool = False
    reason: str = ""
