"""Products are found by each year of the range in their title."""

from collections.abc import Sequence

from alembic import op

revision: str = "years_of_titles"
down_revision: str | None = "handout_links"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_ADD_YEARS = r"""
with range as (
  select p.id, cast(m[1] as int) as first,
    cast(case when length(m[2]) = 4 then m[2] else left(m[1], 2) || m[2] end as int) as last
  from product p,
    regexp_matches(p.name, '(?<![0-9-])((?\:19|20)[0-9]{2})\s?[-–/]\s?((?\:19|20)?[0-9]{2})(?![0-9-])', 'g') m
), years as (
  select r.id, string_agg(distinct cast(year as text), ' ') as added
  from range r join product p using (id), generate_series(r.first, r.last) year
  where r.first < r.last and r.last < r.first + 40
    and cast(year as text) <> all (string_to_array(p.search_text, ' '))
  group by r.id
)
update product p set search_text = p.search_text || ' ' || y.added from years y where y.id = p.id
"""


def upgrade() -> None:
    op.execute(_ADD_YEARS)


def downgrade() -> None:
    """What is found by more words stays so: the words of a product are written anew when it changes."""
