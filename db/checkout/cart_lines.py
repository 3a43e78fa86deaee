"""The lines of carts: read and written set by set, however many there are."""

from collections.abc import Collection, Mapping

from sqlalchemy import bindparam, delete, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue.variants import sellables_by_ids
from db.checkout.cart import CartLineRow, touch
from domain.catalogue.pricing import Viewer
from domain.checkout.cart import MOST_LINES, Line, LineVehicle

_ADD = text("""
with added as (
  insert into cart_line (cart_token, variant_id, quantity)
  select :token, w.variant_id, w.quantity
  from unnest(cast(:variants as text[]), cast(:quantities as integer[])) with ordinality w(variant_id, quantity, place)
  order by w.place
  on conflict (cart_token, variant_id) do update set quantity = cart_line.quantity + excluded.quantity
)
update cart set rev = rev + 1, updated_at = now() where token = :token
""")
_SET = text("""
with changed as (
  update cart_line l set quantity = w.quantity
  from unnest(cast(:variants as text[]), cast(:quantities as integer[])) w(variant_id, quantity)
  where l.cart_token = :token and l.variant_id = w.variant_id and l.quantity <> w.quantity
)
update cart set rev = rev + 1, updated_at = now() where token = :token
""")


_VEHICLES = text("""
select l.variant_id, l.vehicle_id as id, v.year, m.make_id, v.model_id, concat_ws(' ', v.year, k.name, m.name) as name
from cart_line l join vehicle v on v.id = l.vehicle_id join vehicle_model m on m.id = v.model_id
join vehicle_make k on k.id = m.make_id where l.cart_token = :token
""")
_FOR_VEHICLE = text("""
with changed as (
  update cart_line set vehicle_id = cast(:vehicle as integer)
  where cart_token = :token and variant_id = any(cast(:variants as text[]))
    and vehicle_id is distinct from cast(:vehicle as integer)
)
update cart set rev = rev + 1, updated_at = now() where token = :token
""")
_CARRIED = text("""
update cart_line l set vehicle_id = o.vehicle_id from cart_line o
where l.cart_token = :token and o.cart_token = :older and o.variant_id = l.variant_id and l.vehicle_id is null
""")
_PIECES = (
    select(CartLineRow.variant_id, CartLineRow.quantity)
    .where(CartLineRow.cart_token == bindparam("token"))
    .order_by(CartLineRow.place)
    .limit(MOST_LINES)
)


async def pieces_in(session: AsyncSession, token: str) -> dict[str, int]:
    """Pieces by article, in the order in which they came."""
    rows = await session.execute(_PIECES, {"token": token})
    return {row.variant_id: row.quantity for row in rows}


async def lines_of(session: AsyncSession, viewer: Viewer, token: str) -> tuple[Line, ...]:
    """The lines at this viewer's prices and with the stock of now."""
    pieces = await pieces_in(session, token)
    sellables = await sellables_by_ids(session, viewer, list(pieces)) if pieces else {}
    vehicles = await _vehicles(session, token) if pieces else {}
    return tuple(
        Line(
            sellable=sellables[variant_id],
            quantity=quantity,
            vehicle=vehicles.get(variant_id),
        )
        for variant_id, quantity in pieces.items()
    )


async def count_pieces(session: AsyncSession, token: str) -> int:
    """All pieces of all lines."""
    query = select(func.coalesce(func.sum(CartLineRow.quantity), 0))
    return int(await session.scalar(query.where(CartLineRow.cart_token == token)) or 0)


async def add_pieces(session: AsyncSession, token: str, adding: Mapping[str, int]) -> None:
    """Adds to the lines, making those that are not there. The cart is locked and the sums were judged before."""
    await session.execute(_ADD, _by_article(token, adding))


async def set_pieces(session: AsyncSession, token: str, pieces: Mapping[str, int]) -> None:
    """Sets the quantities of lines that are there."""
    await session.execute(_SET, _by_article(token, pieces))


async def drop_line(session: AsyncSession, token: str, variant_id: str) -> bool:
    """Answers whether there was such a line."""
    gone = await session.execute(
        delete(CartLineRow)
        .where(CartLineRow.cart_token == token, CartLineRow.variant_id == variant_id)
        .returning(CartLineRow.variant_id)
    )
    if gone.first() is None:
        return False
    await touch(session, token)
    return True


async def drop_lines(session: AsyncSession, token: str) -> None:
    """Empties the cart."""
    await session.execute(delete(CartLineRow).where(CartLineRow.cart_token == token))
    await touch(session, token)


async def set_vehicle(
    session: AsyncSession, token: str, variant_ids: Collection[str], vehicle_id: int | None
) -> None:
    """These lines are for this vehicle, or for none."""
    values = {"token": token, "variants": list(variant_ids), "vehicle": vehicle_id}
    await session.execute(_FOR_VEHICLE, values)


async def carry_vehicles(session: AsyncSession, token: str, older: str) -> None:
    """Lines without a vehicle get that of the older cart's."""
    await session.execute(_CARRIED, {"token": token, "older": older})


async def _vehicles(session: AsyncSession, token: str) -> dict[str, LineVehicle]:
    rows = await session.execute(_VEHICLES, {"token": token})
    return {row.variant_id: LineVehicle.model_validate(row, from_attributes=True) for row in rows}


def _by_article(token: str, pieces: Mapping[str, int]) -> dict[str, object]:
    return {"token": token, "variants": list(pieces), "quantities": list(pieces.values())}
