"""At which revision a database is, seen from this release: a later one may have migrated it while this one still runs."""

from collections.abc import Collection
from enum import StrEnum
from functools import cache
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory

MIGRATIONS = Path(__file__).parents[1] / "migrations"


class Revision(StrEnum):
    """`later`: made by a release that this one does not know, whose migrations leave it what it reads (docs/going-live.md)."""

    newest = "newest"
    later = "later"
    older = "older"


@cache
def scripts() -> ScriptDirectory:
    """The migrations of this release."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return ScriptDirectory.from_config(config)


def revision_of(found: Collection[str]) -> Revision:
    """`found` is what the database says of itself; nothing is older than anything."""
    if set(found) == set(scripts().get_heads()):
        return Revision.newest
    known = {one.revision for one in scripts().walk_revisions()}
    return Revision.later if set(found) - known else Revision.older
