"""The device network's calls that configure a device (devices spec 4, 7 "Device").

Codes of Refused that callers know: `no_option_tables`, `option_invalid`, `special_row_needs_query`,
`feature_not_supported`, `feature_refused`, `no_keylocker`, `pin_refused`, `pin_in_use`, `no_such_pin`,
`wrong_master_pin`, `hardwire_not_supported`, `hardwire_refused`, `installer_not_linked`, `device_offline`,
`device_updating`.
A pin goes out in a request's body alone.
"""

from collections.abc import Mapping
from urllib.parse import quote

from pydantic import BaseModel, SecretStr

from domain.devices.hardwire import HardwiredInput, HardwiredOutput
from domain.devices.keylocker import KeylockerMode
from domain.devices.option_tables import (
    OptionChoice,
    OptionTable,
    OptionTables,
    Row,
    RowKind,
    Section,
    digest_of,
    within_spec,
)
from domain.devices.toggles import BIT, Features, Toggle
from providers.device_network.line import DeviceCloudBase

_MODE_COMMAND = {
    KeylockerMode.ADD_ON: "keylocker_mode_add_on",
    KeylockerMode.STANDALONE: "keylocker_mode_standalone",
}
_RESET_PAIRING = "reset_keylocker_pairing"


class _Option(BaseModel):
    key: str
    label: str
    type: RowKind
    choices: tuple[OptionChoice, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    default: int
    special: bool = False
    advanced: bool = False


class _Section(BaseModel):
    title: str
    options: tuple[_Option, ...]


class _Tables(BaseModel):
    controller: str | None = None
    sections: tuple[_Section, ...]
    values: dict[str, int]


class _Toggles(BaseModel):
    """Five toggles travel as bits: `supported` says which of them there are, `toggles` which are on."""

    supported: int
    toggles: int
    valet_mode_enabled: bool | None = None
    timer_start_enabled: bool | None = None
    auto_door_lock_enabled: bool | None = None


class DeviceSettings(DeviceCloudBase):
    """Reads are free of effects; changes are idempotent by `key`."""

    async def option_tables(
        self,
        device_key: str,
        table: OptionTable,
        *,
        show_1_2: bool = True,
        show_3_4: bool = True,
    ) -> OptionTables:
        """A table with its schema and present values; `show_…` narrows POC and PIC. The mode chooses the KeyLocker's."""
        params: dict[str, str | int] = {
            "schema": "true",
            **_which(table, show_1_2=show_1_2, show_3_4=show_3_4),
        }
        body = await self._get("option-tables", _path(device_key, "option-tables"), params)
        return _tables(table, self._read(_Tables, "option-tables", body))

    async def patch_option_tables(
        self,
        device_key: str,
        table: OptionTable,
        changes: Mapping[str, int],
        *,
        skip_query: bool,
        key: str,
    ) -> None:
        """Writes the changed rows alone; `skip_query=False` has the network ask the device first.

        Raises SpecialRowNeedsQuery.
        """
        which = _which(table, show_1_2=True, show_3_4=True)
        await self._change(
            "option-tables-update",
            "PATCH",
            _path(device_key, "option-tables"),
            {"changes": dict(changes)},
            key=key,
            params={**which, "skip_query": _flag(skip_query)},
        )

    async def special_option_tables(self, device_key: str) -> OptionTables:
        """The controller's special rows alone."""
        operation = "special-option-tables"
        body = await self._get(operation, _path(device_key, operation))
        return _tables(OptionTable.CONTROLLER, self._read(_Tables, operation, body))

    async def patch_special_option_tables(
        self, device_key: str, changes: Mapping[str, int], *, key: str
    ) -> None:
        """Writes special rows; the network asks the device each time. Raises SpecialRowNeedsQuery."""
        path = _path(device_key, "special-option-tables")
        body = {"changes": dict(changes)}
        await self._change("special-option-tables-update", "PATCH", path, body, key=key)

    async def features(
        self, device_key: str, *, query_device: bool = False, iccid_last_digits: str | None = None
    ) -> Features:
        """The toggles that the device has; `query_device` has the network ask the device itself."""
        params: dict[str, str | int] = {"query_device": _flag(query_device)}
        params |= _sim(iccid_last_digits)
        body = await self._get("features", _path(device_key, "features"), params)
        answer = self._read(_Toggles, "features", body)
        bits = {t: bool(answer.toggles & bit) for t, bit in BIT.items() if answer.supported & bit}
        named = {t: getattr(answer, t.value) for t in Toggle if t not in BIT}
        known = bits | {toggle: on for toggle, on in named.items() if on is not None}
        return {toggle: known[toggle] for toggle in Toggle if toggle in known}

    async def patch_features(
        self,
        device_key: str,
        changes: Mapping[Toggle, bool],
        *,
        iccid_last_digits: str | None = None,
        key: str,
    ) -> None:
        """Sets the given toggles and leaves the others."""
        bits = {BIT[toggle]: on for toggle, on in changes.items() if toggle in BIT}
        await self._change(
            "features-update",
            "PATCH",
            _path(device_key, "features"),
            {
                "mask": sum(bits),
                "toggles": sum(bit for bit, on in bits.items() if on),
                "named": {t.value: on for t, on in changes.items() if t not in BIT},
            },
            key=key,
            params=_sim(iccid_last_digits),
        )

    async def set_pin(
        self,
        device_key: str,
        pin: SecretStr,
        *,
        is_secondary_pin: bool,
        duration: int | None,
        key: str,
    ) -> None:
        """Saves a pin in the KeyLocker; `duration` as in PIN_DURATIONS."""
        body = {
            "pin": pin.get_secret_value(),
            "is_secondary_pin": is_secondary_pin,
            "duration": duration,
        }
        await self._change("pin", "PATCH", _path(device_key, "pin"), body, key=key)

    async def delete_pin(self, device_key: str, master_pin: SecretStr, *, key: str) -> None:
        """Removes the secondary pin; none there counts as done."""
        path = _path(device_key, "pin")
        body = {"master_pin": master_pin.get_secret_value()}
        await self._change("pin-delete", "DELETE", path, body, key=key, done="no_such_pin")

    async def hardwired_mode(
        self,
        device_key: str,
        output: HardwiredOutput,
        input: HardwiredInput,
        *,
        iccid_last_digits: str | None = None,
        key: str,
    ) -> None:
        """Sets the X1MAX's hardwired output and input."""
        body = {
            "device_key": device_key,
            "hardwired_output": output.value,
            "hardwired_input": input.value,
            "iccid_last_digits": iccid_last_digits,
        }
        await self._change("hardwired-mode", "PATCH", "/device/hardwired-mode", body, key=key)

    async def link_installer(
        self, device_key: str, installer_id: str, involved_installer_id: str | None, *, key: str
    ) -> None:
        """Notes who installed the device, and who took part in it."""
        body = {"installer_id": installer_id, "involved_installer_id": involved_installer_id}
        path = f"/device/link-installer/{quote(device_key)}"
        await self._change("link-installer", "POST", path, body, key=key)

    async def set_keylocker_mode(self, device_key: str, mode: KeylockerMode, *, key: str) -> None:
        """Takes effect at once."""
        await self._keylocker_command(device_key, _MODE_COMMAND[mode], key)

    async def reset_keylocker_pairing(self, device_key: str, *, key: str) -> None:
        """Has the KeyLocker forget what it was paired with. Takes effect at once."""
        await self._keylocker_command(device_key, _RESET_PAIRING, key)

    async def _keylocker_command(self, device_key: str, command: str, key: str) -> None:
        body = {"device_key": device_key, "command": command, "command_id": key}
        await self._change("send-command", "POST", "/send-command", body, key=key)


def _path(device_key: str, what: str) -> str:
    return f"/device/{quote(device_key)}/{what}"


def _which(table: OptionTable, *, show_1_2: bool, show_3_4: bool) -> dict[str, str | int]:
    """How the network tells its tables apart: POC and PIC are the KeyLocker's, shown by pairs."""
    if table is OptionTable.CONTROLLER:
        return {}
    if table is OptionTable.KEYLOCKER:
        return {"keylocker": "true"}
    return {"keylocker": "true", "show_1_2": _flag(show_1_2), "show_3_4": _flag(show_3_4)}


def _tables(table: OptionTable, answer: _Tables) -> OptionTables:
    sections = tuple(
        Section(title=section.title, rows=tuple(_row(option) for option in section.options))
        for section in answer.sections
    )
    return within_spec(
        OptionTables(
            table=table,
            controller=answer.controller,
            sections=sections,
            values=answer.values,
            digest=digest_of(answer.values),
        )
    )


def _row(option: _Option) -> Row:
    return Row(kind=option.type, **option.model_dump(exclude={"type"}))


def _sim(iccid_last_digits: str | None) -> dict[str, str | int]:
    return {} if iccid_last_digits is None else {"iccid_last_digits": iccid_last_digits}


def _flag(flag: bool) -> str:
    return "true" if flag else "false"
