"""`make doctor`: asks every outside system, the database and Temporal one harmless question, and says what is missing.

Nothing is changed anywhere: each question is a read, of something that is not there where there is no smaller one. Ends with
1 when anything is missing.
"""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import structlog
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text
from temporalio.api.operatorservice.v1 import ListSearchAttributesRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from assembly import systems_of
from db.base import make_engine
from domain.base import Frozen
from domain.content.pages import PageNotFound
from domain.devices.devices import UnknownDevice
from domain.errors import PortalError
from domain.operations.erp_mirror import Records
from domain.vehicles.vehicles import NoVehicleData, Vin, VinIncomplete
from providers.errors import Unavailable
from providers.systems import Systems
from settings import Settings
from workflows.billing import reconciliation
from workflows.client import connect
from workflows.ids import SEARCH_ATTRIBUTES
from workflows.operations import erp_mirror, reconciler

SECONDS = 10
NOTHING = "doctor"
"""A name that nothing has anywhere."""
A_DEVICE = "FT-X1-00000000"
A_CAR = (2020, "Toyota", "Camry")
A_VIN = Vin("1HGCM82633A004352")
SCHEDULES = (
    reconciler.SCHEDULE,
    reconciliation.SCHEDULE,
    erp_mirror.FEED,
    erp_mirror.COMPARISON,
)
MIGRATIONS = Path(__file__).parents[2] / "db" / "migrations"

Ask = Callable[[], Awaitable[str]]


class Finding(Frozen):
    """What came of one question; `said` says what is missing where it is not well."""

    name: str
    is_well: bool
    said: str


class Missing(Exception):
    """A question's own finding."""


async def examine(settings: Settings, outside: httpx.AsyncClient) -> list[Finding]:
    """All of it at once, in the order in which it is read."""
    systems = systems_of(settings, outside)
    questions = [*_of_our_own(settings), *_of_third_parties(settings, outside, systems)]
    return list(await asyncio.gather(*(_finding(name, ask) for name, ask in questions)))


async def _finding(name: str, ask: Ask) -> Finding:
    try:
        async with asyncio.timeout(SECONDS):
            return Finding(name=name, is_well=True, said=await ask())
    except Missing as missing:
        said = str(missing)
    except Unavailable as failure:
        said = _of_failure(failure)
    except PortalError as refused:
        said = f"refuses the question: {refused.detail}"
    except TimeoutError:
        said = "does not answer in time"
    except Exception as error:  # whatever is wrong is the answer
        said = f"does not answer ({type(error).__name__})"
    return Finding(name=name, is_well=False, said=said)


def _of_failure(failure: Unavailable) -> str:
    match failure.answered:
        case None:
            return "does not answer at its address, or not as agreed"
        case 401:
            return "answers, and does not take the key"
        case status:
            return f"answers with an error ({status})"


# ---------------------------------------------------------------- ours


def _of_our_own(settings: Settings) -> list[tuple[str, Ask]]:
    return [
        ("database", lambda: _database(settings)),
        ("migrations", lambda: _migrations(settings)),
        ("Temporal", lambda: _temporal(settings)),
        ("search attributes", lambda: _search_attributes(settings)),
        ("schedules", lambda: _schedules(settings)),
    ]


async def _first(settings: Settings, question: str) -> list[str]:
    engine = make_engine(settings.database_url)
    try:
        async with engine.connect() as connection:
            return [str(one) for one in (await connection.execute(text(question))).scalars()]
    finally:
        await engine.dispose()


async def _database(settings: Settings) -> str:
    (version,) = await _first(settings, "show server_version")
    return f"PostgreSQL {version} answers"


async def _migrations(settings: Settings) -> str:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    wanted = set(ScriptDirectory.from_config(config).get_heads())
    found = set(await _first(settings, "select version_num from alembic_version"))
    if found != wanted:
        raise Missing(f"the database is at {_named(found)}, this release at {_named(wanted)}")
    return f"at {_named(wanted)}"


async def _client(settings: Settings) -> Client:
    try:
        return await connect(settings.temporal_address, settings.temporal_namespace)
    except (RPCError, RuntimeError, OSError):
        raise Missing(f"nothing answers at TEMPORAL_ADDRESS {settings.temporal_address}") from None


async def _temporal(settings: Settings) -> str:
    client = await _client(settings)
    if not await client.service_client.check_health(timeout=timedelta(seconds=SECONDS)):
        raise Missing("it is not serving")
    return f"serves the namespace {settings.temporal_namespace}"


async def _search_attributes(settings: Settings) -> str:
    client = await _client(settings)
    listed = await client.operator_service.list_search_attributes(
        ListSearchAttributesRequest(namespace=client.namespace)
    )
    missing = {key.name for key in SEARCH_ATTRIBUTES} - set(listed.custom_attributes)
    if missing:
        raise Missing(f"{_named(missing)} are missing: python -m workers.setup registers them")
    return f"all {len(SEARCH_ATTRIBUTES)} are registered"


async def _schedules(settings: Settings) -> str:
    client = await _client(settings)
    missing: set[str] = set()
    for name in SCHEDULES:
        try:
            described = await client.get_schedule_handle(name).describe()
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
            missing.add(name)
        else:
            if described.schedule.state.paused:
                raise Missing(f"{name} is paused")
    if missing:
        raise Missing(f"{_named(missing)} are missing: python -m workers.setup makes them")
    return f"{_named(set(SCHEDULES))} are there"


def _named(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "none"


# ---------------------------------------------------------------- third parties


def _of_third_parties(
    settings: Settings, outside: httpx.AsyncClient, systems: Systems
) -> list[tuple[str, Ask]]:
    """Name → the smallest question that its client can ask, with the key where there is one."""

    async def devices() -> str:
        with suppress(UnknownDevice):
            await systems.device_cloud.described(A_DEVICE)
        return "takes DEVICE_CLOUD_KEY"

    async def cards() -> str:
        await systems.cards.find(NOTHING)
        return "takes CARD_SECRET_KEY"

    async def gateway() -> str:
        await systems.gateway.find(NOTHING)
        return "takes GATEWAY_KEY"

    async def erp() -> str:
        await systems.erp_lists.orders(datetime.now(UTC), None)
        return "lists orders"

    async def service_layer() -> str:
        await systems.erp_master_data.named(Records.ITEMS, [NOTHING])
        return "takes ERP_USER and its password"

    async def messenger() -> str:
        """It can only send; an answer of any kind shows that it is there."""
        answer = await outside.get(f"{settings.messenger_url}/", timeout=SECONDS)
        if answer.status_code >= 500:
            raise Missing(f"answers with an error ({answer.status_code})")
        return "is there"

    async def bot_check() -> str:
        if not systems.bot_check.is_on:
            return "is turned off: BOT_CHECK_KEY is empty"
        await systems.bot_check.challenge()
        await systems.bot_check.verify(NOTHING, "127.0.0.1")
        return "takes BOT_CHECK_KEY and BOT_CHECK_SECRET"

    async def content() -> str:
        with suppress(PageNotFound):
            await systems.content.page(NOTHING, "en")
        return "is there"

    async def vins() -> str:
        with suppress(NoVehicleData, VinIncomplete):
            await systems.vin_decoder.decode(A_VIN)
        return "decodes"

    async def ads() -> str:
        await systems.ads_wiring.wiring(*A_CAR)
        return "is there"

    async def automob() -> str:
        await systems.automob_wiring.wiring(*A_CAR)
        return "is there"

    return [
        ("device network", devices),
        ("card provider", cards),
        ("ACH/COD gateway", gateway),
        ("ERP", erp),
        ("ERP's Service Layer", service_layer),
        ("messenger", messenger),
        ("bot check", bot_check),
        ("content", content),
        ("VIN decoder", vins),
        ("iDatawire", ads),
        ("3rd party wiring", automob),
    ]


def written(settings: Settings, findings: list[Finding]) -> str:
    """A line for each, with the address where something is missing."""
    at = settings.third_parties | {"ERP's Service Layer": settings.erp_url}
    lines: list[str] = []
    for one in findings:
        where = f"  ({at[one.name]})" if one.name in at and not one.is_well else ""
        lines.append(
            f"  {'ok     ' if one.is_well else 'MISSING'}  {one.name:<20} {one.said}{where}"
        )
    ill = sum(not one.is_well for one in findings)
    lines.append(
        f"\n  {'Everything answers.' if ill == 0 else f'{ill} of {len(findings)} are missing.'}"
    )
    return "\n".join(lines)


async def run() -> int:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    settings = Settings()
    async with httpx.AsyncClient(trust_env=False) as outside:
        findings = await examine(settings, outside)
    sys.stdout.write(written(settings, findings) + "\n")
    return 0 if all(one.is_well for one in findings) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(run()))
