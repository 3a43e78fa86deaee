"""Which products fit which vehicles."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    ForeignKey,
    Index,
    Text,
    func,
    text,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.vehicles.fit import Fit, FitNeed, FitVerdict, unknown_fit

_VERDICTS = ", ".join(f"'{one}'" for one in FitVerdict if one is not FitVerdict.UNKNOWN)


class VehicleFitRow(Base):
    """What is known of a product in a vehicle; no row is unknown. `needs` are ids of products."""

    __tablename__ = "vehicle_fit"
    __table_args__ = (
        CheckConstraint(f"verdict in ({_VERDICTS})", name="verdict"),
        CheckConstraint("(verdict = 'needs') = (cardinality(needs) > 0)", name="needs"),
        Index("ix_vehicle_fit_product_id", "product_id"),
    )

    vehicle_id: Mapped[int] = mapped_column(
        ForeignKey("vehicle.id", ondelete="CASCADE"), primary_key=True
    )
    product_id: Mapped[str] = mapped_column(
        ForeignKey("product.id", ondelete="CASCADE"), primary_key=True
    )
    verdict: Mapped[str] = mapped_column(Text)
    needs: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default="{}")
    reason: Mapped[str] = mapped_column(Text, server_default="")
    source: Mapped[str] = mapped_column(Text)
    checked_at: Mapped[datetime] = mapped_column(server_default=func.now())


_FITS = text("""
select w.vehicle_id as asked, w.product_id, f.vehicle_id, f.verdict, f.needs, f.reason, f.source
from unnest(cast(:vehicles as integer[]), cast(:products as text[])) w(vehicle_id, product_id)
join vehicle v on v.id = w.vehicle_id
join lateral (
  select * from vehicle_fit r
  where r.vehicle_id in (v.id, v.mirrors_vehicle) and r.product_id = w.product_id
  order by r.vehicle_id = v.id desc limit 1
) f on true
""")
_NEEDED = text("""
select p.id as product_id, p.default_variant_id as variant_id, p.sku, p.name, p.category_slug as kind, p.is_for_purchase
from product p where p.id = any(cast(:ids as text[]))
""")


async def fits_of(
    session: AsyncSession, pairs: Collection[tuple[int, str]]
) -> dict[tuple[int, str], Fit]:
    """By vehicle and product, as they were asked. What is told of the vehicle itself comes before what is told of the one that
    it mirrors."""
    if not pairs:
        return {}
    asked = list(dict.fromkeys(pairs))
    values = {"vehicles": [one for one, _ in asked], "products": [one for _, one in asked]}
    rows = (await session.execute(_FITS, values)).all()
    needed = await _needed(session, {id_ for row in rows for id_ in row.needs})
    known = {
        (row.asked, row.product_id): Fit(
            product_id=row.product_id,
            verdict=FitVerdict(row.verdict),
            needs=tuple(needed[id_] for id_ in row.needs if id_ in needed),
            reason=row.reason,
            source=row.source,
            mirrored=row.vehicle_id != row.asked,
        )
        for row in rows
    }
    return {pair: known.get(pair) or unknown_fit(pair[1]) for pair in asked}


async def _needed(session: AsyncSession, ids: Collection[str]) -> dict[str, FitNeed]:
    if not ids:
        return {}
    rows = await session.execute(_NEEDED, {"ids": sorted(ids)})
    return {row.product_id: FitNeed.model_validate(row, from_attributes=True) for row in rows}
