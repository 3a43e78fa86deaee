"""Orders that wait for an owner's yes: the approval itself, the requester's yes to changed figures, the lists (decision 61)."""

from collections.abc import Sequence
from typing import Literal

from sqlalchemy import func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.checkout.placements import PlacementRow, freeze_again
from db.identity.people import InstallerRow, PersonRow
from domain.base import Frozen, Utc
from domain.checkout.placement_snapshot import Snapshot
from domain.checkout.quote import Quote
from domain.letters.language import Reader
from domain.money import Money


class Waiting(Frozen):
    """An order or a purchase of plans in the list of those that wait. `token` names it, and `state` is that of its run;
    `lines` is how many articles or devices it has."""

    kind: Literal["placement", "purchase"]
    token: str
    state: str
    partner_name: str
    requester_id: str
    requester: str
    reason: str
    total: Money
    currency: str
    lines: int
    po_number: str | None
    asked_at: Utc
    until: Utc


class ApprovalStatus(Frozen):
    """How far the approval of a submit is. `approved_at` is None until an owner has said yes; `requoted_at` is when figures
    were frozen anew to which the requester has not agreed yet."""

    approved_at: Utc | None
    requoted_at: Utc | None


async def approval_status(
    session: AsyncSession, token: str, turn: int, *, lock: bool = False
) -> ApprovalStatus:
    """With `lock` until the transaction ends nobody else answers it. Raises NoResultFound."""
    query = select(PlacementRow.approved_at, PlacementRow.requoted_at).where(
        PlacementRow.token == token, PlacementRow.turn == turn
    )
    row = (await session.execute(query.with_for_update() if lock else query)).one()
    return ApprovalStatus.model_validate(row, from_attributes=True)


async def approve(session: AsyncSession, token: str, turn: int, *, by: str) -> None:
    """The caller holds the lock."""
    await _note(session, token, turn, approved_by=by, approved_at=func.now(), requoted_at=None)


async def requote(
    session: AsyncSession, snapshot: Snapshot, quote: Quote, *, needs_agreement: bool
) -> None:
    """Freezes the figures of this moment in the place of those that were agreed to. The caller holds the lock."""
    start = snapshot.start
    await freeze_again(session, snapshot, quote, shows_before=needs_agreement)
    if needs_agreement:
        await _note(session, start.token, start.turn, requoted_at=func.now())


async def agree(session: AsyncSession, token: str, turn: int) -> None:
    """The requester says yes to the figures that are frozen now. Idempotent."""
    await _note(session, token, turn, requoted_at=None)


async def _note(session: AsyncSession, token: str, turn: int, **values: object) -> None:
    await session.execute(
        update(PlacementRow)
        .where(PlacementRow.token == token, PlacementRow.turn == turn)
        .values(**values)
    )


async def approvers_of(
    session: AsyncSession, dealer_id: str | None, but: str
) -> tuple[Reader, ...]:
    """A dealer's owners who are not retired; without the person `but`."""
    rows = await session.execute(
        select(PersonRow.email, PersonRow.language)
        .join(InstallerRow, InstallerRow.person_id == PersonRow.id)
        .where(
            PersonRow.dealer_id == dealer_id,
            PersonRow.id != but,
            PersonRow.is_retired.is_(False),
            InstallerRow.is_owner,
        )
        .order_by(PersonRow.id)
        .limit(MOST_APPROVERS)
    )
    return tuple(Reader.model_validate(row, from_attributes=True) for row in rows)


MOST_APPROVERS = 50

_WAITING = text(
    """
    select f.kind, f.id as token, f.state, p.start ->> 'partner_name' as partner_name, f.owner_id as requester_id,
           p.start ->> 'owner_name' as requester, p.start -> 'approval' ->> 'reason' as reason,
           (p.quote ->> 'total')::numeric as total, p.quote ->> 'currency' as currency,
           jsonb_array_length(p.quote -> 'lines') as lines, p.quote ->> 'po_number' as po_number,
           p.created_at as asked_at, (p.start -> 'approval' ->> 'until')::timestamptz as until
    from flow f join placement p on p.token = f.id and p.ended_at is null
    where f.kind = 'placement' and f.ended_at is null and f.state = any(:states)
      and f.dealer_id = :dealer and (cast(:owner as text) is null or f.owner_id = :owner)
    order by p.created_at, f.id
    limit :limit
    """
)


async def list_waiting(
    session: AsyncSession,
    dealer_id: str,
    states: Sequence[str],
    *,
    owner_id: str | None = None,
    limit: int,
) -> tuple[Waiting, ...]:
    """Orders of a dealer that wait in one of these states, the oldest first; one person's only, if `owner_id` is given."""
    asked = {"dealer": dealer_id, "states": list(states), "owner": owner_id, "limit": limit}
    rows = await session.execute(_WAITING, asked)
    return tuple(Waiting.model_validate(row, from_attributes=True) for row in rows)
