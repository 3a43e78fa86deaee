"""Saved lists: rows of SKU and quantity under a name, ordered again and again (not in the spec, our choice, decision 75).

A list is of the person who made it and of the business that it was made for. Nobody else knows of it until it is shared;
then everybody who buys for the business reads it, and its maker and the owners change it. No price is kept in it.
"""

from collections.abc import Sequence
from datetime import datetime

from domain.base import Frozen, Utc
from domain.card_numbers import masked
from domain.checkout.quick_order import LONGEST_SKU, Row, quantity_of
from domain.errors import Conflict, Forbidden, Invalid, NotFound
from domain.identity.people import Actor, Role

MOST_LISTS = 50
"""Of one person for one business. Our choice."""
MOST_SHARED = 150
"""Lists that are shared in one business. Our choice."""
MOST_ROWS = 200
"""In one list. Our choice."""
LONGEST_NAME = 60


class ListedRow(Frozen):
    sku: str
    quantity: int


class SavedList(Frozen):
    """`made_by` is the name of whoever made it; `count` the number of its rows."""

    id: str
    name: str
    person_id: str
    made_by: str
    is_shared: bool
    count: int
    updated_at: Utc


class ListMissing(NotFound):
    code = "list_missing"
    detail = "There is no such list."


class ListOfAnother(Forbidden):
    code = "list_of_another"
    detail = "Only whoever made this list, or an owner, can change it."


class ListNameTaken(Conflict):
    code = "list_name_taken"
    detail = "You have a list with this name already."


class ListChanged(Conflict):
    code = "list_changed"
    detail = (
        "Somebody has changed this list since you opened it. Nothing was saved: save your rows under"
        " another name, or open the list again."
    )


class TooManyLists(Conflict):
    code = "too_many_lists"
    detail = f"You have {MOST_LISTS} lists already. Please delete one first."


class TooManySharedLists(Conflict):
    code = "too_many_shared_lists"
    detail = (
        f"Your business shares {MOST_SHARED} lists already. Please stop sharing one of them first."
    )


class ListTooLong(Invalid):
    code = "list_too_long"
    detail = f"A list has at most {MOST_ROWS} rows."


class ListRowUnclear(Invalid):
    code = "list_row_unclear"
    detail = "Each row of a list needs a SKU and a whole number of pieces."


def rows_to_save(rows: Sequence[Row]) -> tuple[ListedRow, ...]:
    """Raises ListTooLong, or ListRowUnclear naming the rows. Whether an article is sold is judged when it is ordered."""
    if len(rows) > MOST_ROWS:
        raise ListTooLong
    unclear = [row for row in rows if not _is_clear(row)]
    if unclear:
        raise ListRowUnclear(fields=[(f"row {row.number}", "Invalid value") for row in unclear])
    return tuple(
        ListedRow(sku=row.sku.upper(), quantity=quantity_of(row.quantity) or 1) for row in rows
    )


def check_room(present: int) -> None:
    """Raises TooManyLists when one more does not fit."""
    if present >= MOST_LISTS:
        raise TooManyLists


def check_room_to_share(shared: int) -> None:
    """Raises TooManySharedLists when one more does not fit."""
    if shared >= MOST_SHARED:
        raise TooManySharedLists


def may_change(actor: Actor, one: SavedList) -> bool:
    """Its maker, and for shared ones the owners of the business."""
    return actor.person.id == one.person_id or (one.is_shared and Role.OWNER in actor.roles)


def check_may_change(actor: Actor, one: SavedList) -> None:
    """Of a list that the caller sees. Raises ListOfAnother."""
    if not may_change(actor, one):
        raise ListOfAnother


def check_unchanged(one: SavedList, read_at: datetime | None, *, is_same: bool) -> None:
    """Raises ListChanged where the list was changed after it was read at `read_at`. A change that is sent again, and has
    made it the same already, is none."""
    if read_at is not None and read_at != one.updated_at and not is_same:
        raise ListChanged


def _is_clear(row: Row) -> bool:
    """What could be a card number is never kept, though a SKU might look like one."""
    quantity = quantity_of(row.quantity)
    fits = 0 < len(row.sku) <= LONGEST_SKU and masked(row.sku) == row.sku
    return fits and quantity is not None
