"""What buying plans in one call takes, and the figures that it answers (shop spec 7)."""

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints, TypeAdapter

from domain.address import AddressLines
from domain.base import EXACT, Body, Utc
from domain.billing.payment_methods import MethodId
from domain.checkout.draft import PostalAddress
from domain.checkout.placement import Reason
from domain.contact import CompanyName
from domain.devices.devices import DeviceKey
from domain.money import Money
from domain.plans.plans import MOST_LINES
from domain.plans.purchases import PurchaseView
from domain.plans.quote import PlanLineRequest
from domain.runs.projection import FlowAnswer

Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
Id = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80), EXACT]

VIEW = TypeAdapter(PurchaseView)


class LineItem(Body):
    """`ends_on` cuts the plan to end on that day, at the price of its days (ours)."""

    device_key: DeviceKey
    plan_id: Id
    ends_on: date | None = None


class TaxAddress(AddressLines, Body):
    """Where the plans are taxed. `country_area` is a province or state."""

    name: Annotated[CompanyName, Field(min_length=1, max_length=120)]
    street: Word
    city: Word
    country_area: Annotated[str, StringConstraints(strip_whitespace=True, max_length=40)] = ""
    postal_code: Annotated[str, StringConstraints(strip_whitespace=True, max_length=20)] = ""
    country: Literal["CA", "US", "MX", "AU"]  # pyright: ignore[reportIncompatibleVariableOverride] frozen


class PaymentsBody(Body):
    """`card_id` or `payment_method` is the id of a saved method, by default the main one. `quote_uuid` goes on with the
    purchase of an earlier mock run. Without `address` the default shipping address of the business counts. `approval_reason`
    is for the owner, where one must approve it (ours)."""

    line_items: Annotated[tuple[LineItem, ...], Field(max_length=MOST_LINES)]
    card_id: MethodId | None = None
    payment_method: MethodId | None = None
    quote_uuid: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")] | None = None
    address: TaxAddress | None = None
    approval_reason: Reason | None = None

    @property
    def lines(self) -> tuple[PlanLineRequest, ...]:
        return tuple(PlanLineRequest(**line.model_dump()) for line in self.line_items)

    @property
    def ship_to(self) -> PostalAddress | None:
        return PostalAddress(**self.address.model_dump()) if self.address else None


class PaymentLine(BaseModel):
    """`plan_name` is the plan that the device has, `new_plan_name` the one that it gets; `detail` says what is wrong with
    a line that is not bought."""

    device_key: str
    plan_id: str
    plan_name: str | None
    new_plan_name: str
    base_amount: Money
    discount: Money
    credit: Money
    tax: Money
    total: Money
    ends_at: Utc | None
    status: str
    code: str | None
    detail: str | None


class PlanPayment(BaseModel):
    """`uuid` names the purchase and its receipt. A mock run's figures hold until `expires_at`."""

    uuid: str
    state: str
    currency: str
    base_amount: Money
    currency_discount: Money
    base_tax: Money
    final_charge: Money
    quote_hash: str | None
    expires_at: Utc | None
    line_items: list[PaymentLine]


def payment_of(answer: FlowAnswer) -> PlanPayment:
    """The figures of a purchase."""
    view = VIEW.validate_python(answer.view)
    fields = set(PlanPayment.model_fields) - {"state", "line_items"}
    own = set(PaymentLine.model_fields) - {"code"}
    return PlanPayment(
        **view.model_dump(include=fields),
        state=answer.state,
        line_items=[
            PaymentLine(**line.model_dump(include=own), code=line.problem) for line in view.lines
        ],
    )
