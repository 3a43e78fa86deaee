"""Writing prices, and working out which holds when (decision "Prices").

`effective_price` is worked out anew for what changed, in the transaction of the change: whoever asks after it sees the
new price, and no other row is touched.
"""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue.tables import EffectivePriceRow, PriceListRow, PriceRow, ProductRow, VariantRow
from domain.base import Frozen
from domain.catalogue.pricing import ListKind

_FORGET = "delete from effective_price where {which}"
_WORK_OUT = """
insert into effective_price (scope, variant_id, starts_at, ends_at, amount, list_id)
with listed as (
  select l.scope, p.variant_id, l.id as list_id, p.amount,
         coalesce(l.starts_at, '-infinity') as starts_at, coalesce(l.ends_at, 'infinity') as ends_at
  from price p join price_list l on l.id = p.list_id
  where {which}
), edges as (
  select scope, variant_id, starts_at as at from listed
  union
  select scope, variant_id, ends_at from listed
), spans as (
  select scope, variant_id, at, lead(at) over (partition by scope, variant_id order by at) as until from edges
)
select distinct on (s.scope, s.variant_id, s.at)
       s.scope, s.variant_id, s.at, s.until, x.amount, x.list_id
from spans s
join listed x on x.scope = s.scope and x.variant_id = s.variant_id and x.starts_at <= s.at and s.at < x.ends_at
where s.until is not null
order by s.scope, s.variant_id, s.at, x.starts_at desc, x.list_id desc
"""


class PriceList(Frozen):
    """`scope` is a channel's slug or `domain.catalogue.pricing.scope_of_partner`; a time of None is open."""

    id: str
    scope: str
    name: str
    kind: ListKind
    starts_at: datetime | None = None
    ends_at: datetime | None = None


async def put_price_list(session: AsyncSession, given: PriceList) -> None:
    """Adds the list, or changes its name and times."""
    values = {**given.model_dump(), "kind": given.kind.value}
    before = await session.scalar(select(PriceListRow.scope).where(PriceListRow.id == given.id))
    changed = {key: value for key, value in values.items() if key != "id"}
    statement = insert(PriceListRow).values(values)
    await session.execute(statement.on_conflict_do_update(index_elements=["id"], set_=changed))
    if before is not None:
        await _work_out_list(session, given.id, {before, given.scope})


async def set_price(
    session: AsyncSession, list_id: str, variant_id: str, amount: Decimal | None
) -> None:
    """What the list says of the variant from now on; None takes it off the list. Idempotent."""
    if amount is None:
        which = (PriceRow.list_id == list_id) & (PriceRow.variant_id == variant_id)
        await session.execute(delete(PriceRow).where(which))
    else:
        statement = insert(PriceRow).values(list_id=list_id, variant_id=variant_id, amount=amount)
        await session.execute(
            statement.on_conflict_do_update(
                index_elements=["list_id", "variant_id"], set_={"amount": amount}
            )
        )
    scope = await session.scalar(select(PriceListRow.scope).where(PriceListRow.id == list_id))
    if scope is not None:
        await _work_out(session, [scope], [variant_id])


async def set_msrp(session: AsyncSession, variant_id: str, amount: Decimal | None) -> None:
    """The list price; lists sort by that of the default variant."""
    await session.execute(update(VariantRow).where(VariantRow.id == variant_id).values(msrp=amount))
    await session.execute(
        update(ProductRow)
        .where(ProductRow.default_variant_id == variant_id)
        .values(msrp=amount, updated_at=func.now())
    )


async def work_out_all(session: AsyncSession) -> None:
    """Every price anew; for a load of whole lists."""
    await session.execute(text(_FORGET.format(which="true")))
    await session.execute(text(_WORK_OUT.format(which="true")))


async def _work_out_list(session: AsyncSession, list_id: str, scopes: set[str]) -> None:
    named = select(PriceRow.variant_id).where(PriceRow.list_id == list_id)
    held = select(EffectivePriceRow.variant_id).where(EffectivePriceRow.list_id == list_id)
    variants = (await session.scalars(named.union(held))).all()
    await _work_out(session, scopes, variants)


async def _work_out(session: AsyncSession, scopes: Iterable[str], variants: Iterable[str]) -> None:
    values = {"scopes": list(scopes), "variants": list(variants)}
    which = "{0}.variant_id = any(cast(:variants as text[])) and {1}.scope = any(cast(:scopes as text[]))"
    # Two changes of one variant wait for each other here, and the later one sees what the earlier one left.
    await session.execute(
        text(
            "select pg_advisory_xact_lock(hashtext('price ' || v))"
            " from unnest(cast(:variants as text[])) v order by v"
        ),
        {"variants": values["variants"]},
    )
    forget = _FORGET.format(which=which.format("effective_price", "effective_price"))
    await session.execute(text(forget), values)
    await session.execute(text(_WORK_OUT.format(which=which.format("p", "l"))), values)
