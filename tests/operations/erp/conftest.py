"""A mirror with a database of its own, and the ERP's stand-in beside it."""

from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from activities.operations.erp_mirror import ErpMirrorActivities, PageOfComparison
from db.base import Sessions, make_engine, make_sessions
from db.operations import erp_mirror
from dev.servers import Servers
from domain.operations.erp_mirror import Difference, Records, TakenOver
from providers.erp.master_data import ErpMasterData
from providers.erp.service_layer import ServiceLayer
from simulators.main import create_app
from tests.drivers.factories import a_name
from tests.drivers.outside.erp_records import ErpDesk, a_service_layer

PAGE = 3


@dataclass(frozen=True)
class Mirror:
    """`desk` are the test's hands at the ERP."""

    sessions: Sessions
    url: str
    stand_ins: FastAPI
    desk: ErpDesk
    activities: ErpMirrorActivities
    service_layer: ServiceLayer

    async def round(self) -> TakenOver:
        """As the feed does it."""
        taken = TakenOver()
        for records in Records:
            page = TakenOver(has_more=True)
            while page.has_more:
                page = await self.activities.take_changes(records)
                taken = taken.plus(page)
            taken = taken.plus(await self.activities.ask_again(records))
        return taken

    async def compare(self) -> tuple[Difference, ...]:
        """What one comparison finds."""
        id = a_name()
        await self.activities.begin_comparison(id)
        for records in Records:
            after: str | None = ""
            while after is not None:
                asked = PageOfComparison(id=id, records=records, after=after)
                after = (await self.activities.compare_page(asked)).last
        await self.activities.end_comparison(id)
        async with self.sessions() as session:
            return await erp_mirror.differences_of(session, id) or ()


@pytest.fixture
def own_url(servers: Servers) -> Generator[str]:
    """For one test: a comparison looks at all there is."""
    with servers.database(f"erp_{a_name()[:12]}") as (url, _):
        yield url


@pytest.fixture
async def mirror(own_url: str, tmp_path: Path) -> AsyncGenerator[Mirror]:
    stand_ins = create_app(tmp_path / "simulators.sqlite", latency=(0.0, 0.01))
    engine = make_engine(own_url)
    transport = httpx.ASGITransport(stand_ins)
    async with httpx.AsyncClient(transport=transport, base_url="http://erp") as client:
        desk = ErpDesk(client)
        await desk.name_numbers()
        service_layer = a_service_layer(client)
        sessions = make_sessions(engine)
        activities = ErpMirrorActivities(ErpMasterData(service_layer, page=PAGE), sessions)
        yield Mirror(sessions, own_url, stand_ins, desk, activities, service_layer)
    await engine.dispose()
