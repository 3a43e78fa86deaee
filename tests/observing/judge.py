"""What alerts make of a process' metrics: judged by Prometheus' own `promtool` where it is installed."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import orjson
import yaml
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "deploy" / "prometheus" / "alerts.yml"
MINUTES = 30
COUNTED = ("_count", "_bucket", "_total", "_execution_failed")
"""How what only grows is called; Temporal's SDK says no `_total`."""

_TEXT = re.compile(r'"[^"]*"')
_NAME = re.compile(r"[a-z_]+")
_BY = re.compile(r"\b(?:by|on)\s*\(([^)]*)\)")
_METRIC = re.compile(r"(?<![\w\[])([a-z_]{2,})\b(?!\s*\()(?:\{([^}]*)\})?")
_WORDS = {"and", "or", "unless"}

Samples = dict[str, float]
"""A series as Prometheus writes it → its value."""


def promtool() -> str | None:
    return os.environ.get("PROMTOOL") or shutil.which("promtool")


def scraped(registry: CollectorRegistry) -> Samples:
    return read(generate_latest(registry).decode(), "turnkey-api")


def read(told: str, job: str) -> Samples:
    """What Prometheus would make of the text of a process."""
    names = set(re.findall(r"^(\w+)", told, re.MULTILINE))
    return {
        _series(
            _as_exported(sample.name, names), {**sample.labels, "job": job, "instance": "one"}
        ): (sample.value)
        for family in text_string_to_metric_families(told)
        for sample in family.samples
        if sample.name.startswith(("turnkey_", "temporal_"))
    }


def _as_exported(name: str, names: set[str]) -> str:
    """The client calls every counter a `_total`; Prometheus calls it as the process does."""
    return name if name in names else name.removesuffix("_total")


def firing(
    folder: Path, before: Samples, after: Samples, *, up: int = 1, minutes: int = MINUTES
) -> set[str] | None:
    """The alerts after half an hour, or so many minutes, in which everything went on as between the two: what was
    counted in between is counted each minute. None without promtool."""
    tool = promtool()
    if tool is None:
        return None
    series = [{"series": _series("up", {"job": "turnkey-api"}), "values": f"{up}x{minutes}"}]
    for name, value in after.items():
        grew = value - before.get(name, 0.0)
        is_counted = name.partition("{")[0].endswith(COUNTED)
        values = f"0+{grew}x{minutes}" if is_counted else f"{value}x{minutes}"
        series.append({"series": name, "values": values})
    return {alert for alert in alerts() if not _is_silent(tool, folder, series, alert, minutes)}


def alerts() -> list[str]:
    """By name, as the file lists them."""
    return list(expressions())


def expressions() -> dict[str, str]:
    """Alert → what it asks."""
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    return {rule["alert"]: rule["expr"] for rule in group["rules"]}


def asked(expression: str) -> dict[str, set[str]]:
    """Metric → the labels that an expression wants of it: those in its braces, and those that it is summed up by."""
    said = _TEXT.sub('""', expression)
    by = {label for labels in _BY.findall(said) for label in _NAME.findall(labels)}
    found: dict[str, set[str]] = {}
    for name, labels in _METRIC.findall(_BY.sub(" ", said)):
        if name not in _WORDS:
            found.setdefault(name, set()).update(by, _NAME.findall(labels))
    return found


def _is_silent(
    tool: str, folder: Path, series: list[dict[str, Any]], alert: str, minutes: int
) -> bool:
    asked: dict[str, Any] = {
        "rule_files": [str(RULES)],
        "evaluation_interval": "1m",
        "tests": [
            {
                "interval": "1m",
                "input_series": series,
                "alert_rule_test": [
                    {"eval_time": f"{minutes}m", "alertname": alert, "exp_alerts": []}
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
