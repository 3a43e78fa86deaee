"""What is left behind by runs and processes that are over, or was passed over: devices, logs, effects and claims. The reconciler
puts them right as it does rows (`db/operations/repairs.py`), each audited in its own transaction."""

from datetime import timedelta

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import PROCESS_LOCK
from db.devices.devices import CHANNEL as DEVICE_LOGS
from db.operations.audit import record
from db.operations.repairs import RECONCILER
from db.operations.rounds import undelivered
from domain.operations.operations import OUTCOME_UNKNOWN_AFTER, Repair


async def release_orphan(session: AsyncSession, reservation_id: int) -> bool:
    """Gives up what a run holds that is over. Idempotent; False when somebody else did."""
    released = await session.execute(
        text(
            """
            update device_reservation set released_at = now() where id = :id and released_at is null
            returning device_key, flow_id
            """
        ),
        {"id": reservation_id},
    )
    row = released.one_or_none()
    if row is None:
        return False
    await record(
        session,
        Repair.RESERVATION,
        actor=RECONCILER,
        on=("device", row.device_key),
        more={"run": row.flow_id},
    )
    return True


async def send_logs_again(session: AsyncSession) -> int:
    """Wakes the relays for logs that have been passed over; answers how many wait."""
    waiting = await undelivered(session, limit=100)
    if waiting:
        await session.execute(text("select pg_notify(:channel, '')"), {"channel": DEVICE_LOGS})
        await record(
            session,
            Repair.LOG,
            actor=RECONCILER,
            more={"count": len(waiting), "oldest": waiting[0].received_at.isoformat()},
        )
    return len(waiting)


_COMPLETE_INTENTS = text(
    """
    with open as (
        select i.key, i.flow_id, i.kind, i.created_at from intent i
        where i.settled_at is null and i.refused_at is null and i.created_at < now() - cast(:after as interval)
        order by i.created_at limit 200
    ), found as (
        select o.key, case
            when exists (select 1 from device_log l join flow f on f.device_key = l.device_key
                         where f.id = o.flow_id and l.command_id = o.key) then 'device log'
            when exists (select 1 from subscription s where s.id = o.key) then 'subscription'
            when o.kind = any(:sets) and exists (
                select 1 from intent later
                where later.flow_id = o.flow_id and later.kind = o.kind and later.settled_at is not null
                    and later.created_at > o.created_at) then 'done again since'
        end as found
        from open o
    )
    update intent i set settled_at = now(), outcome = jsonb_build_object('done', true, 'found', f.found)
    from found f where f.key = i.key and f.found is not null and i.settled_at is null
    returning i.key, i.flow_id, i.kind, f.found
    """
)

SETS = ("keylocker-mode", "hardwired-mode")
"""Effects that bring a device into a state: a later one of the same run stands in their place."""


async def complete_intents(
    session: AsyncSession, *, after: timedelta = OUTCOME_UNKNOWN_AFTER
) -> int:
    """Closes effects of which nobody noted an outcome, where what happened is known by now: by the device's own log, by the
    subscription that came of it, or because the same was done again since. Answers how many; the others stay on the
    operators' list."""
    closed = (await session.execute(_COMPLETE_INTENTS, {"after": after, "sets": list(SETS)})).all()
    for one in closed:
        await record(
            session,
            Repair.INTENT,
            actor=RECONCILER,
            more={"effect": one.kind, "run": one.flow_id, "found": one.found},
        )
    return len(closed)


async def free_claims(session: AsyncSession, *, limit: int = 500) -> int:
    """Forgets claims on an Idempotency-Key whose process is dead: a repeat need not wait until they are stale. A process
    lives as long as it holds its lock, and has a moment to get back what a lost connection took from it."""
    freed = await session.execute(
        text(
            """
            delete from idempotency i using (
                select actor, key from idempotency c
                where status is null and process is not null and claimed_at < now() - interval '5 seconds'
                    and not exists (
                        select 1 from pg_locks l where l.locktype = 'advisory' and l.objsubid = 2
                            and l.classid = cast(cast(:lock as bigint) as oid) and l.objid = cast(c.process as oid)
                            and l.database = (select oid from pg_database where datname = current_database()))
                limit :limit for update skip locked
            ) dead
            where i.actor = dead.actor and i.key = dead.key
            returning i.operation
            """
        ),
        {"lock": PROCESS_LOCK, "limit": limit},
    )
    operations = [row.operation for row in freed]
    if operations:
        await record(
            session,
            Repair.CLAIM,
            actor=RECONCILER,
            more={"count": len(operations), "operations": sorted(set(operations))},
        )
    return len(operations)
