"""Views that an older deploy wrote, read by this one."""

from datetime import UTC, datetime
from typing import Any

from domain.activation.activation import ActivationView, DeviceView, Facts
from domain.devices.activation_type import ActivationType
from domain.firmware.firmware import FirmwareView, TargetView
from domain.views import up_to_date

NOW = datetime(2026, 11, 21, 10, tzinfo=UTC)
TARGET = TargetView.model_validate(
    {"target": "main", "label": "Main device", "from_version": "1", "to_version": "2"}
)
FIRMWARE = FirmwareView(run_id="fw1", state="downloading", since=NOW, targets=(TARGET,))
VIEW = ActivationView(
    id="a1",
    flow_version=1,
    type=ActivationType.NEW_DEVICE,
    is_advanced_flow=False,
    device=DeviceView(device_key="FT-X1-00000042"),
    plan=("power-on-device",),
    state="power-on-device",
    step="power-on-device",
    phase="ready",
    position=1,
    total=1,
    error=None,
    facts=Facts(firmware=FIRMWARE),
    commands=(),
    skipped={},
    deadline=None,
    idle_at=NOW,
    owner="Ann Lee",
    owner_id="u1",
    guest=False,
    consumer_email=None,
    outcome=None,
    reason="",
    created_at=NOW,
    updated_at=NOW,
    updated_by="Ann Lee",
)


def kept() -> dict[str, Any]:
    return VIEW.model_dump(mode="json")


def test_a_complete_view_comes_back_unread() -> None:
    view, firmware = kept(), FIRMWARE.model_dump(mode="json")
    assert up_to_date("activation", view) is view
    assert up_to_date("firmware", firmware) is firmware


def test_what_an_activation_lacks_has_its_default() -> None:
    old = kept()
    del old["facts"]["activated"]
    del old["device"]["plan"]
    assert up_to_date("activation", old) == kept()


def test_what_a_firmware_run_allowed_is_read_from_what_it_told_one_by_one() -> None:
    waiting = FIRMWARE.model_copy(
        update={"allowed": ("RETRY_NOW", "CANCEL"), "can_retry": True, "can_cancel": True}
    )
    old = waiting.model_dump(mode="json")
    del old["allowed"]
    assert FirmwareView.model_validate(old) == waiting
    assert up_to_date("firmware", old) == waiting.model_dump(mode="json")
    inside = kept() | {"facts": kept()["facts"] | {"firmware": old}}
    assert up_to_date("activation", inside)["facts"]["firmware"]["allowed"] == [
        "RETRY_NOW",
        "CANCEL",
    ]


def test_what_a_firmware_run_lacks_has_its_default() -> None:
    old = FIRMWARE.model_dump(mode="json")
    del old["targets"][0]["started"]
    assert up_to_date("firmware", old) == FIRMWARE.model_dump(mode="json")
    inside = kept() | {"facts": kept()["facts"] | {"firmware": old}}
    assert up_to_date("activation", inside) == kept()
