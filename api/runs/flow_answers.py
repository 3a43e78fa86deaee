"""What the calls on a run answer, as the API's document says it.

For the document alone: a view is kept as the JSON that the run itself made of these shapes, and goes out unread.
"""

from typing import Literal

from domain.activation.activation import ActivationView
from domain.base import Frozen, Utc
from domain.checkout.placement_snapshot import PlacementView
from domain.firmware.firmware import FirmwareView
from domain.plans.purchases import PurchaseView


class _Answer(Frozen):
    id: str
    rev: int
    seq: int
    state: str
    allowed: tuple[str, ...]
    updated_at: Utc
    ended: bool


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


class StartedActivation(ActivationAnswer):
    """`resume_token` is given to guests only: their key to this one activation, valid 60 days."""

    resume_token: str | None = None
