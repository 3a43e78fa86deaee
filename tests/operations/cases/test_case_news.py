"""What happened to the money of one's own business, heard as it goes on: by whoever reads it, and by nobody else."""

from collections.abc import AsyncGenerator

import pytest
from sqlalchemy import update

from db.identity.people import InstallerRow
from domain.operations.cases import CaseCause
from tests.drivers.factories import a_dealer, an_installer, an_owner
from tests.drivers.portal import serving
from tests.drivers.stage import Stage
from tests.drivers.whole_portal import Whole, problem
from tests.operations.cases.factories import case_in, told
from tests.operations.cases.stories import id_of, opened
from tests.runs.events.streams import following


@pytest.fixture(scope="module")
async def address(whole: Whole) -> AsyncGenerator[str]:
    async with serving(whole.app) as served:
        yield served


async def test_each_change_of_ones_own_case_is_heard(
    whole: Whole, stage: Stage, address: str
) -> None:
    dealer = await a_dealer(stage.sessions)
    buyer = await an_owner(stage.sessions, dealer)
    handle = await opened(
        stage, amount="104.99", is_paid=False, cause=CaseCause.DEBIT_RETURNED, buyer=buyer
    )
    case = id_of(handle)
    await case_in(stage, case, "owed")
    for reader in (buyer, await an_installer(stage.sessions, dealer, is_purchaser=True)):
        async with (
            whole.signed_in(reader) as caller,
            following(address, caller, f"own-case:{case}") as stream,
        ):
            assert await stream.event() == {"id": case}
            assert await told(handle, "add_note", note="Called the bank.") is None
            assert await stream.event() == {"id": case}


async def test_a_stream_of_a_case_ends_with_the_right_to_it(
    whole: Whole, stage: Stage, address: str
) -> None:
    dealer = await a_dealer(stage.sessions)
    buyer = await an_owner(stage.sessions, dealer)
    handle = await opened(
        stage, amount="104.99", is_paid=False, cause=CaseCause.DEBIT_RETURNED, buyer=buyer
    )
    case = id_of(handle)
    await case_in(stage, case, "owed")
    colleague = await an_installer(stage.sessions, dealer, is_purchaser=True)
    async with (
        whole.signed_in(colleague) as caller,
        following(address, caller, f"own-case:{case}") as stream,
    ):
        assert await stream.event() == {"id": case}
        async with stage.sessions.begin() as session:
            await session.execute(
                update(InstallerRow)
                .where(InstallerRow.person_id == colleague.id)
                .values(is_purchaser=False)
            )
        assert await told(handle, "add_note", note="Called the bank.") is None
        await stream.end()


async def test_nobody_else_hears_of_a_case(whole: Whole, stage: Stage) -> None:
    dealer = await a_dealer(stage.sessions)
    buyer = await an_owner(stage.sessions, dealer)
    handle = await opened(
        stage, amount="104.99", is_paid=False, cause=CaseCause.DEBIT_RETURNED, buyer=buyer
    )
    retired = await an_installer(stage.sessions, dealer, is_purchaser=True, is_retired=True)
    colleague = await an_installer(stage.sessions, dealer)
    for somebody in (await an_owner(stage.sessions), colleague, retired):
        async with whole.signed_in(somebody) as caller:
            for case in (id_of(handle), "none"):
                answer = await caller.browser.get(
                    "/v1/events", params={"follow": f"own-case:{case}"}
                )
                assert problem(answer) == (404, "not_found")
