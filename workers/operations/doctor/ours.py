"""What is asked of the database and of Temporal."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from datetime import timedelta

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection
from temporalio.api.operatorservice.v1 import ListSearchAttributesRequest
from temporalio.api.workflowservice.v1 import GetSystemInfoRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from db.base import make_engine
from db.platform.durability import archives_wal
from db.platform.revisions import Revision, revision_of, scripts
from domain.orders.shipping import HIDDEN_METHOD
from domain.partners.partners import DEFAULT_CHANNEL
from workers.operations.doctor.questions import AWAY, SECONDS, Answer, Missing, Question
from workers.release.deployment import Deployment
from workers.release.schedules import SCHEDULES
from workflows.client import connect
from workflows.ids import SEARCH_ATTRIBUTES

MIGRATES = "python -m alembic upgrade head"
SETS_UP = "python -m workers.setup"
TAKES_OVER = "python -m workers.release"
OFFERS = "python -m db.offers"
LISTS = "python -m db.vehicle_list"
RESTORES = "docs/restoring.md"

_METHODS = f"""
select id from shipping_method
where cardinality(countries) > 0 and upper(btrim(name)) <> '{HIDDEN_METHOD}'
"""
_PLANS = f"""
select p.slug from plan_type p where not p.is_retired
  and exists (select from plan_price c where c.slug = p.slug and c.channel = '{DEFAULT_CHANNEL}')
"""


def questions_to_ours(
    database_url: str, temporal_address: str, namespace: str, *, task_queue: str, release: str
) -> list[Question]:
    """Reads alone."""

    async def database() -> Answer:
        (version,) = await _column(database_url, "show server_version")
        return Answer(said="answers", version=version)

    async def archive() -> Answer:
        async with _connected(database_url) as connection:
            archived = await archives_wal(connection)
        if archived is False:
            raise Missing("PostgreSQL does not archive what is written since")
        return Answer(said="the last segment was archived" if archived else "none: it is off")

    async def migrations() -> Answer:
        wanted = _named(scripts().get_heads())
        known = await _column(database_url, "select version_num from alembic_version")
        found, standing = _named(known), revision_of(known)
        if standing is Revision.older:
            raise Missing(f"the database is at {found}, this release at {wanted}")
        which = "this release" if standing is Revision.newest else "a later release"
        return Answer(said=f"those of {which}", version=found)

    async def shipping() -> Answer:
        found = await _column(database_url, _METHODS)
        if not found:
            raise Missing("no order finds a shipping method")
        return Answer(said=f"{_named(found)} may be chosen")

    async def plans() -> Answer:
        found = await _column(database_url, _PLANS)
        if not found:
            raise Missing("no plan is on offer")
        return Answer(said=f"{_named(found)} are sold")

    async def vehicles() -> Answer:
        (count,) = await _column(database_url, "select count(*) from vehicle_model")
        if count == "0":
            raise Missing("no activation finds a vehicle")
        return Answer(said=f"{count} models may be chosen")

    async def temporal() -> Answer:
        client = await _client(temporal_address, namespace)
        if not await client.service_client.check_health(timeout=timedelta(seconds=SECONDS)):
            raise Missing("answers, and is not serving")
        info = await client.workflow_service.get_system_info(GetSystemInfoRequest())
        return Answer(said=f"serves the namespace {namespace}", version=info.server_version)

    async def search_attributes() -> Answer:
        client = await _client(temporal_address, namespace)
        listed = await client.operator_service.list_search_attributes(
            ListSearchAttributesRequest(namespace=client.namespace)
        )
        missing = {key.name for key in SEARCH_ATTRIBUTES} - set(listed.custom_attributes)
        if missing:
            raise Missing(f"without {_named(missing)}")
        return Answer(said=f"all {len(SEARCH_ATTRIBUTES)} are registered")

    async def schedules() -> Answer:
        client = await _client(temporal_address, namespace)
        states = {one.id: await _schedule(client, one.id) for one in SCHEDULES}
        ill = [f"{name} {state}" for name, state in states.items() if state != "runs"]
        if ill:
            raise Missing(", ".join(ill))
        return Answer(said=f"{_named(states)} run")

    async def releases() -> Answer:
        deployment = Deployment(await _client(temporal_address, namespace), task_queue)
        found, of_none = await deployment.releases(), await deployment.runs_of_none()
        deserted = [f"{one.runs} runs wait for {one.name}" for one in found if one.is_deserted]
        if deserted:
            raise Missing(f"{', '.join(deserted)}, whose workers are gone")
        current = next((one.name for one in found if one.is_current), "")
        if release and not current:
            raise Missing("none is current: schedules begin nothing")
        shown = [f"{one.name}: {one.workers} workers, {one.runs} runs" for one in found if one.runs]
        if found:
            shown.append(f"{of_none} runs of no release")
        said = "; ".join(shown) or f"one at a time, {of_none} runs"
        return Answer(said=said, version=current or None)

    return [
        Question(name="PostgreSQL", ask=database, look_at="DATABASE_URL"),
        Question(name="WAL archive", ask=archive, look_at=f"PostgreSQL's log, {RESTORES}"),
        Question(name="migrations", ask=migrations, look_at=f"`{MIGRATES}`"),
        Question(name="shipping methods", ask=shipping, look_at=f"`{OFFERS}`"),
        Question(name="plans", ask=plans, look_at=f"`{OFFERS}`"),
        Question(name="vehicles", ask=vehicles, look_at=f"`{LISTS}`"),
        Question(name="Temporal", ask=temporal, look_at="TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE"),
        Question(name="search attributes", ask=search_attributes, look_at=f"`{SETS_UP}`"),
        Question(name="schedules", ask=schedules, look_at=f"`{SETS_UP}`, Temporal's own page"),
        Question(name="releases", ask=releases, look_at=f"RELEASE, `{TAKES_OVER}`"),
    ]


async def _column(database_url: str, question: str) -> list[str]:
    async with _connected(database_url) as connection:
        return [str(one) for one in (await connection.execute(text(question))).scalars()]


@asynccontextmanager
async def _connected(database_url: str) -> AsyncGenerator[AsyncConnection]:
    engine = make_engine(database_url)
    try:
        async with engine.connect() as connection:
            yield connection
    finally:
        await engine.dispose()


async def _client(address: str, namespace: str) -> Client:
    try:
        return await connect(address, namespace)
    except (RPCError, RuntimeError, OSError):
        raise Missing(AWAY) from None


async def _schedule(client: Client, name: str) -> str:
    try:
        described = await client.get_schedule_handle(name).describe()
    except RPCError as error:
        if error.status is not RPCStatusCode.NOT_FOUND:
            raise
        return "is missing"
    return "is paused" if described.schedule.state.paused else "runs"


def _named(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
