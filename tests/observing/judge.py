"""What alerts make of a process' metrics: judged by Prometheus' own `promtool` where it is installed."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import orjson
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "deploy" / "prometheus" / "alerts.yml"
MINUTES = 30

Samples = dict[str, float]
"""A series as Prometheus writes it → its value."""


def promtool() -> str | None:
    return os.environ.get("PROMTOOL") or shutil.which("promtool")


def scraped(registry: CollectorRegistry) -> Samples:
    text = generate_latest(registry).decode()
    return {
        _series(sample.name, {**sample.labels, "job": "turnkey-api", "instance": "one"}): (
            sample.value
        )
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name.startswith("turnkey_")
    }


def firing(folder: Path, before: Samples, after: Samples, *, up: int = 1) -> set[str] | None:
    """The alerts after half an hour in which everything went on as between the two: what was counted in between is counted
    each minute. None without promtool."""
    tool = promtool()
    if tool is None:
        return None
    series = [{"series": _series("up", {"job": "turnkey-api"}), "values": f"{up}x{MINUTES}"}]
    for name, value in after.items():
        grew = value - before.get(name, 0.0)
        is_counted = "_count{" in name or "_bucket{" in name or "_total{" in name
        values = f"0+{grew}x{MINUTES}" if is_counted else f"{value}x{MINUTES}"
        series.append({"series": name, "values": values})
    return {alert for alert in alerts() if not _is_silent(tool, folder, series, alert)}


def alerts() -> list[str]:
    """By name, as the file lists them."""
    lines = RULES.read_text().splitlines()
    return [line.split("alert:")[1].strip() for line in lines if "- alert:" in line]


def _is_silent(tool: str, folder: Path, series: list[dict[str, Any]], alert: str) -> bool:
    asked: dict[str, Any] = {
        "rule_files": [str(RULES)],
        "evaluation_interval": "1m",
        "tests": [
            {
                "interval": "1m",
                "input_series": series,
                "alert_rule_test": [
                    {"eval_time": f"{MINUTES}m", "alertname": alert, "exp_alerts": []}
                ],
            }
        ],
    }
    file = folder / f"{alert}.json"
    file.write_bytes(orjson.dumps(asked))  # JSON is YAML
    done = subprocess.run(
        [tool, "test", "rules", str(file)], capture_output=True, text=True, check=False
    )
    assert "FAILED" in done.stdout + done.stderr or done.returncode == 0, done.stderr
    return done.returncode == 0


def _series(name: str, labels: dict[str, str]) -> str:
    said = ",".join(f'{key}="{value}"' for key, value in sorted(labels.items()))
    return f"{name}{{{said}}}"
