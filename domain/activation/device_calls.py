"""Calls on a device beside its activation, and where an activation does the same (devices spec 4 and 7).

Under a run of one's own a call goes by the run's rules: not while an effect is under way, and a change only in the step
that makes it.
"""

from enum import StrEnum

from domain.activation.activation import ActivationView, StepName
from domain.devices.devices import (
    CONFIGURATION_COMMANDS,
    FAMILY,
    QUERY_COMMANDS,
    Family,
    Product,
    testing_commands,
)
from domain.errors import Invalid

COMMAND_IN_PROGRESS = "command_in_progress"
STEP_OUT_OF_ORDER = "step_out_of_order"

FLASHING = frozenset({"download_sent", "downloaded", "update_sent", "verifying"})
"""States of a firmware run in which the device is busy with it: nothing else is asked of it then."""


class DeviceCall(StrEnum):
    """What a call changes."""

    COMMAND = "command"
    SWAP = "swap"
    ACTIVATE = "activate"
    INSTALL = "install"
    WELCOME = "welcome"
    HARDWIRE = "hardwire"
    PIN = "pin"
    OPTION_TABLES = "option-tables"
    FEATURES = "features"
    LINK_INSTALLER = "link-installer"


STEPS: dict[DeviceCall, frozenset[StepName]] = {
    DeviceCall.SWAP: frozenset({"replace-device"}),
    DeviceCall.ACTIVATE: frozenset({"complete-activation"}),
    DeviceCall.INSTALL: frozenset({"complete-activation"}),
    DeviceCall.WELCOME: frozenset({"send-welcome"}),
    DeviceCall.HARDWIRE: frozenset({"hardwire-x1max"}),
    DeviceCall.PIN: frozenset({"keylocker-pin-codes"}),
    DeviceCall.OPTION_TABLES: frozenset(
        {"controller-option-tables", "keylocker-option-tables", "keylocker-poc-pic"}
    ),
    DeviceCall.FEATURES: frozenset({"system-settings"}),
    DeviceCall.LINK_INSTALLER: frozenset({"device-rewards"}),
}
"""The steps in which a run makes the same change; a command goes by what the step may send."""


class CommandNotSupported(Invalid):
    code = "command_not_supported"
    detail = "This device does not support that command."

    def __init__(self) -> None:
        super().__init__(fields=[("command", self.detail)])


def commands_of(product: Product) -> frozenset[str]:
    """Every command that a person may send to the product: queries, tests, configuration on the DR group and the XC."""
    tests = frozenset(testing_commands(product))
    configures = FAMILY[product] in (Family.DR, Family.XC)
    return QUERY_COMMANDS | tests | (frozenset(CONFIGURATION_COMMANDS) if configures else tests)


EVERY_COMMAND = frozenset[str]().union(*(commands_of(product) for product in Product))
COMMON_COMMANDS = EVERY_COMMAND.intersection(*(commands_of(product) for product in Product))
"""What every product can be asked for, so that nobody has to know which one it is."""


def check_command(product: Product, command: str) -> None:
    """Raises CommandNotSupported."""
    if command not in commands_of(product):
        raise CommandNotSupported


def refusal_within(
    view: ActivationView, call: DeviceCall, command: str | None = None
) -> str | None:
    """The code with which a run of one's own refuses the call at its present state; None when it may be made."""
    if view.phase != "ready":
        return COMMAND_IN_PROGRESS
    if call is DeviceCall.COMMAND:
        fits = command in QUERY_COMMANDS or command in view.commands
    else:
        fits = view.step in STEPS[call]
    return None if fits else STEP_OUT_OF_ORDER
