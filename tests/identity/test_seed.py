"""The demo people and the rights of the application's database role."""

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import ProgrammingError

from db.base import Sessions
from db.demo.people import PASSWORD, PASSWORD_HASH, PEOPLE
from db.identity.people import PersonRow, find_account
from db.operations.audit import record
from db.seed import seed, sign_ins
from domain.identity.people import Role, check_may_sign_in, roles_of
from providers.security.passwords import Passwords


async def test_the_demo_people_are_of_every_kind_and_may_sign_in(demo_sessions: Sessions) -> None:
    found: set[Role] = set()
    async with demo_sessions() as session:
        for person in PEOPLE:
            account = await find_account(session, person.email)
            assert account is not None
            check_may_sign_in(account)
            found |= roles_of(account.user)
    kinds = {
        Role.OWNER,
        Role.INSTALLER,
        Role.PURCHASER,
        Role.INSIDE_REP,
        Role.OUTSIDE_REP,
        Role.ADMIN,
    }
    assert kinds <= found


async def test_the_demo_password_fits(sessions: Sessions) -> None:
    assert await Passwords().verify(PASSWORD_HASH, PASSWORD)
    assert PASSWORD in sign_ins()


async def test_seeding_twice_adds_nobody(demo_sessions: Sessions) -> None:
    count = (
        select(func.count()).select_from(PersonRow).where(PersonRow.id.in_([p.id for p in PEOPLE]))
    )
    async with demo_sessions() as session:
        before = await session.scalar(count)
    await seed(demo_sessions, force=True)
    assert not await seed(demo_sessions)
    async with demo_sessions() as session:
        assert await session.scalar(count) == before == len(PEOPLE)


@pytest.mark.parametrize(
    "change", ["delete from audit", "update audit set actor = 'nobody'", "truncate audit"]
)
async def test_the_application_can_only_add_to_the_audit(sessions: Sessions, change: str) -> None:
    async with sessions.begin() as session:
        await record(session, "tried", actor="test")
    with pytest.raises(ProgrammingError, match="permission denied"):
        async with sessions.begin() as session:
            await session.execute(text(change))
