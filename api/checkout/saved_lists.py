"""Saved lists of a quick order: named rows of SKU and quantity, kept to be ordered again (decision 75).

A list that the caller does not see is answered like one that does not exist. Nothing of a price is kept: the rows of a
list are judged like typed ones, by the quick order's own call.
"""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from api.checkout.cart_changes import Made, repeat_of
from api.platform.deps import IdempotencyKey, PortalDep, SignedIn, Transaction
from api.platform.schemas import PathId
from db.base import reading
from db.checkout.saved_lists import (
    add_list,
    change_list,
    count_lists,
    count_shared,
    delete_list,
    find_list,
    list_named,
    lists_of,
    rows_of_list,
)
from db.operations.audit import record_by
from domain.base import EXACT, Body, Utc
from domain.checkout.cart import check_may_buy
from domain.checkout.quick_order import read_text
from domain.checkout.saved_lists import (
    LONGEST_NAME,
    ListedRow,
    ListMissing,
    ListNameTaken,
    SavedList,
    check_may_change,
    check_room,
    check_room_to_share,
    check_unchanged,
    may_change,
    rows_to_save,
)
from domain.identity.people import Actor

router = APIRouter(prefix="/v1/saved-lists", tags=["cart"])

LONGEST_TEXT = 40_000


class Listing(Body):
    """The whole of a list; `text` has one row a line, as in a quick order. `updated_at` is that of the list as it was read:
    a change of one that somebody has changed meanwhile is refused."""

    name: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_NAME)
    ]
    is_shared: bool = False
    text: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TEXT), EXACT]
    updated_at: Utc | None = None


class ListHead(BaseModel):
    """`rows` counts them. `may_change` is for its maker, and for owners where it is shared."""

    id: str
    name: str
    made_by: str
    is_own: bool
    is_shared: bool
    may_change: bool
    count: int
    updated_at: datetime


class Lists(BaseModel):
    results: list[ListHead]
    count: int


class ListWithRows(ListHead):
    rows: list[ListedRow]


@router.get("")
async def list_saved_lists(portal: PortalDep, actor: SignedIn) -> Lists:
    """The caller's own lists for the business that they buy for, then those that are shared in it."""
    code = _business(actor)
    async with reading(portal.sessions) as session:
        found = await lists_of(session, actor.person.id, code)
    heads = [ListHead.model_validate(_head(actor, one)) for one in found]
    return Lists(results=heads, count=len(heads))


@router.post("")
async def make_saved_list(
    session: Transaction, actor: SignedIn, listing: Listing, key: IdempotencyKey = None
) -> ListWithRows:
    """Raises ListNameTaken, TooManyLists, TooManySharedLists, and what `rows_to_save` raises."""
    code, person_id = _business(actor), actor.person.id
    rows = rows_to_save(read_text(listing.text))
    present = await count_lists(session, person_id, code)
    named = await list_named(session, listing.name, person_id, code)
    if await repeat_of(session, actor, key, Made("make_saved_list", listing)):
        if named is None:
            raise ListMissing
        return await _list_out(session, actor, named.id, code)
    if named is not None:
        raise ListNameTaken
    check_room(present)
    if listing.is_shared:
        check_room_to_share(await count_shared(session, code))
    list_id = await add_list(
        session, person_id, code, name=listing.name, is_shared=listing.is_shared, rows=rows
    )
    await record_by(session, actor, "saved list made", on=("saved_list", list_id))
    return await _list_out(session, actor, list_id, code)


@router.get("/{id}")
async def get_saved_list(portal: PortalDep, actor: SignedIn, id: PathId) -> ListWithRows:
    """A list with its rows."""
    async with reading(portal.sessions) as session:
        return await _list_out(session, actor, id, _business(actor))


@router.put("/{id}")
async def change_saved_list(
    session: Transaction, actor: SignedIn, id: PathId, listing: Listing
) -> ListWithRows:
    """The whole list anew: its rows, and, by its maker, its name and whether it is shared. Others keep both: a name is
    judged against its maker's private lists too. Naturally idempotent. Raises ListMissing, ListOfAnother, ListChanged,
    ListNameTaken, TooManySharedLists, and what `rows_to_save` raises."""
    code = _business(actor)
    rows = rows_to_save(read_text(listing.text))
    one = await _seen(session, actor, id, code)
    check_may_change(actor, one)
    name, is_shared = one.name, one.is_shared
    is_own = one.person_id == actor.person.id
    if is_own:
        name, is_shared = listing.name, listing.is_shared
    is_same = (name, is_shared) == (one.name, one.is_shared) and rows == await rows_of_list(
        session, id
    )
    check_unchanged(one, listing.updated_at, is_same=is_same)
    if is_own:
        await count_lists(session, one.person_id, code)
        named = await list_named(session, name, one.person_id, code)
        if named is not None and named.id != id:
            raise ListNameTaken
        if is_shared and not one.is_shared:
            check_room_to_share(await count_shared(session, code))
    await change_list(session, id, name=name, is_shared=is_shared, rows=rows)
    await record_by(session, actor, "saved list changed", on=("saved_list", id))
    return await _list_out(session, actor, id, code)


@router.delete("/{id}", status_code=204)
async def delete_saved_list(session: Transaction, actor: SignedIn, id: PathId) -> None:
    """Gone for everybody who it was shared with."""
    one = await _seen(session, actor, id, _business(actor))
    check_may_change(actor, one)
    await delete_list(session, id)
    await record_by(session, actor, "saved list deleted", on=("saved_list", id))


def _business(actor: Actor) -> str:
    """Raises what `check_may_buy` raises."""
    check_may_buy(actor)
    assert actor.business_code is not None
    return actor.business_code


async def _seen(session: AsyncSession, actor: Actor, list_id: str, code: str) -> SavedList:
    """Locked. Raises ListMissing."""
    one = await find_list(session, list_id, actor.person.id, code, lock=True)
    if one is None:
        raise ListMissing
    return one


async def _list_out(session: AsyncSession, actor: Actor, list_id: str, code: str) -> ListWithRows:
    one = await find_list(session, list_id, actor.person.id, code)
    if one is None:
        raise ListMissing
    rows = await rows_of_list(session, list_id)
    return ListWithRows.model_validate(_head(actor, one) | {"rows": rows})


def _head(actor: Actor, one: SavedList) -> dict[str, object]:
    return {
        **one.model_dump(exclude={"person_id"}),
        "is_own": one.person_id == actor.person.id,
        "may_change": may_change(actor, one),
    }
