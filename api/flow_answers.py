"""What the calls on a run answer, as the API's document says it.

For the document alone: a view is kept as the JSON that the run itself made of these shapes, and goes out unread.
"""

from typing import Literal

from domain.activation import ActivationView
from domain.base import Frozen, Utc
from domain.firmware import FirmwareView
from domain.flows.projection import Moved
from domain.placement_frozen import PlacementView
from domain.purchases import PurchaseView


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
    moved: Moved | None


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
