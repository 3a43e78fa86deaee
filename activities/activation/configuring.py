"""The effects of an activation's configuring steps, one method each (`workflows/activation.py` says when)."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

from pydantic import SecretStr
from temporalio import activity

from activities.activation.activation import Described, DeviceInUse, asking_for_features
from activities.devices.ownership import DevicesOfRuns
from activities.runs.intents import Call, Intents
from db.base import Sessions, reading
from db.dealers.swaps import save_swap
from db.devices.option_writes import forget_option_writes, save_option_write
from db.platform.sealed_secrets import find_secret, forget_secret
from db.runs import device_reservations
from db.runs.intents import completed_at
from domain.activation.configuring import (
    DeletePin,
    LinkInstaller,
    PatchTables,
    ResetPairing,
    SetFeature,
    SetMode,
    SetPin,
    SetWires,
    SwapDevice,
)
from domain.devices.changes import has_taken_place
from domain.devices.devices import Device
from domain.devices.keylocker import PinSlot, purpose_of_pin
from domain.devices.option_tables import GOES_ALONG, OptionTables, check_changes
from domain.errors import Conflict, Invalid, PortalError
from providers.device_network.device_cloud import DeviceCloud
from providers.errors import Refused
from providers.security.vault import SealBroken, Vault


class OptionsInvalid(Invalid):
    """The schema does not take what was typed; the fields are row keys."""

    code = "option_invalid"
    detail = "Please check the marked options."


class OptionsChanged(Conflict):
    code = "options_changed"
    detail = "The options of this device were changed elsewhere. Please look again."


class PinGone(Conflict):
    """It was used already, or waited too long."""

    code = "pin_gone"
    detail = "Please enter the pin again."


class ConfiguringActivities:
    """Each is idempotent by the key that its docstring names; a retry that finds an outcome does not call again."""

    def __init__(self, device_cloud: DeviceCloud, vault: Vault, sessions: Sessions) -> None:
        self._device_cloud = device_cloud
        self._vault = vault
        self._sessions = sessions
        self._devices = DevicesOfRuns(device_cloud, sessions)
        self._intents = Intents(sessions)

    @activity.defn
    async def swap_device(self, call: Call, effect: SwapDevice) -> Described:
        """Takes the new device for the run, lets it take the old one's place, and gives the old one up; its plan goes along,
        what it earned lately is taken back, and what was written to it counts no more. One that was to take its place
        before, and has not, is given up first.

        Both devices are read before each try. Raises UnknownDevice for a foreign one too, NotInServiceMode,
        DeviceInUse, Refused. Idempotent by run and both devices.
        """
        old, new = effect.device_key, effect.new_device_key
        key = f"{call.flow_id}-swap-{old}-{new}"
        if not await self._intents.begin(key, "swap", call):
            replaced = await self._devices.authorized_answer(
                call, old, self._device_cloud.device(old)
            )
            asking = self._device_cloud.check(new, effect.iccid_last_digits, effect.canadian)
            await self._devices.authorized_answer(call, new, asking)
            await self._give_up_earlier(call, replaced, but=new)
            await self._take(call, new)
            try:
                await self._device_cloud.swap(old, new, key=key)
            except Refused:
                await self._give_up(call, new)
                raise
            await self._forget_writes(call)
            await self._intents.complete(key)
        await self._give_up(call, old)
        async with asking_for_features(self._device_cloud, new) as features:
            device = await self._device_cloud.device(new)
            async with self._sessions.begin() as session:
                swapped_at = await completed_at(session, key)
                await save_swap(session, old, new, device.product_name, swapped_at)
            return Described(**device.model_dump(), features=await features(device))

    @activity.defn
    async def reset_pairing(self, call: Call, effect: ResetPairing) -> None:
        """Idempotent by the intent."""
        key = effect.intent
        await self._intents.once(
            key,
            "reset-pairing",
            call,
            lambda: self._device_cloud.reset_keylocker_pairing(effect.device_key, key=key),
        )

    @activity.defn
    async def set_mode(self, call: Call, effect: SetMode) -> None:
        """Idempotent by the intent."""
        key = effect.intent
        await self._intents.once(
            key,
            "keylocker-mode",
            call,
            lambda: self._device_cloud.set_keylocker_mode(effect.device_key, effect.mode, key=key),
        )

    @activity.defn
    async def patch_tables(self, call: Call, effect: PatchTables) -> None:
        """Reads the table, judges the changes by its schema, writes them, and keeps what was written. Idempotent by the intent.

        Raises OptionsInvalid, OptionsChanged, SpecialRowNeedsQuery.
        """
        if await self._intents.begin(effect.intent, "option-tables", call):
            return
        tables = await self._device_cloud.option_tables(effect.device_key, effect.table)
        _judge(tables, effect)
        await self._device_cloud.patch_option_tables(
            effect.device_key,
            effect.table,
            effect.changes,
            skip_query=effect.skip_query,
            key=effect.intent,
        )
        async with self._sessions.begin() as session:
            await save_option_write(session, call.flow_id, effect.table, effect.changes)
        await self._intents.complete(effect.intent)

    @activity.defn
    async def set_pin(self, call: Call, effect: SetPin) -> None:
        """Opens the sealed pin, saves it in the KeyLocker and forgets it. Idempotent by the intent. Raises PinGone."""
        await self._with_pin(
            call,
            effect.intent,
            effect.secret,
            lambda pin: self._device_cloud.set_pin(
                effect.device_key,
                pin,
                is_secondary_pin=effect.slot is PinSlot.SECONDARY,
                duration=effect.duration,
                key=effect.intent,
            ),
        )

    @activity.defn
    async def delete_pin(self, call: Call, effect: DeletePin) -> None:
        """Removes the secondary pin by the sealed master pin, and forgets that. Idempotent by the intent. Raises PinGone."""
        await self._with_pin(
            call,
            effect.intent,
            effect.secret,
            lambda pin: self._device_cloud.delete_pin(effect.device_key, pin, key=effect.intent),
        )

    @activity.defn
    async def set_feature(self, call: Call, effect: SetFeature) -> None:
        """Idempotent by the intent."""
        key = effect.intent
        await self._intents.once(
            key,
            "feature",
            call,
            lambda: self._device_cloud.patch_features(
                effect.device_key,
                {effect.feature: effect.enabled},
                iccid_last_digits=effect.iccid_last_digits,
                key=key,
            ),
        )

    @activity.defn
    async def set_wires(self, call: Call, effect: SetWires) -> None:
        """Idempotent by the intent."""
        key = effect.intent
        await self._intents.once(
            key,
            "hardwired-mode",
            call,
            lambda: self._device_cloud.hardwired_mode(
                effect.device_key,
                effect.output,
                effect.input,
                iccid_last_digits=effect.iccid_last_digits,
                key=key,
            ),
        )

    @activity.defn
    async def link_installer(self, call: Call, effect: LinkInstaller) -> None:
        """Idempotent by the intent."""
        key = effect.intent
        await self._intents.once(
            key,
            "link-installer",
            call,
            lambda: self._device_cloud.link_installer(
                effect.device_key,
                effect.installer_id,
                effect.involved_installer_id,
                key=key,
            ),
        )

    async def _take(self, call: Call, device_key: str) -> None:
        """Raises DeviceInUse."""
        async with self._sessions.begin() as session:
            ours = await device_reservations.reserve(
                session,
                device_key=device_key,
                kind="activation",
                flow_id=call.flow_id,
                workflow_id=call.workflow_id,
            )
        if not ours:
            raise DeviceInUse

    async def _give_up_earlier(self, call: Call, old: Device, *, but: str) -> None:
        """What was named before and got no answer stays the run's while the network does not say that no swap came of it."""
        async with reading(self._sessions) as session:
            held = await device_reservations.devices_of(session, call.flow_id)
        for device_key in held:
            if device_key in (old.device_key, but):
                continue
            with suppress(PortalError):
                if not has_taken_place(old, await self._device_cloud.device(device_key)):
                    await self._give_up(call, device_key)

    async def _forget_writes(self, call: Call) -> None:
        """What was written to the device that is taken out; the KeyLocker's tables go along."""
        async with self._sessions.begin() as session:
            await forget_option_writes(session, call.flow_id, but=GOES_ALONG)

    async def _give_up(self, call: Call, device_key: str) -> None:
        async with self._sessions.begin() as session:
            await device_reservations.release(
                session, flow_id=call.flow_id, device_keys=[device_key]
            )

    async def _with_pin(
        self,
        call: Call,
        key: str,
        secret_id: str,
        effect: Callable[[SecretStr], Awaitable[None]],
    ) -> None:
        """The pin is gone once the network has answered, whatever it said. Raises PinGone."""
        if not await self._intents.begin(key, "pin", call):
            pin = await self._open(call, secret_id)
            try:
                await effect(pin)
            except Refused:
                await self._forget(secret_id)
                raise
            await self._intents.complete(key)
        await self._forget(secret_id)

    async def _open(self, call: Call, secret_id: str) -> SecretStr:
        async with reading(self._sessions) as session:
            sealed = await find_secret(session, secret_id=secret_id, flow_id=call.flow_id)
        if sealed is None:
            raise PinGone
        try:
            return SecretStr(self._vault.open(sealed, purpose=purpose_of_pin(call.flow_id)))
        except SealBroken:
            raise PinGone from None

    async def _forget(self, secret_id: str) -> None:
        async with self._sessions.begin() as session:
            await forget_secret(session, secret_id)


def _judge(tables: OptionTables, effect: PatchTables) -> None:
    """Raises OptionsInvalid and OptionsChanged. Values that are there already are a lost answer to an earlier try."""
    faults = check_changes(tables, effect.changes)
    rows = tables.rows
    faults += [
        (key, "This option needs the advanced flow.")
        for key in effect.changes
        if key in rows and rows[key].advanced and not effect.advanced
    ]
    if faults:
        raise OptionsInvalid(fields=faults)
    is_there = all(tables.values.get(key) == value for key, value in effect.changes.items())
    if tables.digest != effect.digest and not is_there:
        raise OptionsChanged
