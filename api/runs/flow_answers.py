"""What the calls on a run answer, as the API's document says it.

For the document alone: a view is kept as the JSON that the run itself made of these shapes, and goes out unread.
"""

from typing import Any, Literal

from pydantic import BaseModel

from domain.activation.activation import ActivationView, HandOverView
from domain.base import Frozen, Utc
from domain.billing.invoice_payment import InvoicePaymentView
from domain.checkout.placement_snapshot import PlacementView
from domain.devices.activation_type import ActivationType
from domain.firmware.firmware import FirmwareView
from domain.plans.purchases import PurchaseView
from domain.runs.projection import FlowAnswer, LastTransition
from domain.runs.transition import Transition


class _Answer(Frozen):
    """`moved` is the last change of the state, null before the first; it is older than `rev` where something else has
    changed since."""

    id: str
    version: int
    rev: int
    seq: int
    state: str
    allowed: tuple[str, ...]
    updated_at: Utc
    ended: bool
    moved: LastTransition | None


class ActivationAnswer(_Answer):
    kind: Literal["activation"]
    view: ActivationView


class FirmwareAnswer(_Answer):
    kind: Literal["firmware"]
    view: FirmwareView


class PlacementAnswer(_Answer):
    """`id` is the token of the cart."""

    kind: Literal["placement"]
    view: PlacementView


class PurchaseAnswer(_Answer):
    kind: Literal["purchase"]
    view: PurchaseView


class InvoicePaymentAnswer(_Answer):
    kind: Literal["invoice_payment"]
    view: InvoicePaymentView


class StartedActivation(ActivationAnswer):
    """`resume_token` is given to guests only: their key to this one activation, valid 60 days."""

    resume_token: str | None = None


class Transitions(BaseModel):
    """Oldest first; `after` of the next page is the last `rev`."""

    results: list[Transition]


class ActivationSummary(BaseModel):
    """An activation in a list. `vehicle` is its year, make and model, null until one was chosen."""

    id: str
    device_key: str
    product_name: str | None
    vehicle: str | None
    type: ActivationType
    state: str
    step: str
    position: int
    total: int
    owner: str
    owner_id: str | None
    updated_at: Utc
    updated_by: str
    handed: HandOverView | None = None
    outcome: str | None


def summary_of(flow: FlowAnswer) -> ActivationSummary:
    view = flow.view
    named = set(ActivationSummary.model_fields) - {"vehicle"}
    return ActivationSummary(
        **{name: view[name] for name in named if name in view},
        device_key=view["device"]["device_key"],
        product_name=view["device"]["product_name"],
        vehicle=_vehicle_in(view),
    )


def _vehicle_in(view: dict[str, Any]) -> str | None:
    vehicle = view["facts"].get("vehicle")
    if not vehicle:
        return None
    return " ".join(str(vehicle[part]) for part in ("year", "make", "model") if vehicle.get(part))
