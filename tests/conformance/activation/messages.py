"""What people send in a tour: one message for each event, with a form or an act that fits the step."""

from typing import Any

from domain.activation.activation import (
    Abandon,
    Act,
    AnyAct,
    Back,
    BuyPlan,
    ChangeDevice,
    FeatureAct,
    Form,
    PinAct,
    PinRemoval,
    Reset,
    Skip,
    Submit,
    UserEvent,
)
from domain.activation.configuring import TABLE_OF, ReplaceForm, TablesForm
from domain.devices.keylocker import PinSlot
from domain.devices.toggles import Toggle
from domain.runs.projection import FlowAnswer
from tests.activation.configuring.forms import sealed
from tests.drivers.stage import Run, form_for, step_of

PINS = {PinSlot.MASTER: "739146", PinSlot.SECONDARY: "4821"}
MINUTES = 30
COMMANDS = {"device-configuration": "ignition_on"}
"""Step → a command of it; every other one is asked where it is."""


def any_message(run: Run, event: str, other_key: str) -> UserEvent:
    """A message of the event whose content nobody will look at."""
    state = run.reply.state
    here: dict[str, Any] = {"actor": run.person, "seq": run.reply.seq}
    match event:
        case "SUBMIT":
            return Submit(**here, form=form_for(state))
        case "ACT":
            return Act(**here, command="location")
        case "SKIP":
            step = "check-firmware" if step_of(state) == "device-testing" else step_of(state)
            return Skip(**here, step=step, reason="no time")
        case "BACK":
            return Back(**here, step=step_of(state))
        case "RESET":
            return Reset(**here)
        case "CHANGE_DEVICE":
            return ChangeDevice(**here, device_key=other_key)
        case "ABANDON":
            return Abandon(**here)
        case _:
            raise ValueError(event)


def acts_of_other_steps(run: Run) -> list[UserEvent]:
    """Acts that the present step does not know, whatever it knows."""
    here: dict[str, Any] = {"actor": run.person, "seq": run.reply.seq}
    acts: dict[str, AnyAct] = {
        "device-testing": Act(**here, command="location"),
        "device-configuration": Act(**here, command="ignition_on"),
        "keylocker-pin-codes": PinRemoval(**here, secret="s"),
        "system-settings": FeatureAct(**here, feature=Toggle.SIREN, enabled=True),
        "purchase-plan": BuyPlan(**here, purchase_id="nobodys"),
    }
    step = step_of(run.reply.state)
    return [act for its, act in acts.items() if its != step]


async def submission(run: Run, device_key: str, other_key: str, *, advanced: bool) -> Submit:
    """A submit with something to do: another device, or a changed row of the table that the device shows now."""
    step = step_of(run.reply.state)
    form: Form = form_for(step)
    if step == "replace-device":
        form = ReplaceForm(step=step, new_device_key=other_key)
    elif step in TABLE_OF:
        form = await _a_change(run, device_key, step, advanced=advanced)
    return Submit(actor=run.person, seq=run.reply.seq, form=form)


async def an_act(run: Run, shown: FlowAnswer, purchase_id: str) -> AnyAct:
    """What the step offers: the next pin, the other side of a toggle, a purchase to be waited for, or a command."""
    here: dict[str, Any] = {"actor": run.person, "seq": run.reply.seq}
    facts, step = shown.view["facts"], step_of(run.reply.state)
    if step == "keylocker-pin-codes":
        has_master = facts["pins"]["master"]["enabled"]
        slot = PinSlot.SECONDARY if has_master else PinSlot.MASTER
        secret = await sealed(run.stage, run, PINS[slot])
        return PinAct(**here, slot=slot, secret=secret, duration=MINUTES)
    if step == "system-settings":
        feature = Toggle(shown.view["toggles"][0])
        return FeatureAct(**here, feature=feature, enabled=not facts["features"][feature])
    if step == "purchase-plan":
        return BuyPlan(**here, purchase_id=purchase_id)
    return Act(**here, command=COMMANDS.get(step, "location"))


async def _a_change(run: Run, device_key: str, step: str, *, advanced: bool) -> TablesForm:
    found = await run.stage.systems.device_cloud.option_tables(device_key, TABLE_OF[step])
    row = next(
        row
        for row in found.rows.values()
        if row.choices and not row.special and (advanced or not row.advanced)
    )
    value = next(choice.value for choice in row.choices if choice.value != found.values[row.key])
    return TablesForm.model_validate(
        {"step": step, "changes": {row.key: value}, "digest": found.digest}
    )
