"""What `make doctor` finds: what is there, and by name what is away, is something else, or does not take our key."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from assembly import systems_of
from db import offers, vehicle_list
from db.base import make_engine, make_sessions
from db.demo.offers import EXAMPLE
from dev.servers import Servers
from settings import Settings
from simulators.main import create_app
from tests.drivers.database.archiving import an_archiving_cluster, archive_all, lose_archive
from tests.drivers.outside.mail_server import taking_mail
from workers.operations.doctor.__main__ import examine, written
from workers.operations.doctor.questions import Finding
from workers.operations.doctor.third_parties import questions_to_third_parties

GOING_LIVE = Path(__file__).resolve().parents[2] / "docs" / "going-live.md"
AWAY = "http://somebody:knows@away.test"
NO_MAIL = "smtp://127.0.0.1:1"
BROUGHT = {"shipping methods", "plans", "vehicles"}
SERVERS = {
    "PostgreSQL",
    "WAL archive",
    "migrations",
    "Temporal",
    "search attributes",
    "schedules",
    "releases",
}
OURS = SERVERS | BROUGHT
ADDRESSES = {
    "device_cloud_url": {"device network"},
    "card_url": {"card provider"},
    "gateway_url": {"ACH/COD gateway"},
    "erp_url": {"ERP"},
    "mail_url": {"mail"},
    "sms_url": {"SMS"},
    "bot_check_url": {"bot check"},
    "content_url": {"content"},
    "vin_url": {"VIN decoder"},
    "ads_wiring_url": {"iDatawire"},
    "automob_wiring_url": {"3rd party wiring"},
}
"""Setting → what is asked there."""
KEYS = {
    "device_cloud_key": "device network",
    "card_secret_key": "card provider",
    "gateway_key": "ACH/COD gateway",
    "erp_password": "ERP",
    "mail_password": "mail",
    "sms_token": "SMS",
    "bot_check_secret": "bot check",
}


class World(httpx.AsyncBaseTransport):
    """The stand-ins; nobody listens at the one address."""

    def __init__(self, inside: httpx.ASGITransport) -> None:
        self.inner = inside

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == "away.test":
            raise httpx.ConnectError("nobody listens")
        return await self.inner.handle_async_request(request)


@pytest.fixture
async def stand_ins(tmp_path: Path) -> AsyncGenerator[FastAPI]:
    app = create_app(tmp_path / "stand-ins.sqlite")
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def outside(stand_ins: FastAPI) -> AsyncGenerator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=World(httpx.ASGITransport(stand_ins))) as client:
        yield client


@pytest.fixture
async def mail_url(stand_ins: FastAPI) -> AsyncGenerator[str]:
    async with taking_mail(lambda: stand_ins) as address:
        yield address


def with_ours_away(mail_url: str, **more: object) -> Settings:
    return Settings(
        simulators_url="http://stand-ins",
        mail_url=mail_url,
        mail_encryption="none",
        database_url="postgresql://nobody:secretly@127.0.0.1:1/none",
        temporal_address="127.0.0.1:1",
    ).model_copy(update=more)


def ill(findings: list[Finding]) -> dict[str, str]:
    return {one.name: one.said for one in findings if not one.is_well}


async def test_everything_that_is_there_is_well_and_says_what_it_is(
    outside: httpx.AsyncClient, mail_url: str, database_url: str, temporal_address: str
) -> None:
    settings = Settings(
        simulators_url="http://stand-ins",
        mail_url=mail_url,
        mail_encryption="none",
        database_url=database_url,
        temporal_address=temporal_address,
    )
    findings = await examine(settings, outside)
    assert set(ill(findings)) <= {"schedules", *BROUGHT}, written(findings)
    assert re.search(r"\d+ runs", next(one.said for one in findings if one.name == "releases"))
    versions = {one.name: one.version for one in findings}
    assert versions["ERP"] == "1000230"
    assert versions["PostgreSQL"]
    assert versions["Temporal"]


async def test_the_questions_have_no_effect(
    outside: httpx.AsyncClient, mail_url: str, stand_ins: FastAPI
) -> None:
    """By the books of whoever was asked: nothing is ordered, paid, sent or written."""
    await examine(with_ours_away(mail_url), outside)
    read = stand_ins.state.ledger.read(None, None, 0)
    assert len({line["operation"].partition(":")[0] for line in read["results"]}) > 5
    assert read["effects"] == {}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(stand_ins)) as reader:
        for system, books in (("cards", "entries"), ("gateway", "entries"), ("erp", "orders")):
            told = await reader.get(f"http://stand-ins/{system}/_ledger")
            assert told.json()[books] == [], system
        sent = await reader.get("http://stand-ins/messenger/_outbox")
        assert sent.json()["results"] == []


async def test_where_no_file_was_brought_it_says_so(
    outside: httpx.AsyncClient, servers: Servers, worker_id: str
) -> None:
    """A new installation takes no order, sells no plan and activates nothing until then."""
    with servers.database(f"doctor_{worker_id}") as (url, _):
        settings = with_ours_away(NO_MAIL, database_url=url)
        found = ill(await examine(settings, outside))
        assert found["shipping methods"] == "no order finds a shipping method"
        assert found["plans"] == "no plan is on offer"
        assert found["vehicles"] == "no activation finds a vehicle"
        engine = make_engine(url)
        await offers.carry_out(make_sessions(engine), EXAMPLE.read_text())
        cars = "make,model,first_year,last_year\nToyota,Camry,1983,2027\n"
        await vehicle_list.carry_out(make_sessions(engine), cars)
        await engine.dispose()
        findings = await examine(settings, outside)
    assert not BROUGHT & ill(findings).keys()
    said = {one.name: one.said for one in findings}
    assert said["shipping methods"] == "express, ground, pick-up may be chosen"
    assert "classic_prepaid" not in said["plans"]


async def test_an_archive_that_takes_nothing_more_is_named(outside: httpx.AsyncClient) -> None:
    with an_archiving_cluster() as (cluster, archive):
        settings = with_ours_away(NO_MAIL, database_url=cluster.app_url)
        archive_all(cluster.admin_url)
        assert "WAL archive" not in ill(await examine(settings, outside))
        lose_archive(cluster, archive)
        findings = await examine(settings, outside)
    assert ill(findings)["WAL archive"] == "PostgreSQL does not archive what is written since"
    assert "look at PostgreSQL's log, docs/restoring.md" in written(findings)


async def test_a_temporal_and_a_database_that_are_away_are_named(
    outside: httpx.AsyncClient, mail_url: str
) -> None:
    findings = await examine(with_ours_away(mail_url), outside)
    assert set(ill(findings)) == OURS
    said = written(findings)
    assert "look at DATABASE_URL" in said
    assert "secretly" not in said


@pytest.mark.parametrize("name", ADDRESSES)
async def test_who_is_away_is_named_alone_with_where_to_look(
    outside: httpx.AsyncClient, mail_url: str, name: str
) -> None:
    away = NO_MAIL if name == "mail_url" else AWAY
    findings = await examine(with_ours_away(**{"mail_url": mail_url, name: away}), outside)
    found = ill(findings)
    assert set(found) - OURS == ADDRESSES[name]
    assert {found[one] for one in ADDRESSES[name]} == {"does not answer"}
    said = written(findings)
    assert f"look at {name.upper()} ({away.replace('somebody:knows@', '')}" in said
    assert "knows" not in said


async def test_what_answers_at_an_address_and_is_something_else_is_told_apart(
    outside: httpx.AsyncClient, mail_url: str
) -> None:
    elsewhere = dict.fromkeys(ADDRESSES.keys() - {"mail_url"}, "http://stand-ins/nowhere")
    found = ill(await examine(with_ours_away(mail_url, **elsewhere), outside))
    assert set(found) - OURS == set().union(*ADDRESSES.values()) - {"mail"}
    assert all(found[name].startswith("answers") for name in set(found) - OURS)


async def test_who_does_not_take_our_key_is_named_and_the_key_is_not(
    outside: httpx.AsyncClient, mail_url: str
) -> None:
    wrong = {name: SecretStr("another key") for name in KEYS}
    findings = await examine(with_ours_away(mail_url, **wrong), outside)
    found = ill(findings)
    assert set(found) - OURS == set(KEYS.values())
    assert found["mail"] == "answers, and does not take the key (535)"
    http = {found[name] for name in KEYS.values() if name != "mail"}
    assert http == {"answers, and does not take the key (401)"}
    assert "another key" not in written(findings)


async def test_what_is_not_used_is_not_asked_and_not_missing(
    outside: httpx.AsyncClient, mail_url: str
) -> None:
    none = {"gateway_url": "none", "ads_wiring_url": "none", "automob_wiring_url": "none"}
    used = with_ours_away(mail_url, bank_accounts_at="cards")
    findings = await examine(used.model_copy(update=none), outside)
    assert set(ill(findings)) == OURS
    said = {one.name: one.said for one in findings}
    for name, setting in (
        ("ACH/COD gateway", "GATEWAY_URL"),
        ("iDatawire", "ADS_WIRING_URL"),
        ("3rd party wiring", "AUTOMOB_WIRING_URL"),
    ):
        assert said[name] == f"is not used: {setting} is none"


def test_going_live_names_the_settings_that_are_looked_at() -> None:
    """The table has a row for each third party, one for two, with the settings that the doctor names."""
    systems = systems_of(Settings(environment="test"), httpx.AsyncClient())
    named = {
        one.name: set(re.findall(r"\b[A-Z][A-Z_]*[A-Z]\b", one.look_at))
        for one in questions_to_third_parties(systems, lambda _: "http://somewhere.test")
    }
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|", GOING_LIVE.read_text(), re.MULTILINE)
    documented: set[str] = set()
    for names, settings in rows:
        those = set(re.findall(r"`([A-Z_]+)`", settings))
        assert {one.lower() for one in those} <= set(Settings.model_fields), names
        if named.keys() >= (here := set(names.split(", "))):
            assert those == set[str]().union(*(named[name] for name in here)), names
            documented |= here
    assert documented == named.keys()
