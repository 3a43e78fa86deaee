"""The first person of a new installation: `python -m db.first_administrator EMAIL FIRST_NAME LAST_NAME`.

An administrator without a password: "Forgot password?" on the sign-in page mails a code. This works as long as there is no
administrator. Others, sales reps and the first owner of each business are added by `db/staff.py`; owners invite the rest.
"""

import argparse
from datetime import UTC, datetime

from sqlalchemy import exists, select, update

from db.base import Sessions
from db.identity.people import PersonRow, add_person
from db.operators import run
from domain.identity.people import ADMIN_ACCESS
from settings import Settings


class NotFirst(Exception):
    """There is an administrator, or somebody else has the address."""


async def add_administrator(
    sessions: Sessions, *, email: str, first_name: str, last_name: str
) -> None:
    async with sessions.begin() as session:
        known = exists().where(
            PersonRow.access_type == ADMIN_ACCESS, PersonRow.is_retired.is_(False)
        )
        if await session.scalar(select(known)):
            raise NotFirst(
                "There is an administrator already. Others: python -m db.staff administrator"
            )
        person = await add_person(
            session, email=email.strip().lower(), first_name=first_name, last_name=last_name
        )
        if person is None:
            raise NotFirst(f"{email} is taken.")
        await session.execute(
            update(PersonRow)
            .where(PersonRow.id == person.id)
            .values(access_type=ADMIN_ACCESS, confirmed_at=datetime.now(UTC))
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m db.first_administrator", description=__doc__)
    for name in ("email", "first_name", "last_name"):
        parser.add_argument(name)
    options = parser.parse_args()
    who = vars(options)
    try:
        run(Settings().database_url, lambda sessions: add_administrator(sessions, **who))
    except NotFirst as refused:
        raise SystemExit(str(refused)) from None
    print(f'Added. Choose "Forgot password?" on the sign-in page, with {options.email}.')


if __name__ == "__main__":
    main()
