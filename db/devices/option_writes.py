"""What activations wrote into option tables, and what the finished ones of a vehicle and a product have in common."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Text, delete, func, text
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.devices.option_suggestions import OptionSuggestion, OptionTally, suggestions_from
from domain.devices.option_tables import Changes, OptionTable

MOST_ACTIVATIONS = 500
"""The latest of a vehicle and a product that are looked at."""


class OptionWriteRow(Base):
    """The rows of one table that one activation wrote: key → value."""

    __tablename__ = "option_write"

    flow_id: Mapped[str] = mapped_column(Text, primary_key=True)
    option_table: Mapped[str] = mapped_column(Text, primary_key=True)
    changes: Mapped[dict[str, Any]] = mapped_column(JSONB)
    written_at: Mapped[datetime] = mapped_column(server_default=func.now())


_SUGGESTIONS = text("""
with alike as materialized (
  select id, dealer_id from flow
  where kind = 'activation' and outcome = 'completed' and dealer_id is not null and product = :product
    and view #>> '{facts,vehicle,model_id}' = :model_id and view #>> '{facts,vehicle,year}' = :year
  order by ended_at desc limit :most
)
select c.key, cast(c.value as integer) as value, count(*) as used, count(distinct a.dealer_id) as dealers,
       (select count(*) from alike) as finished
from alike a
join option_write w on w.flow_id = a.id and w.option_table = :option_table
cross join jsonb_each_text(w.changes) c
group by c.key, c.value
""")


async def save_option_write(
    session: AsyncSession, flow_id: str, table: OptionTable, changes: Changes
) -> None:
    """Said again it changes nothing; a later write of the same table adds to it."""
    written = insert(OptionWriteRow).values(
        flow_id=flow_id, option_table=table.value, changes=changes
    )
    await session.execute(
        written.on_conflict_do_update(
            index_elements=["flow_id", "option_table"],
            set_={
                "changes": OptionWriteRow.changes.op("||")(written.excluded.changes),
                "written_at": func.now(),
            },
        )
    )


async def forget_option_writes(
    session: AsyncSession, flow_id: str, *, but: Collection[OptionTable] = ()
) -> None:
    """What a run wrote to a device that is not its own any more."""
    kept = [table.value for table in but]
    await session.execute(
        delete(OptionWriteRow).where(
            OptionWriteRow.flow_id == flow_id, OptionWriteRow.option_table.not_in(kept)
        )
    )


async def option_suggestions(
    session: AsyncSession, *, product: str, year: int, model_id: int, table: OptionTable
) -> tuple[OptionSuggestion, ...]:
    """From finished activations of every dealer; none is named."""
    values = {
        "product": product,
        "year": str(year),
        "model_id": str(model_id),
        "option_table": table.value,
        "most": MOST_ACTIVATIONS,
    }
    rows = (await session.execute(_SUGGESTIONS, values)).all()
    if not rows:
        return ()
    tallies = [OptionTally.model_validate(row, from_attributes=True) for row in rows]
    return suggestions_from(tallies, rows[0].finished)
