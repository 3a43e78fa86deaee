"""How a run is written for its readers, in a local activity of its workflow."""

import orjson
from sqlalchemy import text

from db.base import Executes
from domain.runs.projection import Projection

_PROJECT = text(
    """
    with changed as (
        insert into flow (id, kind, version, workflow_id, run_id, rev, seq, state, allowed, view, device_key, site,
                          dealer_id, owner_id, partner, outcome, created_at, updated_at, ended_at)
        values (:id, :kind, :version, :workflow_id, :run_id, :rev, :seq, :state, :allowed, cast(:view as jsonb), :device_key,
                :site, :dealer_id, :owner_id, :partner, :outcome, :at, :at, :ended_at)
        on conflict (id) do update set
            rev = excluded.rev, seq = excluded.seq, state = excluded.state, allowed = excluded.allowed,
            view = excluded.view, device_key = excluded.device_key, dealer_id = excluded.dealer_id,
            owner_id = excluded.owner_id, outcome = excluded.outcome, updated_at = excluded.updated_at,
            ended_at = excluded.ended_at, version = excluded.version, workflow_id = excluded.workflow_id,
            run_id = excluded.run_id
        where flow.rev < excluded.rev or (flow.rev = excluded.rev and flow.updated_at < excluded.updated_at)
        returning id, kind, dealer_id
    ), moves as (
        insert into transition (flow_id, rev, event, from_state, to_state, at, actor_id, actor, acting_for, note)
        select :id, m.rev, m.event, m.from_state, m.to_state, m.at, m.actor_id, m.actor, m.acting_for, m.note
        from jsonb_to_recordset(cast(:transitions as jsonb)) as m(rev int, event text, from_state text,
             to_state text, at timestamptz, actor_id text, actor text, acting_for text, note text)
        on conflict (flow_id, rev) do update set
            event = excluded.event, from_state = excluded.from_state, to_state = excluded.to_state, at = excluded.at,
            actor_id = excluded.actor_id, actor = excluded.actor, acting_for = excluded.acting_for, note = excluded.note
        where transition.at < excluded.at
    ), given_up as (
        update device_reservation set released_at = now()
        where flow_id = :id and released_at is null and cast(:ended_at as timestamptz) is not null
    )
    select pg_notify('flow', name) from changed, unnest(array[
        id, case when kind in ('activation', 'placement', 'purchase') then 'team:' || dealer_id end
    ]) as name where name is not null
    """
)


async def save_projection(session: Executes, projection: Projection) -> None:
    """Writes the run and its new transitions, and tells listeners; an ended run gives up its devices. One statement.
    A run that follows an ended one under the same id goes on from its `rev`.

    Idempotent; a late older `rev` changes nothing. The same `rev` told later replaces what a lost workflow task had
    written: the history decides, and it holds the later one.
    """
    moves = [move.model_dump(mode="json") for move in projection.transitions]
    values = projection.model_dump(exclude={"view", "transitions", "ended"})
    await session.execute(
        _PROJECT,
        values
        | {
            "allowed": list(projection.allowed),
            "view": orjson.dumps(projection.view).decode(),
            "transitions": orjson.dumps(moves).decode(),
            "ended_at": projection.at if projection.ended else None,
        },
    )
