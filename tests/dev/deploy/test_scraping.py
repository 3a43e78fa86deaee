"""What the documents tell Prometheus to read: each process as a target of its own, under the jobs that alerts ask for."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from dev.places import ROOT
from tests.dev.deploy.test_compose import SERVICES
from tests.dev.deploy.test_kubernetes import (
    API,
    CONFIG,
    FOLDER,
    PORTAL,
    WORKER,
    container_of,
    pod_of,
)

RULES = ROOT / "deploy" / "prometheus" / "alerts.yml"
JOBS = {"turnkey-api", "turnkey-worker"}
PORTS = {int(CONFIG["METRICS_PORT"]), int(CONFIG["METRICS_PORT"]) + 1}
"""Of a process, and of Temporal's SDK in it."""


def scraping(document: Path) -> list[dict[str, Any]]:
    """The jobs of the one configuration that it shows."""
    shown = re.findall(r"(?ms)^```yaml\n(rule_files:.*?)^```", document.read_text())
    (configuration,) = map(yaml.safe_load, shown)
    assert configuration["rule_files"] == [RULES.name]
    return configuration["scrape_configs"]


def test_alerts_ask_for_no_other_jobs() -> None:
    assert set(re.findall(r'job="([^"]*)"', RULES.read_text())) <= JOBS


def test_with_compose_each_container_is_found_by_its_address() -> None:
    """The name of a service with several is another one of them at each reading."""
    jobs = scraping(ROOT / "docs" / "observing.md")
    assert {job["job_name"] for job in jobs} == JOBS
    for job in jobs:
        fixed = [name for one in job.get("static_configs", []) for name in one["targets"]]
        assert not {name.partition(":")[0] for name in fixed} & set(SERVICES)
        found = job["dns_sd_configs"]
        assert all(one["type"] == "A" for one in found)
        assert {f"turnkey-{name}" for one in found for name in one["names"]} == {job["job_name"]}
        assert {one["port"] for one in found} == PORTS


def test_on_kubernetes_each_pod_is_found_under_the_job_of_its_label() -> None:
    (job,) = scraping(FOLDER / "README.md")
    (found,) = job["kubernetes_sd_configs"]
    assert found == {"role": "pod", "namespaces": {"names": [API["metadata"]["namespace"]]}}
    rules = {
        one["source_labels"][0].removeprefix("__meta_kubernetes_pod_"): one
        for one in job["relabel_configs"]
    }
    assert rules["label_app"]["target_label"] == "job"
    kept = rules["container_port_name"]
    assert kept["action"] == "keep"
    read = {
        (pod_of(one)["metadata"]["labels"]["app"], port["containerPort"])
        for one in PORTAL
        for port in container_of(one).get("ports", [])
        if re.fullmatch(kept["regex"], port["name"])
    }
    assert read == {(job, port) for job in JOBS for port in PORTS}


@pytest.mark.parametrize("manifest", PORTAL, ids=[one["metadata"]["name"] for one in PORTAL])
def test_no_pod_announces_a_part_of_its_metrics(manifest: dict[str, Any]) -> None:
    """By such an annotation one port is read, under a job that no alert asks for."""
    assert not [
        name
        for name in pod_of(manifest)["metadata"].get("annotations", {})
        if name.startswith("prometheus.io/")
    ]


def test_a_worker_is_alive_while_it_is_measured() -> None:
    container = container_of(WORKER)
    ports = {one["name"]: one["containerPort"] for one in container["ports"]}
    assert ports[container["livenessProbe"]["httpGet"]["port"]] == int(CONFIG["METRICS_PORT"])
    assert CONFIG["METRICS_PORT"] != "0"
