"""The effects of an activation, one method each (workflows: `workflows/activation.py` says when)."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import structlog
from sqlalchemy.ext.asyncio import AsyncSession
from temporalio import activity

from activities.devices.ownership import DevicesOfRuns
from activities.runs.intents import Call, Intents, NotNoted
from db.base import Sessions, reading
from db.devices.option_writes import forget_option_writes
from db.identity.people import find_account, find_user
from db.runs import device_reservations
from domain.activation.activation import (
    INSTALL_REFUSED,
    CheckDevice,
    Finish,
    SendCommand,
    SendWelcome,
)
from domain.activation.reducer import types_for
from domain.activation.words import step_words
from domain.base import Frozen
from domain.devices.activation_type import ActivationType
from domain.devices.devices import (
    CommandKind,
    Device,
    Family,
    FirmwareCheck,
    intent_of,
    kind_of,
)
from domain.devices.toggles import Features
from domain.errors import Conflict, PortalError
from domain.letters.language import Reader, Reads, Spoken
from domain.letters.text import Text, written
from providers.device_network.device_cloud import DeviceCloud
from providers.errors import Refused, Unavailable
from providers.messenger import Messenger

log = structlog.stdlib.get_logger()


class Described(Device):
    """A device with its toggles, where they were asked for and it told them."""

    features: Features | None = None

    @property
    def device(self) -> Device:
        return Device.model_validate(self.model_dump(include=set(Device.model_fields)))


class Sent(Frozen):
    """What became of handing over a command."""

    unknown: bool = False


class Reminder(Frozen):
    """A mail about an activation that stands still. `language` is that of where it was begun."""

    flow_id: str
    number: int
    owner_id: str | None
    email: str | None
    device_key: str
    step: str
    portal_url: str
    language: Spoken = None


_UNFINISHED = (
    Text(
        "Your activation of {device_key} is not finished",
        "Votre activation de {device_key} n’est pas terminée",
    ),
    Text(
        "The activation of {device_key} stands at the step “{step}”. "
        "Go on here: {portal_url}/activation/device?id={flow_id}",
        "L’activation de {device_key} en est à l’étape « {step} ». "
        "Continuez ici : {portal_url}/activation/device?id={flow_id}",
    ),
)


class TypeNotApplicable(Conflict):
    code = "type_not_applicable"
    detail = "This device cannot be activated that way. Please choose another activation type."


class InstallRefused(Conflict):
    """The device is activated, and not installed: somebody has to look at it."""

    code = INSTALL_REFUSED


class DeviceInUse(Conflict):
    code = "device_in_use"
    detail = "This device is being activated already."


class ActivationActivities:
    """Each is idempotent by the key that its docstring names; a retry that finds an outcome does not call again."""

    def __init__(self, device_cloud: DeviceCloud, messenger: Messenger, sessions: Sessions) -> None:
        self._device_cloud = device_cloud
        self._messenger = messenger
        self._sessions = sessions
        self._devices = DevicesOfRuns(device_cloud, sessions)
        self._intents = Intents(sessions)

    @activity.defn
    async def check_device(self, call: Call, effect: CheckDevice) -> Described:
        """Asks the device network, judges the type, and takes the device for the run.

        Raises UnknownDevice for a foreign one too, NotInServiceMode, TypeNotApplicable, DeviceInUse. Idempotent:
        read, then a reservation.
        """
        buys = effect.activation_type is ActivationType.PURCHASE_SUBSCRIPTION
        ask = self._device_cloud.purchasing_check if buys else self._device_cloud.check
        async with asking_for_features(
            self._device_cloud, effect.device_key, asks=effect.with_features
        ) as features:
            asking = ask(effect.device_key, effect.iccid_last_digits, effect.canadian)
            visiting = effect.activation_type is ActivationType.SERVICE_DEVICE
            device = await self._devices.authorized_answer(
                call, effect.device_key, asking, visiting=visiting
            )
        if effect.activation_type not in types_for(device):
            raise TypeNotApplicable
        async with self._sessions.begin() as session:
            ours = await device_reservations.reserve(
                session,
                device_key=device.device_key,
                kind="activation",
                flow_id=call.flow_id,
                workflow_id=call.workflow_id,
            )
            if not ours:
                raise DeviceInUse
            if effect.replaces is not None:
                await device_reservations.release(
                    session, flow_id=call.flow_id, device_keys=[effect.replaces]
                )
                await forget_option_writes(session, call.flow_id)
        return Described(**device.model_dump(), features=await features(device))

    @activity.defn
    async def send_command(self, call: Call, effect: SendCommand) -> Sent:
        """Hands one command to the device. Idempotent by `command_id`.

        A query that gets no answer is tried again. A command that moves or wakes a car never is: it answers `unknown`
        and only the device's log settles it. So does one that its worker cancels because it stops.
        """
        try:
            await self._intents.once(
                effect.command_id,
                intent_of(effect.command),
                call,
                lambda: self._device_cloud.send_command(
                    effect.device_key, effect.command, command_id=effect.command_id, bit=effect.bit
                ),
            )
        except Unavailable as error:
            if kind_of(effect.command) is CommandKind.ACTING and error.may_have_worked:
                return Sent(unknown=True)
            raise
        except NotNoted:
            # It was handed over all the same, and a repeat by a machine is out of the question.
            if kind_of(effect.command) is not CommandKind.ACTING:
                raise
        except asyncio.CancelledError:
            if kind_of(effect.command) is not CommandKind.ACTING:
                raise
            return Sent(unknown=True)
        return Sent()

    @activity.defn
    async def check_firmware(self, call: Call, device_key: str) -> FirmwareCheck:
        """What waits for the device. Read only."""
        return await self._device_cloud.check_firmware(device_key)

    @activity.defn
    async def send_welcome(self, call: Call, effect: SendWelcome) -> None:
        """Welcomes the device's owner. Idempotent by the intent."""
        await self._intents.once(
            effect.intent,
            "welcome",
            call,
            lambda: self._device_cloud.welcome(effect.device_key, effect.email, key=effect.intent),
        )

    @activity.defn
    async def finish(self, call: Call, effect: Finish) -> None:
        """Activates, then installs and leaves service mode. Idempotent by device and run.

        Raises InstallRefused when the network activates the device and then refuses to install it.
        """
        if not effect.installs:
            return
        key = f"{call.flow_id}-{effect.device_key}"
        await self._intents.once(
            f"{key}-activate",
            "activate",
            call,
            lambda: self._device_cloud.activate(effect.device_key, key=f"{key}-activate"),
        )
        try:
            await self._intents.once(
                f"{key}-install",
                "install",
                call,
                lambda: self._device_cloud.install(
                    effect.device_key,
                    exit_service_mode=True,
                    involved_installers=effect.involved_installers,
                    key=f"{key}-install",
                ),
            )
        except Refused as refused:
            raise InstallRefused(refused.detail) from None

    @activity.defn
    async def remind(self, reminder: Reminder) -> None:
        """Mails whoever left the activation unfinished, unless they have retired since. Idempotent by run and number."""
        async with reading(self._sessions) as session:
            to = await _whom(session, reminder)
        if to is None:
            return
        said = reminder.model_dump(include={"device_key", "portal_url", "flow_id"})
        step = Text(reminder.step, step_words(reminder.step).fr)
        await self._messenger.write(
            to,
            written(*_UNFINISHED, step=step, **said),
            key=f"{reminder.flow_id}-reminder-{reminder.number}",
        )


async def _whom(session: AsyncSession, reminder: Reminder) -> Reads | None:
    """Its owner, unless they have retired; else the address that a guest has named, in the language of its account, or of where
    the guest began."""
    owner = await find_user(session, reminder.owner_id) if reminder.owner_id else None
    if owner is not None:
        return None if owner.is_retired else owner
    if reminder.email is None:
        return None
    account = await find_account(session, reminder.email)
    known = account.user.language if account else None
    return Reader(email=reminder.email, language=known or reminder.language)


@asynccontextmanager
async def asking_for_features(
    device_cloud: DeviceCloud, device_key: str, *, asks: bool = True
) -> AsyncGenerator[Callable[[Device], Awaitable[Features | None]]]:
    """Asks for the toggles while the device itself is asked for, so that a slow device is waited for once.

    What it yields answers None for a product without any, and for a network that does not tell them now: that holds up
    no activation. Read only.
    """
    asked = asyncio.create_task(_features(device_cloud, device_key) if asks else _none())

    async def features_of(device: Device) -> Features | None:
        features = await asked
        return features if device.family in (Family.X1, Family.X2) else None

    try:
        yield features_of
    except BaseException:
        asked.cancel()
        raise


async def _features(device_cloud: DeviceCloud, device_key: str) -> Features | None:
    try:
        return await device_cloud.features(device_key)
    except PortalError as error:
        log.info("toggles were not told", device_key=device_key, code=error.code)
        return None


async def _none() -> None:
    return None
