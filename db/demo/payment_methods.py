"""Saved cards and bank accounts of the demo businesses. The payment providers' stand-ins know each of their tokens from the
start (`simulators/README.md`); elsewhere they cannot be paid with."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.billing.payment_methods import PaymentCustomerRow, PaymentMethodRow, add_method
from db.demo.partners import CONSUMER, WRONG_SITE
from db.demo.people import HARBOUR, PRAIRIE
from domain.billing.payment_methods import BillingAddress, NewMethod

_YEAR = 2031
"""The year in which the demo cards expire."""


@dataclass(frozen=True)
class DemoMethod:
    """`behaves` is the test card, or how the bank account behaves. `tag` tells businesses apart."""

    code: str
    tag: str
    behaves: str
    brand: str
    last4: str
    name: str
    country: str

    @property
    def is_card(self) -> bool:
        return self.brand not in ("Checking", "Savings")

    @property
    def id(self) -> str:
        kind = "card" if self.is_card else "bank"
        return f"{kind}_demo_{self.behaves}_{self.tag}".lower()

    @property
    def token(self) -> str:
        return f"{'pm' if self.is_card else 'ba'}_demo_{self.behaves}_{self.tag}"


_OLIVIA = (HARBOUR.code, "harbour")
_GUS = (PRAIRIE.code, "prairie")
_UMA = (WRONG_SITE.code, "lakeshore")
_BEA = (CONSUMER.code, "consumer")

METHODS = (
    DemoMethod(*_OLIVIA, "visa", "Visa", "4242", "Olivia Marchand", "CA"),
    DemoMethod(*_OLIVIA, "mastercard", "Mastercard", "4444", "Olivia Marchand", "CA"),
    DemoMethod(*_OLIVIA, "chargeCustomerFail", "Visa", "0341", "Olivia Marchand", "CA"),
    DemoMethod(*_OLIVIA, "authenticationRequired", "Visa", "3184", "Olivia Marchand", "CA"),
    DemoMethod(*_OLIVIA, "good", "Checking", "6789", "Harbour Car Audio", "CA"),
    DemoMethod(*_GUS, "amex", "American Express", "0005", "Gus Lindqvist", "CA"),
    DemoMethod(*_GUS, "slow", "Visa", "0006", "Gus Lindqvist", "CA"),
    DemoMethod(*_GUS, "avsZipFail", "Visa", "0036", "Gus Lindqvist", "CA"),
    DemoMethod(*_GUS, "transactionDeclined", "Visa", "0010", "Gus Lindqvist", "CA"),
    DemoMethod(*_UMA, "visa", "Visa", "4242", "Uma Fields", "US"),
    DemoMethod(*_UMA, "insufficient", "Checking", "6789", "Lakeshore Car Stereo", "US"),
    DemoMethod(*_BEA, "visa", "Visa", "4242", "Bea Whitfield", "CA"),
)
"""The first one of a business is its main one."""

METHOD_OF_PRAIRIE = next(method.id for method in METHODS if method.code == PRAIRIE.code)


async def add_payment_methods(session: AsyncSession) -> bool:
    """Whether any was added: none where a method was saved or deleted before."""
    if await session.scalar(select(PaymentMethodRow.id).limit(1)) is not None:
        return False
    for method in METHODS:
        await session.execute(
            insert(PaymentCustomerRow)
            .values(partner_code=method.code, provider_id=f"cus_demo_{method.tag}")
            .on_conflict_do_nothing()
        )
        await add_method(session, _new(method))
    return True


def _new(method: DemoMethod) -> NewMethod:
    return NewMethod(
        id=method.id,
        type="CARD" if method.is_card else "BANK_ACCOUNT",
        partner_code=method.code,
        brand=method.brand,
        last4=method.last4,
        exp_month=12 if method.is_card else None,
        exp_year=_YEAR if method.is_card else None,
        name=method.name,
        country=method.country,
        billing=BillingAddress(country_code=method.country),
        status="ready",
        provider_id=method.token,
        customer_id=f"cus_demo_{method.tag}" if method.is_card else None,
        fingerprint=method.token,
    )
