"""deploy/kubernetes says the same as docker-compose.yml and the settings, and is what Kubernetes takes; no cluster is needed
to know."""

import copy
import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import kubernetes_validate  # pyright: ignore[reportMissingTypeStubs] it ships none
import pytest
import yaml
from pydantic import SecretStr, ValidationError

from dev.places import ROOT
from dev.stack import procfile
from settings import Settings
from tests.dev.deploy.test_compose import PRODUCTION, SERVICES, environment_of

FOLDER = ROOT / "deploy" / "kubernetes"
VERSIONS = ("1.31", "1.37")
"""Of Kubernetes: the oldest that is meant, and the newest that is known here."""
MANIFESTS: list[dict[str, Any]] = [
    one for file in sorted(FOLDER.glob("*.yaml")) for one in yaml.safe_load_all(file.read_text())
]
STAND_INS = {"SIMULATORS_URL", "SIMULATORS_PUBLIC_URL"}
"""Compose may run without third parties; here nothing does."""


def named(kind: str, name: str) -> dict[str, Any]:
    (found,) = (one for one in MANIFESTS if (one["kind"], one["metadata"]["name"]) == (kind, name))
    return found


def pod_of(manifest: Mapping[str, Any]) -> dict[str, Any]:
    return manifest["spec"]["template"]


def container_of(manifest: Mapping[str, Any]) -> dict[str, Any]:
    (container,) = pod_of(manifest)["spec"]["containers"]
    return container


API = named("Deployment", "turnkey-api")
WORKER = named("Deployment", "turnkey-worker-release-name")
MIGRATIONS = named("Job", "turnkey-migrations-release-name")
CURRENT = named("Job", "turnkey-current-release-name")
CODEC = named("Deployment", "turnkey-codec")
PORTAL = (API, WORKER, MIGRATIONS, CURRENT, CODEC)
CONFIG: dict[str, str] = named("ConfigMap", "turnkey-config")["data"]
SECRETS = {
    "turnkey-secrets": (FOLDER / "secrets.env").read_text().split(),
    "turnkey-migrations": (FOLDER / "migrations.env").read_text().split(),
}
"""Name of a secret → the lines that it is made of."""


def names_of(manifest: Mapping[str, Any]) -> set[str]:
    """The variables that a container is given."""
    container = container_of(manifest)
    found = {one["name"] for one in container["env"]}
    for source in container["envFrom"]:
        if "configMapRef" in source:
            assert source["configMapRef"]["name"] == "turnkey-config"
            found |= set(CONFIG)
        else:
            lines = SECRETS[source["secretRef"]["name"]]
            found |= {line.removesuffix("=") for line in lines}
    return found


def settings_of(given: Mapping[str, str]) -> Settings:
    with pytest.MonkeyPatch.context() as patch:
        for name in Settings.model_fields:
            patch.delenv(name.upper(), raising=False)
        for name, value in given.items():
            patch.setenv(name, value)
        return Settings()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "manifest", MANIFESTS, ids=[f"{one['kind']} {one['metadata']['name']}" for one in MANIFESTS]
)
def test_kubernetes_takes_every_manifest(manifest: dict[str, Any], version: str) -> None:
    kubernetes_validate.validate(manifest, version, strict=True)


@pytest.mark.parametrize("release", ["1234567", "12e4567", "0123456", "abc123f"])
def test_a_release_is_a_text_whatever_signs_its_commit_has(release: str) -> None:
    for file in sorted(FOLDER.glob("*.yaml")):
        for one in yaml.safe_load_all(file.read_text().replace("release-name", release)):
            kubernetes_validate.validate(one, VERSIONS[0], strict=True)


def test_the_validator_refuses_a_probe_that_is_none() -> None:
    broken = copy.deepcopy(API)
    container_of(broken)["readinessProbe"]["httpGet"]["pfad"] = "/"
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(broken, VERSIONS[0], strict=True)


@pytest.mark.parametrize("service", ["api", "worker", "codec"])
def test_a_process_is_given_the_same_variables_as_by_compose(service: str) -> None:
    manifest = {"api": API, "worker": WORKER, "codec": CODEC}[service]
    assert names_of(manifest) == set(environment_of(service)) - STAND_INS


def test_the_migrations_alone_are_given_the_owner_of_the_tables() -> None:
    assert names_of(MIGRATIONS) == set(environment_of("prepare")) - STAND_INS
    for manifest in (API, WORKER, CURRENT, CODEC):
        assert "MIGRATIONS_DATABASE_URL" not in names_of(manifest)


def test_every_variable_is_one_of_the_settings() -> None:
    known = {name.upper() for name in Settings.model_fields}
    for manifest in PORTAL:
        assert names_of(manifest) <= known


def test_secrets_are_named_and_have_no_value() -> None:
    lines = [line for lines in SECRETS.values() for line in lines]
    assert all(line.endswith("=") for line in lines)
    secret = {
        name.upper()
        for name, field in Settings.model_fields.items()
        if field.annotation is SecretStr
    }
    kept = {line.removesuffix("=") for line in lines}
    assert kept == secret | {"DATABASE_URL", "MIGRATIONS_DATABASE_URL"}
    assert not kept & set(CONFIG)
    assert not [one for one in MANIFESTS if one["kind"] == "Secret"]


def test_production_starts_with_them_and_not_without_the_secrets() -> None:
    secrets = {
        name: value
        for name, value in PRODUCTION.items()
        if f"{name}=" in SECRETS["turnkey-secrets"]
    }
    settings = settings_of({**CONFIG, **secrets})
    assert settings.is_production
    with pytest.raises(ValidationError, match="TOKEN_SECRET"):
        settings_of(CONFIG)


def test_a_process_runs_the_same_command_as_in_the_procfile() -> None:
    lines = procfile()
    assert " ".join(container_of(API)["command"]) == lines["api"]
    assert " ".join(container_of(WORKER)["command"]) == lines["worker"]


def test_a_release_names_its_image_its_workers_and_itself() -> None:
    for manifest in PORTAL:
        container = container_of(manifest)
        assert container["image"].endswith(":release-name")
        assert {"name": "RELEASE", "value": "release-name"} in container["env"]
        assert pod_of(manifest)["metadata"]["labels"]["release"] == "release-name"
    # Those of the next release stand beside them, and an API takes the place of another.
    for manifest in (WORKER, MIGRATIONS, CURRENT):
        assert manifest["metadata"]["name"].endswith("release-name")
    assert WORKER["spec"]["selector"]["matchLabels"]["release"] == "release-name"
    assert "release" not in API["spec"]["selector"]["matchLabels"]
    assert API["spec"]["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}


def test_an_api_is_ready_once_and_from_then_on_alive() -> None:
    """Without Temporal reads go on, so no API leaves the service for it."""
    container = container_of(API)
    assert container["startupProbe"]["httpGet"]["path"] == "/readyz"
    for probe in ("readinessProbe", "livenessProbe"):
        assert container[probe]["httpGet"]["path"] == "/healthz"
    ports = {one["name"]: one["containerPort"] for one in container["ports"]}
    assert str(ports["http"]) == CONFIG["API_PORT"]
    assert str(ports["metrics"]) == CONFIG["METRICS_PORT"]


@pytest.mark.parametrize("manifest", [API, WORKER], ids=["api", "worker"])
def test_one_pod_stays_while_a_machine_is_emptied(manifest: dict[str, Any]) -> None:
    budget = named("PodDisruptionBudget", manifest["metadata"]["name"])
    assert budget["spec"]["selector"] == manifest["spec"]["selector"]
    assert manifest["spec"]["replicas"] > 1


@pytest.mark.parametrize("manifest", PORTAL, ids=[one["metadata"]["name"] for one in PORTAL])
def test_a_container_asks_for_what_it_needs_and_may_no_more_than_that(
    manifest: dict[str, Any],
) -> None:
    container = container_of(manifest)
    assert set(container["resources"]["requests"]) == {"cpu", "memory"}
    assert "memory" in container["resources"]["limits"]
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert pod_of(manifest)["spec"]["securityContext"]["runAsNonRoot"] is True
    assert pod_of(manifest)["spec"]["automountServiceAccountToken"] is False


def test_metrics_are_in_no_service_and_reached_by_the_operators_alone() -> None:
    services = {one["metadata"]["name"]: one for one in MANIFESTS if one["kind"] == "Service"}
    led_to = {
        name: [port["targetPort"] for port in one["spec"]["ports"]]
        for name, one in services.items()
    }
    assert led_to == {"turnkey-api": ["http"], "turnkey-codec": ["codec"]}
    calls, metrics = (
        named("NetworkPolicy", "turnkey-calls"),
        named("NetworkPolicy", "turnkey-metrics"),
    )
    assert [port["port"] for port in calls["spec"]["ingress"][0]["ports"]] == [8000]
    assert metrics["spec"]["podSelector"] == {}
    (source,) = metrics["spec"]["ingress"][0]["from"]
    assert source["namespaceSelector"]["matchLabels"] == {"metrics": "turnkey"}


def test_the_codec_server_is_reached_from_the_operators_network_alone() -> None:
    container = container_of(CODEC)
    assert container["command"] == SERVICES["codec"]["command"].split()
    (policy,) = (
        one["spec"]
        for one in MANIFESTS
        if one["kind"] == "NetworkPolicy"
        and one["spec"]["podSelector"] == {"matchLabels": {"app": "turnkey-codec"}}
    )
    (rule,) = policy["ingress"]
    (source,) = rule["from"]
    assert source["namespaceSelector"]["matchLabels"] == {"operators": "turnkey"}
    listens = {one["name"]: one["value"] for one in container["env"]}["CODEC_PORT"]
    assert [str(port["port"]) for port in rule["ports"]] == [listens]
    assert str(container["ports"][0]["containerPort"]) == listens


def test_the_ingress_leads_to_the_service_under_the_names_of_both_sites() -> None:
    ingress = named("Ingress", "turnkey")
    hosts = list(json.loads(CONFIG["SITES"]).values())
    assert CONFIG["PORTAL_URL"] in {f"https://{host}" for host in hosts}
    assert [rule["host"] for rule in ingress["spec"]["rules"]] == hosts
    assert ingress["spec"]["tls"][0]["hosts"] == hosts
    for rule in ingress["spec"]["rules"]:
        assert rule["http"]["paths"][0]["backend"]["service"]["name"] == "turnkey-api"


def test_no_proxy_of_ours_logs_what_stands_in_an_address() -> None:
    """The portal's own lines have the route alone (`tests/operations/requests/test_api.py`); Caddy logs no request unless its site
    says `log`."""
    annotations = named("Ingress", "turnkey")["metadata"]["annotations"]
    assert annotations["nginx.ingress.kubernetes.io/enable-access-log"] == "false"
    rules = (ROOT / "deploy/caddy/Caddyfile").read_text()
    (site,) = re.findall(r"(?ms)^\{\$PROXY_ADDRESS.*?^\}", rules)
    assert not re.search(r"(?m)^\s*log\b", site)


KUBECTL = """#!/bin/sh
echo "$*" >> "$ASKED"
[ "$2" != -f ] || [ "$3" != - ] || sed -n 's/^  name: /applied /p' | head -n 1 >> "$ASKED"
[ -z "$REFUSES" ] || case "$*" in *"$REFUSES"*) exit 1 ;; esac
"""


def released(folder: Path, refuses: str = "") -> tuple[int, list[str]]:
    """The script of README.md with a `kubectl` that notes what it is asked, and refuses what holds these words:
    exit code, notes."""
    (script,) = re.findall(r"(?m)^ {7}set -e\n(?:^ {7}.*\n)+", (FOLDER / "README.md").read_text())
    for name, text in (("kubectl", KUBECTL), ("git", "#!/bin/sh\necho abc123\n")):
        (folder / name).write_text(text)
        (folder / name).chmod(0o700)
    asked = folder / "asked"
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    given = {"PATH": path, "ASKED": str(asked), "REFUSES": refuses}
    done = subprocess.run(["sh", "-c", script], cwd=FOLDER, env=given, check=False)
    return done.returncode, asked.read_text().splitlines()


def test_a_release_is_waited_for_before_the_next_step_of_it(tmp_path: Path) -> None:
    code, asked = released(tmp_path)
    assert code == 0
    steps = [line for line in asked if not line.startswith("apply")]
    assert [re.sub(r"^-n turnkey | ?--\S+", "", step).lstrip() for step in steps] == [
        "delete job turnkey-migrations-abc123",
        "applied turnkey-migrations-abc123",
        "wait job/turnkey-migrations-abc123",
        "applied turnkey-worker-abc123",
        "rollout status deployment/turnkey-worker-abc123",
        "applied turnkey-api",
        "rollout status deployment/turnkey-api",
        "delete job turnkey-current-abc123",
        "applied turnkey-current-abc123",
        "wait job/turnkey-current-abc123",
        "logs job/turnkey-current-abc123",
    ]


@pytest.mark.parametrize("job", ["migrations", "current"])
def test_a_job_that_fails_says_why_and_is_made_anew_the_next_time(tmp_path: Path, job: str) -> None:
    """What is applied unchanged would stay the job that has failed."""
    code, asked = released(tmp_path, f"--timeout=10m job/turnkey-{job}")
    assert code != 0
    assert " logs " in asked[-1]
    assert asked[-1].endswith(f"job-name=turnkey-{job}-abc123")
    (made,) = (at for at, line in enumerate(asked) if line == f"applied turnkey-{job}-abc123")
    assert f"delete job turnkey-{job}-abc123" in asked[made - 2]


@pytest.mark.parametrize(
    "refused", ["delete", "apply", "deployment/turnkey-worker", "deployment/turnkey-api"]
)
def test_a_step_that_fails_ends_a_release(tmp_path: Path, refused: str) -> None:
    code, asked = released(tmp_path, refused)
    assert code != 0
    assert refused in asked[-1]
