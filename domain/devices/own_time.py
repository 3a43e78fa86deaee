"""From when on the records of a device are somebody's own: whoever has it next reads nothing of the life it had before."""

from collections.abc import Iterable
from datetime import datetime

from domain.base import Frozen, Utc
from domain.devices.devices import VehicleDetails
from domain.devices.ownership import Asker, DeviceFacts, Party, is_of, owner_of


class Claim(Frozen):
    """A time in which somebody had a device, by an activation or a plan. `until` is None while that lasts. `makes_owner`: it
    made the device theirs; what does not, as a service visit, only shows that an owner had it then."""

    party: Party
    since: Utc
    until: Utc | None = None
    makes_owner: bool = True


class DeviceHistory(Frozen):
    """Who had a device by what the portal knows, and when it was given up last."""

    claims: tuple[Claim, ...] = ()
    released_at: Utc | None = None


class LeftVehicle(Frozen):
    """The vehicle that a completed activation left the device in, and whose activation that was."""

    party: Party
    at: Utc
    vehicle: VehicleDetails


def own_vehicle(
    asker: Asker, vehicles: Iterable[LeftVehicle], since: datetime | None
) -> VehicleDetails | None:
    """The vehicle that one's own people named last, in the time that is one's own; `vehicles` is the latest first."""
    own = (one for one in vehicles if is_of(asker, one.party) and (since is None or one.at > since))
    return next((one.vehicle for one in own), None)


def own_since(
    asker: Asker, facts: DeviceFacts, history: DeviceHistory, now: datetime
) -> datetime | None:
    """Where the time of somebody who may access the device begins; None where nobody else is known to have had it. `now`: they have
    had nothing to do with it yet, as an owner whom the device network has named since."""
    if asker.everywhere:
        return None
    if owner_of(facts) is None:
        return _since_nobodys(history, now)
    others = [one for one in history.claims if one.makes_owner and not is_of(asker, one.party)]
    before = _latest(history.released_at, *(_left(one, now) for one in others))
    if before is None:
        return None
    own = [
        one.since
        for one in history.claims
        if is_of(asker, one.party) and (one.until or now) > before
    ]
    return max(before, min(own)) if own else now


def _since_nobodys(history: DeviceHistory, now: datetime) -> datetime | None:
    """Since it was given up, since its last plan ended, since a guest took it, or since the run that holds it now."""
    guests = (one.since for one in history.claims if one.party.is_guest or one.until is None)
    named = (
        _left(one, now)
        for one in history.claims
        if one.makes_owner and not one.party.is_guest and one.until is not None
    )
    return _latest(history.released_at, *guests, *named)


def _left(claim: Claim, now: datetime) -> datetime:
    """What somebody else still pays for does not reach into the time of who has the device now."""
    ended = claim.until is not None and claim.until <= now
    return claim.until if ended and claim.until is not None else claim.since


def _latest(*times: datetime | None) -> datetime | None:
    return max((one for one in times if one is not None), default=None)
