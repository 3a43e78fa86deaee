"""What the configuring steps of an activation send, set going and learn (devices spec 3, 4, 7 and 9).

The steps from the replacement of a device to its rewards. A pin is named by the id of its sealed row and is nowhere
here; `intent` is the key under which an effect happens once.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from domain.base import Frozen, Utc
from domain.card_numbers import masked
from domain.devices.devices import DeviceKey, IccidDigits
from domain.devices.hardwire import HardwiredInput, HardwiredOutput
from domain.devices.keylocker import KeylockerMode, PinSlot, SecretId
from domain.devices.option_tables import Changes, OptionTable
from domain.devices.toggles import Toggle

PersonId = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Digest = Annotated[str, StringConstraints(max_length=128), AfterValidator(masked)]
"""What somebody sends for one (`digest_of`) is any text: the run learns no card number from it."""

SPECIAL_ROW_NEEDS_QUERY = "special_row_needs_query"
"""Code of the refusal that is answered by asking the device first."""


class ReplaceForm(Frozen):
    """The device that takes the place of the activation's own."""

    step: Literal["replace-device"]
    new_device_key: DeviceKey
    iccid_last_digits: IccidDigits | None = None


class TablesForm(Frozen):
    """The changed rows alone; none goes on without writing. `digest` names the values that were on the screen."""

    step: Literal["controller-option-tables", "keylocker-option-tables", "keylocker-poc-pic"]
    changes: Changes = {}
    digest: Digest = ""


class ModeForm(Frozen):
    step: Literal["keylocker-mode"]
    mode: KeylockerMode


class WiresForm(Frozen):
    step: Literal["hardwire-x1max"]
    output: HardwiredOutput
    input: HardwiredInput


class RewardsForm(Frozen):
    """A colleague who helped, if there was one."""

    step: Literal["device-rewards"]
    involved_installer_id: PersonId | None = None


ConfiguringForm = ReplaceForm | TablesForm | ModeForm | WiresForm | RewardsForm

KeptForm = Annotated[TablesForm | ModeForm | WiresForm, Field(discriminator="step")]
"""What was typed into a form that waited for its device."""

TABLE_OF: dict[str, OptionTable] = {
    "controller-option-tables": OptionTable.CONTROLLER,
    "keylocker-option-tables": OptionTable.KEYLOCKER,
    "keylocker-poc-pic": OptionTable.POC_PIC,
}
"""Step → the table it writes."""


class SwapDevice(Frozen):
    """Let `new_device_key` take the place of `device_key`, and describe the new one; neither may be foreign."""

    kind: Literal["swap-device"] = "swap-device"
    device_key: str
    new_device_key: str
    iccid_last_digits: str | None
    canadian: bool
    dealer_id: str | None


class ResetPairing(Frozen):
    kind: Literal["reset-pairing"] = "reset-pairing"
    device_key: str
    intent: str


class SetMode(Frozen):
    kind: Literal["set-mode"] = "set-mode"
    device_key: str
    mode: KeylockerMode
    intent: str


class PatchTables(Frozen):
    """Write rows of one table. `advanced` rows may be written in the advanced flow only."""

    kind: Literal["patch-tables"] = "patch-tables"
    device_key: str
    table: OptionTable
    changes: Changes
    digest: str
    advanced: bool
    skip_query: bool = True
    intent: str


class SetPin(Frozen):
    """`was_enabled` is what the flag flips back to when the pin is refused."""

    kind: Literal["set-pin"] = "set-pin"
    device_key: str
    slot: PinSlot
    secret: SecretId
    duration: int
    was_enabled: bool
    intent: str


class DeletePin(Frozen):
    """Remove the secondary pin; `secret` names the master pin that authorises it."""

    kind: Literal["delete-pin"] = "delete-pin"
    device_key: str
    secret: SecretId
    was_enabled: bool
    intent: str


class SetFeature(Frozen):
    kind: Literal["set-feature"] = "set-feature"
    device_key: str
    iccid_last_digits: str | None
    feature: Toggle
    enabled: bool
    intent: str


class SetWires(Frozen):
    kind: Literal["set-wires"] = "set-wires"
    device_key: str
    iccid_last_digits: str | None
    output: HardwiredOutput
    input: HardwiredInput
    intent: str


class LinkInstaller(Frozen):
    kind: Literal["link-installer"] = "link-installer"
    device_key: str
    installer_id: str
    involved_installer_id: str | None
    intent: str


ConfiguringEffect = (
    SwapDevice
    | ResetPairing
    | SetMode
    | PatchTables
    | SetPin
    | DeletePin
    | SetFeature
    | SetWires
    | LinkInstaller
)


class Replaced(Frozen):
    """`verified` once the new device has reported by itself."""

    old_device_key: str
    new_device_key: str
    verified: bool = False


class SavedTable(Frozen):
    """`changed` counts the rows of the latest save."""

    saved_at: Utc
    changed: Annotated[int, Field(ge=0)]


class Hardwired(Frozen):
    output: HardwiredOutput
    input: HardwiredInput


class Rewards(Frozen):
    installer_id: str
    involved_installer_id: str | None = None
