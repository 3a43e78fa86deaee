"""Views that were kept before one of their fields existed: a run that waits is not told of a deploy."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel

from domain.activation.activation import ActivationView, DeviceView, Facts
from domain.firmware.firmware import FirmwareView, TargetView
from domain.kinds import BY_NAME
from domain.runs.projection import FlowKind

View = Mapping[str, Any]


def up_to_date(kind: FlowKind, view: dict[str, Any]) -> dict[str, Any]:
    """The view with the defaults of what it lacks. One that is complete comes back unread, as nearly all are."""
    record = BY_NAME[kind]
    if record.snapshot or record.view is None:
        return view
    parts = _of_activation(view) if kind == "activation" else _of_firmware(view)
    if all(part.keys() >= model.model_fields.keys() for model, part in parts):
        return view
    return record.view.model_validate(view).model_dump(mode="json")


def _of_activation(view: View) -> Iterable[tuple[type[BaseModel], View]]:
    yield ActivationView, view
    yield DeviceView, view["device"]
    yield Facts, view["facts"]
    if (firmware := view["facts"]["firmware"]) is not None:
        yield from _of_firmware(firmware)


def _of_firmware(view: View) -> Iterable[tuple[type[BaseModel], View]]:
    yield FirmwareView, view
    for target in view["targets"]:
        yield TargetView, target
