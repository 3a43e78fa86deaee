"""What every flow shows of itself: one row for each run, one for each of its changes."""

from typing import Any, Literal

from domain.base import Frozen, Utc
from domain.devices.ownership import Party
from domain.runs.transition import Transition

FlowKind = Literal["activation", "firmware", "placement", "purchase", "invoice_payment", "case"]


class Projection(Frozen):
    """A run as PostgreSQL keeps it. A row with a higher `rev` is never overwritten by a lower one. `device_key` is None for
    a run that concerns no single device; `partner` is the code of the business that it is for."""

    id: str
    kind: FlowKind
    version: int
    workflow_id: str
    run_id: str
    rev: int
    seq: int
    state: str
    allowed: tuple[str, ...]
    view: dict[str, Any]
    device_key: str | None = None
    site: str
    dealer_id: str | None
    owner_id: str | None
    partner: str | None
    outcome: str | None
    at: Utc
    ended: bool
    transitions: tuple[Transition, ...] = ()


class LastTransition(Frozen):
    """The last change of a run's state: the edge that its chart takes, too."""

    rev: int
    event: str
    from_state: str
    to_state: str


class FlowAnswer(Frozen):
    """A run as people ask for it: the answer to every call on a flow, and the data of every live event. `moved` is older
    than `rev` where something else than the state has changed since; a list of runs leaves it out."""

    kind: FlowKind
    id: str
    version: int
    rev: int
    seq: int
    state: str
    allowed: tuple[str, ...]
    view: dict[str, Any]
    updated_at: Utc
    ended: bool
    moved: LastTransition | None = None


class RunOwner(Frozen):
    """Whose a run is. `asked`: the business whose yes it waits for."""

    kind: str
    owner_id: str | None = None
    dealer_id: str | None = None
    partner: str | None = None
    asked: Party | None = None


class FlowOwner(RunOwner):
    """Whose a run is that has a projection, and how to reach it; never leaves the server."""

    id: str
    kind: FlowKind  # pyright: ignore[reportIncompatibleVariableOverride] frozen
    workflow_id: str
    run_id: str
    rev: int
    state: str
    device_key: str | None
    ended: bool

    @property
    def device(self) -> str:
        """The device of an activation or a firmware update; orders and purchases are never asked for one."""
        assert self.device_key is not None
        return self.device_key
