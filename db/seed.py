"""The demo data that the README names. Fills an empty database only; `--force` adds what is missing.

python -m db.seed            fill
python -m db.seed --show     print the sign-ins
"""

import argparse
import asyncio

from db.base import Sessions, make_engine, make_sessions
from db.demo_partners import STORIES, add_partners
from db.demo_people import PASSWORD, PEOPLE, add_people, has_people
from db.demo_vehicles import add_vehicles
from settings import Settings


async def seed(sessions: Sessions, *, force: bool = False) -> bool:
    """Everything in one transaction. Answers whether anything was added."""
    async with sessions.begin() as session:
        if not force and await has_people(session):
            return False
        await add_people(session)
        await add_partners(session)
        await add_vehicles(session)
        return True


def sign_ins() -> str:
    """The sign-ins as lines of text, for people."""
    people = (*PEOPLE, *STORIES)
    width = max(len(person.email) for person in people)
    lines = [f"  {person.email:<{width}}  {person.what}" for person in people]
    return "\n".join([f"Sign in as any of these with the password {PASSWORD}", *lines])


async def _main(*, force: bool) -> None:
    engine = make_engine(Settings().migrations_database_url)
    added = await seed(make_sessions(engine), force=force)
    await engine.dispose()
    print("Demo data added." if added else "The database has data already; nothing was added.")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m db.seed", description="Demo data")
    parser.add_argument("--show", action="store_true", help="only print the sign-ins")
    parser.add_argument("--force", action="store_true", help="add what is missing in any case")
    options = parser.parse_args()
    if options.show:
        print(sign_ins())
        return
    asyncio.run(_main(force=options.force))


if __name__ == "__main__":
    main()
