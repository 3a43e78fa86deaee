"""Recorded histories: where they are, what is taken out of them, and the commands that each holds.

Plain JSON, read without Temporal's library, so that a change of commands can be seen in a review.
"""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "histories"
FINGERPRINTS = HERE / "fingerprints.json"

Event = dict[str, Any]

_NAMED = {
    "activityTaskScheduledEventAttributes": ("activity", ("activityType", "name")),
    "startChildWorkflowExecutionInitiatedEventAttributes": ("child", ("workflowType", "name")),
    "signalExternalWorkflowExecutionInitiatedEventAttributes": ("signal", ("signalName",)),
}
_PLAIN = {
    "timerStartedEventAttributes": "timer",
    "timerCanceledEventAttributes": "no timer",
    "upsertWorkflowSearchAttributesEventAttributes": "search attributes",
    "workflowExecutionUpdateAcceptedEventAttributes": "accept",
    "workflowExecutionUpdateCompletedEventAttributes": "answer",
    "workflowExecutionCompletedEventAttributes": "complete",
    "workflowExecutionFailedEventAttributes": "fail",
}


def names() -> tuple[str, ...]:
    """`workflow/story` of every history that is kept."""
    return tuple(
        sorted(str(path.relative_to(FOLDER).with_suffix("")) for path in FOLDER.glob("*/*.json"))
    )


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.json"


def load(name: str) -> dict[str, list[Event]]:
    return json.loads(path_of(name).read_text())


def save(name: str, history: dict[str, list[Event]]) -> None:
    """One event a line."""
    path = path_of(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(cleaned(event)) for event in history["events"])
    path.write_text(f'{{"events": [\n{lines}\n]}}\n')


def cleaned(value: Any) -> Any:
    """Without what tells of the machine that recorded it: process names, stack traces, names of its queues."""
    if isinstance(value, list):
        return [cleaned(part) for part in value]
    if not isinstance(value, dict):
        return value
    kept = {
        key: cleaned(part) for key, part in value.items() if key not in ("identity", "stackTrace")
    }
    if kept.get("kind") == "TASK_QUEUE_KIND_STICKY":
        kept["name"] = "sticky"
    return kept


def commands(history: dict[str, list[Event]]) -> list[str]:
    """What the workflow asked for, in order."""
    return [found for event in history["events"] for found in _command(event)]


def _command(event: Event) -> Iterator[str]:
    for key, attributes in event.items():
        if key in _NAMED:
            kind, path = _NAMED[key]
            found: Any = attributes
            for part in path:
                found = found[part]
            yield f"{kind} {found}"
        elif key in _PLAIN:
            yield _PLAIN[key]
        elif key == "markerRecordedEventAttributes":
            is_patch = attributes["markerName"] == "core_patch"
            detail = attributes["details"]["patch-data" if is_patch else "data"]
            noted = json.loads(base64.b64decode(detail["payloads"][0]["data"]))
            yield f"patch {noted['id']}" if is_patch else f"local {noted['activity_type']}"


def fingerprints() -> dict[str, list[str]]:
    """Of every kept history: its commands, a run of equal ones written once with how many there were."""
    return {name: _folded(commands(load(name))) for name in names()}


def reviewed() -> dict[str, list[str]]:
    """The fingerprints as they were kept last."""
    return json.loads(FINGERPRINTS.read_text())


def _folded(found: list[str]) -> list[str]:
    folded: list[tuple[str, int]] = []
    for command in found:
        if folded and folded[-1][0] == command:
            folded[-1] = (command, folded[-1][1] + 1)
        else:
            folded.append((command, 1))
    return [command if times == 1 else f"{command} ×{times}" for command, times in folded]


def save_fingerprints() -> None:
    text = json.dumps(fingerprints(), indent=1, ensure_ascii=False)
    FINGERPRINTS.write_text(text + "\n")
