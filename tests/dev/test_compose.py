"""docker-compose.yml says the same as the Procfile, the settings and the Makefile; no Docker is needed to know."""

import re
from typing import Any

import pytest
import yaml
from pydantic import ValidationError
from sqlalchemy.engine import make_url

from dev.places import ROOT
from dev.ports import SETTING
from dev.stack import procfile
from settings import Settings

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
    "SIMULATORS_PUBLIC_URL",
}
"""Read by the stand-ins themselves."""


def defaults_filled(value: str) -> str:
    """What Docker Compose makes of `${NAME:-default}` when the environment is empty."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)


def environment_of(service: str) -> dict[str, str]:
    return {
        name: defaults_filled(str(value))
        for name, value in SERVICES[service]["environment"].items()
    }


def test_every_process_of_the_procfile_is_a_service_with_the_same_command() -> None:
    expected = procfile()
    assert {name: SERVICES[name]["command"] for name in expected} == expected


def test_every_variable_given_to_the_portal_is_one_of_its_settings() -> None:
    known = {name.upper() for name in Settings.model_fields}
    for service in ("prepare", "worker", "api"):
        assert set(environment_of(service)) <= known
    assert set(environment_of("simulators")) <= known | OUTSIDE_SETTINGS


def test_the_settings_accept_what_compose_gives_and_address_its_services() -> None:
    for service in ("prepare", "worker", "api"):
        given = {name.lower(): value for name, value in environment_of(service).items()}
        settings = Settings.model_validate(given)
        for url in (settings.database_url, settings.migrations_database_url):
            assert make_url(url).host in SERVICES
        assert settings.temporal_address.split(":")[0] in SERVICES
        assert settings.device_cloud_url.startswith("http://simulators:9000/")


def test_compose_publishes_the_ports_of_make_dev_on_the_loopback_address_only() -> None:
    published = {
        defaults_filled(port): name
        for name, service in SERVICES.items()
        for port in service.get("ports", [])
    }
    assert published == {
        f"127.0.0.1:{SETTING['portal'][1]}:8000": "api",
        f"127.0.0.1:{SETTING['temporal_ui'][1]}:8080": "temporal-ui",
        f"127.0.0.1:{SETTING['simulators'][1]}:9000": "simulators",
    }


def test_the_default_secrets_of_compose_are_refused_in_production() -> None:
    given = {name.lower(): value for name, value in environment_of("api").items()}
    with pytest.raises(
        ValidationError, match="TOKEN_SECRET, VAULT_KEY, DEVICE_CLOUD_KEY, DEVICE_WEBHOOK_SECRET"
    ):
        Settings.model_validate({**given, "environment": "production"})


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
        "simulators",
    ):
        assert f"COPY {package}/ {package}/" in dockerfile
    for module in ROOT.glob("*.py"):
        assert module.name in dockerfile
