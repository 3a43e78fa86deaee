"""docker-compose.yml says the same as the Procfile, the settings, the Makefile and `make cluster`; no Docker is needed to know."""

import base64
import ipaddress
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
import yaml
from pydantic import SecretStr, ValidationError
from sqlalchemy.engine import make_url

from dev.cluster.building import SOURCES
from dev.cluster.proxy import CONFIGURATION
from dev.cluster.stack import APIS, WORKERS
from dev.cluster.temporal_server import CONNECTIONS
from dev.places import ROOT
from dev.ports import SETTING
from dev.postgres import SERVER_SETTINGS
from dev.stack import procfile
from settings import DEVELOPMENT_DATABASE_PASSWORDS, Settings

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OUTSIDE_SETTINGS = {
    "SIMULATORS_HOST",
    "SIMULATORS_PORT",
    "SIMULATORS_STATE",
    "PORTAL_WEBHOOK_URL",
    "PORTAL_ERP_WEBHOOK_URL",
    "PORTAL_CARD_WEBHOOK_URL",
    "PORTAL_BANK_WEBHOOK_URL",
}
"""Read by the stand-ins themselves."""


def filled(value: str, given: Mapping[str, str]) -> str:
    """What Docker Compose makes of `${NAME}`, `${NAME:-default}` and `${NAME-default}` in an environment, also of one
    within a default."""

    def of(found: re.Match[str]) -> str:
        name, colon, default = found.groups()
        unset = given.get(name) is None or (colon and not given[name])
        return (default or "") if unset else given[name]

    found = 1
    while found:
        value, found = re.subn(r"\$\{(\w+)(?:(:?)-([^{}]*))?\}", of, value)
    return value


def environment_of(service: str, given: Mapping[str, str] | None = None) -> dict[str, str]:
    return {
        name: filled(str(value), given or {})
        for name, value in SERVICES[service]["environment"].items()
    }


def settings_of(service: str, given: Mapping[str, str] | None = None) -> Settings:
    """As a process reads them: lists from JSON, nothing else from this machine."""
    environment = environment_of(service, given)
    with pytest.MonkeyPatch.context() as patch:
        for name in Settings.model_fields:
            patch.delenv(name.upper(), raising=False)
        for name, value in environment.items():
            patch.setenv(name, value)
        return Settings()


PRODUCTION = {
    "ENVIRONMENT": "production",
    "PORTAL_URL": "https://portal.dealer.test",
    "SITES": '{"ca": "portal.dealer.test", "us": "us.portal.dealer.test"}',
    "CARD_PUBLIC_KEY": "pk_live_of_the_dealer",
    "BOT_CHECK_KEY": "key-of-the-dealer",
    "PAYOUTS_FROM": "2026-12",
    "SELLER": json.dumps(
        {
            "name": "Dealer Inc.",
            "street": "1 Main Street",
            "city": "Toronto",
            "country_area": "ON",
            "postal_code": "M5V 1A1",
            "country": "CA",
            "tax_numbers": {"GST/HST": "12345 6789 RT0001"},
        }
    ),
    "MAIL_URL": "smtp://mail.third.test:587",
    "MAIL_USER": "dealer",
    "MAIL_FROM": "Dealer <portal@dealer.test>",
    "SMS_ACCOUNT": "AC" + "1" * 32,
    "SMS_FROM": "+16045550111",
    "INQUIRIES_TO": "dealers@dealer.test",
    "WIKI_URL": "https://wiki.dealer.test",
    "BULB_SEARCH_URL": "",
    "COMMUNITY_URL": "",
    "VAULT_KEY": base64.b64encode(b"k" * 32).decode(),
    "PAYLOAD_KEYS": f"2026-12:{base64.b64encode(b'p' * 32).decode()}",
    "TRUSTED_PROXIES": '["10.0.0.0/8"]',
    **{
        name: f"https://{name.lower().replace('_', '-')}.third.test"
        for name in (
            "DEVICE_CLOUD_URL",
            "SMS_URL",
            "CONTENT_URL",
            "VIN_URL",
            "ADS_WIRING_URL",
            "AUTOMOB_WIRING_URL",
            "ERP_URL",
            "BOT_CHECK_URL",
            "CARD_URL",
            "GATEWAY_URL",
        )
    },
    **{
        name: f"own-{name.lower()}-of-this-installation"
        for name in (
            "TOKEN_SECRET",
            "DEVICE_CLOUD_KEY",
            "DEVICE_WEBHOOK_SECRET",
            "ERP_WEBHOOK_SECRET",
            "ERP_PASSWORD",
            "BOT_CHECK_SECRET",
            "CARD_SECRET_KEY",
            "CARD_WEBHOOK_SECRET",
            "GATEWAY_KEY",
            "MAIL_PASSWORD",
            "SMS_TOKEN",
            "BANK_WEBHOOK_SECRET",
            "APP_PASSWORD",
            "OWNER_PASSWORD",
            "POSTGRES_PASSWORD",
            "TEMPORAL_PASSWORD",
        )
    },
}
"""Everything that production asks for."""

OWN_URLS = {"PORTAL_URL", "WIKI_URL", "BULB_SEARCH_URL", "COMMUNITY_URL"}
"""How people reach us, and links for them: no process of ours asks there."""

PORTAL = ("check", "prepare", "worker", "api")
"""The services that read the settings."""


def test_every_process_of_the_procfile_is_a_service_with_the_same_command() -> None:
    expected = procfile()
    assert {name: SERVICES[name]["command"] for name in expected} == expected


def test_every_variable_given_to_the_portal_is_one_of_its_settings() -> None:
    known = {name.upper() for name in Settings.model_fields}
    for service in PORTAL:
        assert set(environment_of(service)) <= known
    assert set(environment_of("simulators")) <= known | OUTSIDE_SETTINGS


NOT_BY_COMPOSE = {
    "CODEC_HOST",
    "CODEC_PORT",
    "DATABASE_PASSWORDS",
    "MIGRATIONS_DATABASE_URL",
    "PASSWORD_MEMORY_KIB",
    "RAW_CARDS",
    "RECONCILIATION_BOUNDS",
    "REQUEST_SECONDS",
    "SIMULATORS_MAIL_PORT",
    "STATE_DIR",
    "TEMPORAL_NAMESPACE",
    "WEB_DIST",
}
"""Of one service alone, of what stands in the image, or a measure that is the same everywhere, as every policy is."""


def test_whatever_an_installation_decides_is_handed_on_to_its_processes() -> None:
    decided = {
        name.upper()
        for name in Settings.model_fields
        if not name.startswith("policy_") and name.upper() not in NOT_BY_COMPOSE
    }
    for service in ("api", "worker"):
        assert set(environment_of(service)) == decided


def test_desks_and_domains_and_switches_come_through_compose() -> None:
    assert settings_of("api").contact_desks == {}
    given = {
        "CONTACT_DESKS": '{"Purchaser": "orders@dealer.test"}',
        "PARTNER_EMAIL_DOMAINS": '["partner.test"]',
        "MFA_SUPPORT": "true",
        "WIKI_URL": "",
    }
    settings = settings_of("api", given)
    assert settings.contact_desks == {"Purchaser": "orders@dealer.test"}
    assert settings.partner_email_domains == ("partner.test",)
    assert settings.mfa_support
    assert settings.wiki_url == ""


def test_the_form_for_card_numbers_is_the_stand_ins_until_production() -> None:
    frame = "http://127.0.0.1:{}/cards/frame".format
    assert settings_of("api").card_frame_url == frame(SETTING["simulators"][1])
    assert settings_of("api", {"SIMULATORS_PORT": "9500"}).card_frame_url == frame(9500)
    for given in (PRODUCTION, {"CARD_URL": "https://cards.third.test"}):
        assert settings_of("api", given).card_frame_url == "", "the provider's own script"
    with pytest.raises(ValidationError, match="CARD_FRAME_URL"):
        settings_of("api", {**PRODUCTION, "CARD_FRAME_URL": "http://cards.third.test/frame"})


def test_temporals_page_is_where_operators_reach_it() -> None:
    page = "http://127.0.0.1:{}".format
    assert settings_of("api").temporal_ui_url == page(SETTING["temporal_ui"][1])
    assert settings_of("api", {"TEMPORAL_UI_PORT": "9233"}).temporal_ui_url == page(9233)
    given = {
        "TEMPORAL_UI_URL": "https://temporal.dealer.test",
        "CODEC_URL": "https://codec.dealer.test",
    }
    for service in ("api", "codec"):
        settings = settings_of(service, given)
        assert settings.temporal_ui_url == given["TEMPORAL_UI_URL"]
        assert settings.codec_url == given["CODEC_URL"]


def test_the_settings_accept_what_compose_gives_and_address_its_services() -> None:
    for service in PORTAL:
        settings = settings_of(service)
        for url in (settings.database_url, settings.migrations_database_url):
            assert make_url(url).host in SERVICES
        assert settings.temporal_address.split(":")[0] in SERVICES
        assert settings.device_cloud_url.startswith("http://simulators:9000/")


def test_compose_publishes_the_ports_of_make_dev_on_the_loopback_address_only() -> None:
    published = {
        filled(port, {}): name
        for name, service in SERVICES.items()
        for port in service.get("ports", [])
    }
    assert published == {
        f"127.0.0.1:{SETTING['portal'][1]}:8000": "proxy",
        f"127.0.0.1:{SETTING['temporal_ui'][1]}:8080": "temporal-ui",
        f"127.0.0.1:{SETTING['simulators'][1]}:9000": "simulators",
        f"127.0.0.1:{Settings.model_fields['codec_port'].default}:8234": "codec",
    }


def test_there_are_as_many_workers_and_apis_as_in_make_cluster_behind_the_same_proxy() -> None:
    assert SERVICES["worker"]["deploy"]["replicas"] == len(WORKERS)
    assert SERVICES["api"]["deploy"]["replicas"] == len(APIS)
    given = environment_of("proxy", {"COMPOSE_PROJECT_NAME": "harbour"})
    port = settings_of("api").api_port
    assert given["APIS"].split() == [f"harbour-{api}:{port}" for api in APIS]
    (mounted,) = SERVICES["proxy"]["volumes"]
    assert (ROOT / mounted.split(":")[0]).samefile(CONFIGURATION)
    read = set(re.findall(r"\{\$(\w+)", CONFIGURATION.read_text()))
    assert set(given) <= read
    for name in ("PORTAL_WEBHOOK_URL", "PORTAL_ERP_WEBHOOK_URL"):
        assert environment_of("simulators")[name].startswith("http://proxy:8000/")


def test_an_installation_keeps_the_project_and_the_volumes_that_its_folder_names() -> None:
    assert "name" not in COMPOSE
    assert COMPOSE["volumes"] == {"postgres": {}, "backups": {}, "simulators": {}}


def test_temporals_server_and_page_are_those_of_make_cluster() -> None:
    versions = [SERVICES[name]["image"].rpartition(":")[2] for name in ("temporal", "temporal-ui")]
    assert versions == [source.version for source in SOURCES]


def test_the_stores_take_as_many_connections_as_their_processes_open() -> None:
    serve = (ROOT / "dev" / "compose" / "stores.sh").read_text()
    (allowed,) = re.findall(r"max_connections=([0-9]+)", serve)
    assert allowed == SERVER_SETTINGS["max_connections"]
    temporal = SERVICES["temporal"]["environment"]
    for name in ("SQL_MAX_CONNS", "SQL_VIS_MAX_CONNS"):
        assert int(temporal[name]) == CONNECTIONS


def test_the_proxy_is_believed_wherever_docker_puts_it() -> None:
    networks = [ipaddress.ip_network(one) for one in settings_of("api").trusted_proxies]
    for address in ("172.18.0.7", "192.168.32.4", "10.1.0.3"):
        assert any(ipaddress.ip_address(address) in network for network in networks)


def test_the_default_secrets_of_compose_are_refused_in_production() -> None:
    with pytest.raises(ValidationError) as refused:
        settings_of("api", {"ENVIRONMENT": "production"})
    for name in PRODUCTION:
        if name.endswith(("_SECRET", "_KEY")):
            assert name in str(refused.value)


def test_no_secret_of_the_settings_is_left_out_of_compose() -> None:
    secret = {
        name.upper()
        for name, field in Settings.model_fields.items()
        if field.annotation is SecretStr
    }
    for service in PORTAL:
        assert secret <= set(environment_of(service))


@pytest.mark.parametrize("service", PORTAL)
def test_in_production_every_service_gets_what_it_asks_for(service: str) -> None:
    settings = settings_of(service, PRODUCTION)
    assert settings.is_production
    beside = settings.simulators_url
    assert not [url for url in settings.third_parties.values() if url.startswith(beside)]
    assert not settings.raw_cards


@pytest.mark.parametrize("name", sorted(PRODUCTION.keys() - {"ENVIRONMENT", "TRUSTED_PROXIES"}))
def test_production_misses_each_of_them_by_name(name: str) -> None:
    """Before anything of it is made: whoever makes a database waits for whoever looks."""
    with pytest.raises(ValidationError, match=name):
        settings_of("check", {key: value for key, value in PRODUCTION.items() if key != name})
    assert SERVICES["postgres"]["depends_on"]["check"] == {
        "condition": "service_completed_successfully"
    }


def test_every_password_that_compose_has_a_default_for_is_refused_in_production() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    defaults = dict(re.findall(r"\$\{(\w+_PASSWORD):-([^}]*)\}", text))
    assert set(DEVELOPMENT_DATABASE_PASSWORDS) < set(defaults)
    for name, default in defaults.items():
        assert DEVELOPMENT_DATABASE_PASSWORDS.get(name, default) == default
        for value in (default, ""):
            with pytest.raises(ValidationError, match=name) as refused:
                settings_of("check", {**PRODUCTION, name: value})
            assert default not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://turnkey_app:turnkey-app@db.dealer.test/turnkey",
        "postgresql://turnkey_app:turnkey%2Dapp@db.dealer.test/turnkey",
        "postgresql://turnkey_app@db.dealer.test/turnkey?password=turnkey-app",
    ],
)
def test_a_password_of_development_is_found_wherever_an_address_holds_it(url: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment_of("api", PRODUCTION).items():
            patch.setenv(name, value)
        with pytest.raises(ValidationError, match="APP_PASSWORD"):
            Settings(database_url=url)
        own = url.replace("turnkey-app", "own").replace("turnkey%2Dapp", "own")
        assert Settings(database_url=own).is_production


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MAIL_URL", "mail.third.test:587"),
        ("MAIL_URL", "https://mail.third.test"),
        ("MAIL_URL", "smtp://:587"),
        ("MAIL_URL", "smtp://mail.third.test:smtp"),
        ("MAIL_URL", "smtp://user:secret@mail.third.test"),
        ("MAIL_FROM", "Dealer"),
        ("MAIL_FROM", "Dealer <portal>"),
        ("INQUIRIES_TO", "Dealers <dealers@dealer.test>"),
        ("CONTACT_DESKS", '{"Purchaser": "orders"}'),
        ("SELLER", "Dealer Inc."),
        ("SELLER", '{"name": "Dealer Inc."}'),
        ("SITES", '{"ca": "portal.dealer.test"}'),
        ("SITES", '{"ca": "portal.dealer.test", "us": "portal.dealer.test"}'),
        ("SITES", '{"ca": "portal.dealer.test", "us": "https://us.dealer.test"}'),
        ("SITES", '{"ca": "localhost", "us": "us.localhost"}'),
    ],
)
def test_production_refuses_what_no_mail_no_paper_and_no_site_can_go_out_with(
    name: str, value: str
) -> None:
    with pytest.raises(ValidationError, match=name) as refusal:
        settings_of("api", {**PRODUCTION, name: value})
    assert value not in str(refusal.value)


@pytest.mark.parametrize(
    "name", sorted(name for name in PRODUCTION if name.endswith("_URL") and name not in OWN_URLS)
)
def test_production_asks_no_third_party_in_clear(name: str) -> None:
    given = {"MAIL_ENCRYPTION": "none"} if name == "MAIL_URL" else {name: "http://third.test"}
    with pytest.raises(ValidationError, match=name) as refused:
        settings_of("worker", {**PRODUCTION, **given})
    assert "third.test" not in str(refused.value)


def test_production_does_without_a_gateway_and_without_sources_of_wiring() -> None:
    unused = {"GATEWAY_URL": "none", "ADS_WIRING_URL": "none", "AUTOMOB_WIRING_URL": "none"}
    given = {name: value for name, value in PRODUCTION.items() if name != "GATEWAY_KEY"}
    settings = settings_of("worker", {**given, **unused, "BANK_ACCOUNTS_AT": "cards"})
    assert settings.third_parties.keys() == settings_of(
        "worker", PRODUCTION
    ).third_parties.keys() - {
        "ACH/COD gateway",
        "iDatawire",
        "3rd party wiring",
    }
    with pytest.raises(ValidationError, match="GATEWAY_URL can be none only with BANK_ACCOUNTS_AT"):
        settings_of("worker", {**PRODUCTION, **unused})


@pytest.mark.parametrize("name", ["CARD_URL", "ERP_URL", "DEVICE_CLOUD_URL", "VIN_URL"])
def test_who_is_always_needed_cannot_be_left_out(name: str) -> None:
    with pytest.raises(ValidationError, match=f"{name} cannot be none"):
        settings_of("api", {**PRODUCTION, name: "none"})


@pytest.mark.parametrize(
    "url", ["smtp://mail.third.test", "smtp://[::1]:25", "smtp://10.0.0.1:465"]
)
def test_a_mail_server_has_a_name_or_a_number(url: str) -> None:
    assert settings_of("api", {**PRODUCTION, "MAIL_URL": url}).mail_url == url


def test_production_is_reached_by_https() -> None:
    with pytest.raises(ValidationError, match="PORTAL_URL"):
        settings_of("api", {**PRODUCTION, "PORTAL_URL": "http://portal.dealer.test"})


def test_the_services_start_in_the_order_of_make_dev() -> None:
    assert set(SERVICES["prepare"]["depends_on"]) == {"postgres", "temporal"}
    for service in ("worker", "api"):
        assert (
            SERVICES[service]["depends_on"]["prepare"]["condition"]
            == "service_completed_successfully"
        )


def test_the_image_holds_every_package_that_a_process_imports() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    for package in (
        "domain",
        "db",
        "providers",
        "activities",
        "workflows",
        "workers",
        "api",
        "observing",
        "simulators",
    ):
        assert f"COPY {package}/ {package}/" in dockerfile
    for module in ROOT.glob("*.py"):
        assert module.name in dockerfile
