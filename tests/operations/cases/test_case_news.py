"""What happened to the money of one's own business, told as it goes on: by whoever reads it, and by nobody else."""

from collections.abc import AsyncGenerator

import pytest
from sqlalchemy import update

from db.identity.people import InstallerRow
from tests.drivers.factories import Dealer, a_dealer, an_installer, an_owner
from tests.drivers.portal import serving
from tests.drivers.stage import Stage
from tests.drivers.whole_portal import Whole, problem
from tests.operations.cases.factories import case_in, send_command
from tests.operations.cases.stories import Owing, id_of, owing
from tests.runs.events.streams import following


@pytest.fixture(scope="module")
async def address(whole: Whole) -> AsyncGenerator[str]:
    async with serving(whole.app) as served:
        yield served


async def an_owed_case(stage: Stage) -> tuple[Dealer, Owing]:
    dealer = await a_dealer(stage.sessions)
    case = await owing(stage, dealer=dealer)
    await case_in(stage, id_of(case.handle), "owed")
    return dealer, case


async def test_each_change_of_ones_own_case_is_told(
    whole: Whole, stage: Stage, address: str
) -> None:
    dealer, case = await an_owed_case(stage)
    case_id = id_of(case.handle)
    for reader in (case.buyer, await an_installer(stage.sessions, dealer, is_purchaser=True)):
        async with (
            whole.signed_in(reader) as caller,
            following(address, caller, f"own-case:{case_id}") as stream,
        ):
            assert await stream.event() == {"id": case_id}
            assert await send_command(case.handle, "add_note", note="Called the bank.") is None
            assert await stream.event() == {"id": case_id}


async def test_a_stream_of_a_case_ends_with_the_right_to_it(
    whole: Whole, stage: Stage, address: str
) -> None:
    dealer, case = await an_owed_case(stage)
    case_id = id_of(case.handle)
    colleague = await an_installer(stage.sessions, dealer, is_purchaser=True)
    async with (
        whole.signed_in(colleague) as caller,
        following(address, caller, f"own-case:{case_id}") as stream,
    ):
        assert await stream.event() == {"id": case_id}
        async with stage.sessions.begin() as session:
            await session.execute(
                update(InstallerRow)
                .where(InstallerRow.person_id == colleague.id)
                .values(is_purchaser=False)
            )
        assert await send_command(case.handle, "add_note", note="Called the bank.") is None
        await stream.end()


async def test_nobody_else_is_told_of_a_case(whole: Whole, stage: Stage) -> None:
    dealer, case = await an_owed_case(stage)
    retired = await an_installer(stage.sessions, dealer, is_purchaser=True, is_retired=True)
    colleague = await an_installer(stage.sessions, dealer)
    for somebody in (await an_owner(stage.sessions), colleague, retired):
        async with whole.signed_in(somebody) as caller:
            for case_id in (id_of(case.handle), "none"):
                answer = await caller.browser.get(
                    "/v1/events", params={"follow": f"own-case:{case_id}"}
                )
                assert problem(answer) == (404, "not_found")
