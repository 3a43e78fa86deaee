"""What a finished activation leaves in the hand of the car's owner, and the link to it (decision 79)."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from domain.activation.activation import ActivationView, CommandRow, CommandState, Facts
from domain.base import Frozen, Utc
from domain.devices.devices import VehicleDetails
from domain.errors import Conflict, Gone
from domain.plans.plans import Subscription, Term

LIFE = timedelta(days=90)

APP_COMMANDS = (
    "location",
    "arm",
    "disarm",
    "remote_start",
    "remote_stop",
    "trunk",
    "panic_on",
    "remote_aux1",
    "remote_aux2",
)
"""What an owner's app can send, in the order in which it is told."""

_CONFIRMED = frozenset({CommandState.CONFIRMED, CommandState.CONFIRMED_LATE})


class HandoutLink(Frozen):
    """A link by which anybody who holds it reads one handout. `maker` is who made it."""

    id: str
    activation_id: str
    maker: str
    created_at: Utc
    expires_at: Utc
    opened_at: Utc | None = None
    opened: int = 0


class Version(Frozen):
    """The firmware of one part; `label` as the device network names it, None for the device itself."""

    label: str | None
    version: str


class HandoutPlan(Frozen):
    """The plan of the device, whose time runs. While it `is_suspended` the device does without it."""

    name: str
    term: Term
    ends_at: Utc
    is_suspended: bool


class Handout(Frozen):
    """What the car's owner may know: nothing of money, of who was paid, or of anybody's address. `tests` and `can_do` are
    commands that the vehicle confirmed; without a live plan, or while it is suspended, no app reaches it, and `can_do` is empty."""

    business: str | None
    completed_at: Utc
    vehicle: VehicleDetails | None
    device_key: str
    product_name: str | None
    versions: tuple[Version, ...]
    connected: bool
    tests: tuple[str, ...]
    plan: HandoutPlan | None
    has_plan: bool
    can_do: tuple[str, ...]


class HandoutNotReady(Conflict):
    code = "handout_not_ready"
    detail = "There is something to hand over once the activation is complete."


class HandoutVoid(Gone):
    """Unknown, revoked and expired are never told apart (rulings)."""

    code = "handout_void"
    detail = "This link is no longer valid."


def handout_of(
    view: Mapping[str, Any], *, business: str | None, present: Subscription | None, now: datetime
) -> Handout:
    """Of a run as it is kept, and of the plan that its device has now, whoever bought it. Raises HandoutNotReady unless the
    run is complete."""
    seen = ActivationView.model_validate(view)
    if seen.outcome != "completed":
        raise HandoutNotReady
    confirmed = _confirmed(seen.facts.commands)
    plan = _live(present, now)
    is_live = plan is not None and not plan.is_suspended
    return Handout(
        business=business,
        completed_at=seen.updated_at,
        vehicle=seen.facts.vehicle,
        device_key=seen.device.device_key,
        product_name=seen.device.product_name,
        versions=_versions(seen.facts, seen.device.firmware_version),
        connected=seen.facts.connection_verified,
        tests=confirmed,
        plan=plan,
        has_plan=plan is not None,
        can_do=tuple(one for one in APP_COMMANDS if one in confirmed) if is_live else (),
    )


def _live(present: Subscription | None, now: datetime) -> HandoutPlan | None:
    if present is None or present.ends_at <= now:
        return None
    return HandoutPlan(
        name=present.plan_name,
        term=present.term,
        ends_at=present.ends_at,
        is_suspended=present.suspended_at is not None,
    )


def _confirmed(rows: Sequence[CommandRow]) -> tuple[str, ...]:
    """Commands whose latest try the vehicle confirmed, in the order in which they were tried first."""
    latest = {row.command: row.state for row in rows}
    return tuple(command for command, state in latest.items() if state in _CONFIRMED)


def _versions(facts: Facts, reported: str | None) -> tuple[Version, ...]:
    if facts.firmware is not None and facts.firmware.targets:
        return tuple(
            Version(
                label=target.label,
                version=target.to_version if target.completed else target.from_version,
            )
            for target in facts.firmware.targets
        )
    return (Version(label=None, version=reported),) if reported else ()
