"""Years, makes and models (devices spec 3 and 4)."""

from sqlalchemy import ForeignKey, Index, Integer, Text, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.vehicles.vehicles import VehicleChoice

MOST_OF_A_YEAR = 2_000
"""Makes, or models of one: more than a public decoder lists for any year."""


class MakeRow(Base):
    __tablename__ = "vehicle_make"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(Text, unique=True)


class ModelRow(Base):
    """A model and the years it was made in."""

    __tablename__ = "vehicle_model"
    __table_args__ = (Index("ix_vehicle_model_make", "make_id", "first_year", "last_year"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    make_id: Mapped[int] = mapped_column(ForeignKey("vehicle_make.id"))
    name: Mapped[str] = mapped_column(Text)
    first_year: Mapped[int]
    last_year: Mapped[int]


async def makes_of(
    session: AsyncSession, year: int, limit: int = MOST_OF_A_YEAR
) -> tuple[VehicleChoice, ...]:
    """Makes with a model of that year, by name."""
    rows = await session.execute(
        select(MakeRow.id, MakeRow.name)
        .distinct()
        .join(ModelRow, ModelRow.make_id == MakeRow.id)
        .where(ModelRow.first_year <= year, ModelRow.last_year >= year)
        .order_by(MakeRow.name)
        .limit(limit)
    )
    return tuple(VehicleChoice(id=id_, name=name) for id_, name in rows)


async def models_of(
    session: AsyncSession, year: int, make_id: int, limit: int = MOST_OF_A_YEAR
) -> tuple[VehicleChoice, ...]:
    """A make's models of that year, by name."""
    rows = await session.execute(
        select(ModelRow.id, ModelRow.name)
        .where(
            ModelRow.make_id == make_id,
            ModelRow.first_year <= year,
            ModelRow.last_year >= year,
        )
        .order_by(ModelRow.name)
        .limit(limit)
    )
    return tuple(VehicleChoice(id=id_, name=name) for id_, name in rows)


async def is_vehicle(
    session: AsyncSession, *, year: int, make_id: int, make: str, model_id: int, model: str
) -> bool:
    """Whether the five name one vehicle of the tables."""
    found = await session.scalar(
        select(ModelRow.id)
        .join(MakeRow, MakeRow.id == ModelRow.make_id)
        .where(
            ModelRow.id == model_id,
            ModelRow.name == model,
            MakeRow.id == make_id,
            MakeRow.name == make,
            ModelRow.first_year <= year,
            ModelRow.last_year >= year,
        )
    )
    return found is not None
