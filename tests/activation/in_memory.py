"""An activation in memory: the reducer alone, without a server, a database or a clock of its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import count, product
from typing import Any

from domain.activation import reducer as flow
from domain.activation.activation import (
    Abandon,
    Act,
    Back,
    ChangeDevice,
    Checked,
    Fail,
    Fault,
    Form,
    LogArrived,
    Ok,
    Person,
    Policy,
    Rejection,
    Reset,
    SendCommand,
    Situation,
    Skip,
    Start,
    State,
    Submit,
    Wait,
)
from domain.activation.reducer import AnyEvent
from domain.devices.activation_type import ActivationType
from domain.devices.devices import Device, DeviceLog, DeviceState, Product, VehicleDetails
from tests.drivers.stage import form_for, step_of
from tests.drivers.times import NOON

OWNER = Person(user_id="person-1", name="Ina Installer", dealer_id="dealer-1", installer=True)
COLLEAGUE = Person(user_id="person-2", name="Cole Colleague", dealer_id="dealer-1", installer=True)
FOREIGNER = Person(user_id="person-9", name="Fae Foreign", dealer_id="dealer-9", installer=True)
ADMINISTRATOR = Person(user_id="person-0", name="Ada Admin", everywhere=True)

CAMRY = VehicleDetails(year=2022, make_id=448, make="Toyota", model_id=2469, model="Camry")
FAULT = Fault(code="device_offline", detail="The device is offline.")

_log_ids = count(1)


def a_device(device_key: str = "FT-X1-00000042", **traits: Any) -> Device:
    values: dict[str, Any] = {
        "product_name": Product(device_key.rpartition("-")[0].lower()),
        "device_state": DeviceState.NEW,
        "firmware_version": "1.5.0",
    }
    return Device(device_key=device_key, **(values | traits))


def a_start(device: Device, **more: Any) -> Start:
    values: dict[str, Any] = {
        "id": "run-1",
        "flow_version": 1,
        "kind": ActivationType.NEW_DEVICE,
        "device_key": device.device_key,
        "site": "ca",
        "canadian": True,
        "actor": OWNER,
    }
    return Start(**(values | more))


@dataclass
class Walk:
    """One activation and the time it is; every method applies one event that must not be refused."""

    state: State
    now: datetime = NOON
    actor: Person = OWNER

    def apply(self, event: AnyEvent) -> State:
        after = flow.reduce(self.state, event, self.now)
        assert not isinstance(after, Rejection), after
        self.state = after
        return after

    def refusal(self, event: AnyEvent) -> str:
        """The code with which the event is refused; a refusal leaves the state alone."""
        refused = flow.reduce(self.state, event, self.now)
        assert isinstance(refused, Rejection), refused.state
        return refused.code

    def submission(self, form: Form | None = None) -> Submit:
        return Submit(actor=self.actor, seq=self.state.seq, form=form or form_for(self.state.state))

    def submit(self, form: Form | None = None) -> State:
        return self.apply(self.submission(form))

    def act(self, command: str = "arm") -> State:
        return self.apply(Act(actor=self.actor, seq=self.state.seq, command=command))

    def skip(self, reason: str = "no time") -> State:
        return self.apply(self.skipping(reason))

    def skipping(self, reason: str = "no time") -> Skip:
        step = step_of(self.state.state)
        return Skip(actor=self.actor, seq=self.state.seq, step=step, reason=reason)

    def back(self) -> State:
        step = step_of(self.state.state)
        return self.apply(Back(actor=self.actor, seq=self.state.seq, step=step))

    def reset(self) -> State:
        return self.apply(Reset(actor=self.actor, seq=self.state.seq))

    def change_device(self, device_key: str) -> State:
        return self.apply(ChangeDevice(actor=self.actor, seq=self.state.seq, device_key=device_key))

    def abandon(self, reason: str = "") -> State:
        return self.apply(Abandon(actor=self.actor, seq=self.state.seq, reason=reason))

    def succeed(self) -> State:
        return self.apply(Ok())

    def fail(self) -> State:
        return self.apply(Fail(fault=FAULT))

    def log(self, command_id: str | None = None, *, ok: bool = True, **more: Any) -> State:
        """A log that confirms a command: by default the one that is awaited."""
        return self.apply(LogArrived(log=self.a_log(command_id, ok=ok, **more)))

    def a_log(self, command_id: str | None = None, *, ok: bool = True, **more: Any) -> DeviceLog:
        values: dict[str, Any] = {
            "id": f"log-{next(_log_ids)}",
            "device_key": self.state.device_key,
            "type": "command",
            "timestamp": self.now,
            "command_id": command_id or self.last_command(),
            "ok": ok,
        }
        return DeviceLog(**(values | more))

    def last_command(self) -> str:
        if isinstance(self.state.pending, SendCommand):
            return self.state.pending.command_id
        facts = self.state.facts
        rows = [*([facts.connection] if facts.connection else []), *facts.commands]
        return sorted(rows, key=lambda row: row.requested_at)[-1].id

    def later(self, by: timedelta) -> None:
        self.now += by

    def to(self, state: str) -> State:
        """Goes on as a person with a well-behaved device would, until `state`."""
        while self.state.state != state:
            assert not flow.has_ended(self.state), self.state.state
            if self.state.pending is None and "SUBMIT" not in flow.allowed(self.state):
                self.skip()
            elif self.state.pending is None:
                self.submit()
            elif isinstance(self.state.pending, SendCommand):
                self.apply(Wait())
                self.log()
            else:
                self.succeed()
        return self.state


def a_walk(device: Device | None = None, *, policy: Policy | None = None, **more: Any) -> Walk:
    """A run whose device check went well."""
    device = device or a_device()
    walk = Walk(flow.begin(a_start(device, policy=policy or Policy(), **more), NOON))
    walk.apply(Checked(device=device))
    return walk


@cache
def situations() -> tuple[Situation, ...]:
    """Every combination of what a plan is resolved from."""
    return tuple(_situations())


def _situations() -> Iterator[Situation]:
    free = product(
        ActivationType,
        Product,
        (None, "CM900S", "CM6000"),
        (False, True),
        (None, CAMRY),
        (None, "premium-1-year"),
        (False, True),
        ((False, False), (False, True), (True, False)),
        (None, "owner@example.com"),
    )
    for kind, name, controller, keylocker, vehicle, plan, advanced, (
        guest,
        installer,
    ), email in free:
        yield Situation(
            kind=kind,
            device=a_device(
                f"{name.upper()}-00000042",
                controller=controller,
                is_keylocker_present=keylocker,
                vehicle=vehicle,
                plan=plan,
            ),
            advanced=advanced,
            guest=guest,
            installer=installer,
            consumer_email=email,
        )
