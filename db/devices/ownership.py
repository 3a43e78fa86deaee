"""What the portal knows of whose a device is: who pays its plan, who installed it and has not given it up since, who is
activating it now."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import structlog
from pydantic import ValidationError
from sqlalchemy import Row, Text, func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes
from domain.devices.changes import SWAPPED
from domain.devices.devices import QUERY_COMMANDS, VehicleDetails, intent_of
from domain.devices.own_time import Claim, DeviceHistory, LeftVehicle
from domain.devices.ownership import GIVEN_UP_AFTER, INSTALLING, DeviceFacts, LiveRun, Party

log = structlog.stdlib.get_logger()


class DeviceReleaseRow(Base):
    """A device that was given up, at the latest then: who finished an activation of it before has no right by that."""

    __tablename__ = "device_release"

    device_key: Mapped[str] = mapped_column(Text, primary_key=True)
    released_at: Mapped[datetime]


_FACTS = text(
    """
    select asked.device_key,
           plan.id as plan_id, plan.dealer_id as payer_dealer, plan.partner_code as payer_partner,
           plan.owner_id as payer_person,
           done.id as done_id, done.dealer_id as finisher_dealer, done.partner as finisher_partner,
           done.owner_id as finisher_person,
           live.id as run_id, live.dealer_id as run_dealer, live.partner as run_partner, live.owner_id as run_person,
           live.updated_at <= now() - :given_up_after
             and not exists (
               select from intent where intent.flow_id = live.id and intent.kind <> all(:questions)
             )
             and not exists (
               select from flow update where update.device_key = asked.device_key and update.kind = 'firmware'
                 and update.created_at >= live.created_at
             ) as given_up
    from unnest(cast(:keys as text[])) as asked(device_key)
    left join subscription plan
      on plan.device_key = asked.device_key and plan.superseded_at is null and plan.ends_at > now()
    left join lateral (
        select id, dealer_id, partner, owner_id from flow
        where flow.device_key = asked.device_key and kind = 'activation' and outcome = 'completed'
          and view->>'type' = any(:installing) and (dealer_id is not null or owner_id is not null)
          and not exists (
            select from device_release given_up
            where given_up.device_key = asked.device_key and given_up.released_at >= flow.ended_at
          )
        order by updated_at desc limit 1
    ) done on true
    left join device_reservation held
      on held.device_key = asked.device_key and held.kind = 'activation' and held.released_at is null
    left join flow live on live.id = held.flow_id and live.ended_at is null
    """
)


_INSTALLING = sorted(INSTALLING)
_QUESTIONS = [intent_of(command) for command in sorted(QUERY_COMMANDS)]


async def facts_of_devices(session: Executes, device_keys: Sequence[str]) -> dict[str, DeviceFacts]:
    """The facts of each device, without what the device network says. One query, by indexes, however many devices."""
    rows = await session.execute(
        _FACTS,
        {
            "keys": list(device_keys),
            "installing": _INSTALLING,
            "given_up_after": GIVEN_UP_AFTER,
            "questions": _QUESTIONS,
        },
    )
    return {row.device_key: _facts(row) for row in rows}


async def facts_of_device(session: Executes, device_key: str) -> DeviceFacts:
    return (await facts_of_devices(session, [device_key]))[device_key]


_HISTORY = text(
    """
    select run.dealer_id, run.partner as partner_code, run.owner_id as person_id,
           coalesce(
             (select min(held.created_at) from device_reservation held
              where held.flow_id = run.id and held.device_key = :key), run.created_at
           ) as since,
           run.ended_at as until, run.ended_at is not null and run.view->>'type' = any(:installing) as makes_owner
    from flow run
    where run.device_key = :key and run.kind = 'activation' and (run.outcome = 'completed' or run.ended_at is null)
    union all
    select dealer_id, partner_code, owner_id, least(created_at, starts_at), least(superseded_at, ends_at), true
    from subscription where device_key = :key
    order by since desc limit :most
    """
)
MOST_CLAIMS = 200


async def history_of_device(session: AsyncSession, device_key: str) -> DeviceHistory:
    """Who had the device, the latest first, and when it was given up."""
    asked = {"key": device_key, "installing": _INSTALLING, "most": MOST_CLAIMS}
    rows = await session.execute(_HISTORY, asked)
    released_at = await session.scalar(
        select(DeviceReleaseRow.released_at).where(DeviceReleaseRow.device_key == device_key)
    )
    claims = tuple(
        Claim(
            party=Party.model_validate(row, from_attributes=True),
            since=row.since,
            until=row.until,
            makes_owner=row.makes_owner,
        )
        for row in rows
    )
    return DeviceHistory(claims=claims, released_at=released_at)


_VEHICLES = text(
    """
    select run.id, run.dealer_id, run.partner as partner_code, run.owner_id as person_id, run.ended_at as at,
           run.view #> '{facts,vehicle}' as vehicle
    from flow run
    where run.device_key = :key and run.kind = 'activation' and run.outcome = 'completed'
      and jsonb_typeof(run.view #> '{facts,vehicle}') = 'object'
      and not exists (
        select from flow swap
        where swap.kind = 'activation' and swap.view #>> '{facts,replaced,old_device_key}' = :key
          and swap.created_at >= run.ended_at
      )
      and not exists (
        select from audit
        where audit.object_kind = 'device' and audit.object_id = :key and audit.at >= run.ended_at
          and audit.action = :swapped and audit.outcome = 'done'
      )
    order by run.ended_at desc limit :most
    """
)


async def vehicles_of_device(session: AsyncSession, device_key: str) -> tuple[LeftVehicle, ...]:
    """The vehicles that completed activations left the device in, the latest first; none from before it was swapped out, by an
    activation or beside one, where the record alone knows of it. One that cannot be read is left out."""
    asked = {"key": device_key, "swapped": SWAPPED, "most": MOST_CLAIMS}
    rows = await session.execute(_VEHICLES, asked)
    known = ((row, _vehicle(row, device_key)) for row in rows)
    return tuple(
        LeftVehicle(
            party=Party.model_validate(row, from_attributes=True), at=row.at, vehicle=vehicle
        )
        for row, vehicle in known
        if vehicle is not None
    )


def _vehicle(row: Row[Any], device_key: str) -> VehicleDetails | None:
    try:
        return VehicleDetails.model_validate(row.vehicle)
    except ValidationError:
        log.warning("a vehicle was left out", run=row.id, device_key=device_key)
        return None


async def save_release(session: AsyncSession, device_key: str) -> None:
    """The device has been given up now."""
    await session.execute(
        insert(DeviceReleaseRow)
        .values(device_key=device_key, released_at=func.now())
        .on_conflict_do_update(index_elements=["device_key"], set_={"released_at": func.now()})
    )


def _facts(row: Row[Any]) -> DeviceFacts:
    return DeviceFacts(
        payer=_party(row, "payer") if row.plan_id else None,
        finisher=_party(row, "finisher") if row.done_id else None,
        run=LiveRun(id=row.run_id, party=_party(row, "run"), given_up=row.given_up)
        if row.run_id
        else None,
    )


def _party(row: Row[Any], name: str) -> Party:
    return Party(
        dealer_id=getattr(row, f"{name}_dealer"),
        partner_code=getattr(row, f"{name}_partner"),
        person_id=getattr(row, f"{name}_person"),
    )
