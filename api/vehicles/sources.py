"""Asks the outside sources of wiring that are used at once, and keeps what they say as long as they allow (devices spec 9)."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime

import structlog

from api.platform.deps import Portal
from db.base import Executes
from db.vehicles.wiring import save_wiring, stored_wiring
from domain.vehicles.vehicles import Vehicle
from domain.vehicles.wiring import (
    STALE_AFTER,
    ExternalWiring,
    Source,
    SourcedWiring,
    SourceState,
    report_of,
)
from providers.errors import Unavailable
from providers.wiring.source import WiringSource

log = structlog.stdlib.get_logger()


Stored = Mapping[Source, SourcedWiring]


async def stored_of(session: Executes, vehicle: Vehicle) -> Stored:
    """What the sources said of the vehicle before, as far as it may still be shown."""
    return await stored_wiring(session, vehicle.id, datetime.now(UTC) - STALE_AFTER)


def fresh_wiring(portal: Portal, stored: Stored) -> ExternalWiring | None:
    """What is kept, where it is all fresh and nobody has to be asked."""
    if _to_ask(portal, stored, datetime.now(UTC)):
        return None
    return _reported(portal, stored, {})


async def external_wiring(portal: Portal, vehicle: Vehicle, stored: Stored) -> ExternalWiring:
    """One source that is down costs its own part alone; what it said before is shown, and labelled."""
    asked = _to_ask(portal, stored, datetime.now(UTC))
    fetched_by = dict(
        zip(
            [one.source for one in asked],
            await asyncio.gather(*(_ask(one, vehicle) for one in asked)),
            strict=True,
        )
    )
    fetched = [one for one in fetched_by.values() if one is not None]
    if fetched:
        async with portal.sessions.begin() as session:
            await save_wiring(session, vehicle.id, fetched)
    return _reported(portal, stored, fetched_by)


def _used(portal: Portal) -> list[WiringSource]:
    return [one for one in (portal.ads_wiring, portal.automob_wiring) if one.is_used]


def _to_ask(portal: Portal, stored: Stored, now: datetime) -> list[WiringSource]:
    return [one for one in _used(portal) if not _is_fresh(stored.get(one.source), now)]


def _reported(
    portal: Portal, stored: Stored, fetched_by: Mapping[Source, SourcedWiring | None]
) -> ExternalWiring:
    """`fetched_by`: by each source that was asked; nothing by one that is away."""
    clients = _used(portal)
    found = {one.source: fetched_by.get(one.source) or stored.get(one.source) for one in clients}
    reports = tuple(
        report_of(
            source,
            wiring,
            _state(wiring, has_failed=source in fetched_by and not fetched_by[source]),
        )
        for source, wiring in found.items()
    )
    return ExternalWiring(
        ads=found.get(Source.ADS), automob=found.get(Source.AUTOMOB), reports=reports
    )


async def _ask(client: WiringSource, vehicle: Vehicle) -> SourcedWiring | None:
    try:
        return await client.wiring(vehicle.year, vehicle.make, vehicle.model)
    except Unavailable:
        log.warning("wiring_source_away", source=client.source, vehicle_id=vehicle.id)
        return None


def _is_fresh(wiring: SourcedWiring | None, now: datetime) -> bool:
    return wiring is not None and wiring.fresh_until > now


def _state(wiring: SourcedWiring | None, *, has_failed: bool) -> SourceState:
    if wiring is None:
        return SourceState.AWAY
    return SourceState.STALE if has_failed else SourceState.FRESH
