"""One run for every branch that version 2 brought to the activation."""

from collections.abc import Awaitable, Callable
from typing import Any

from temporalio.client import WorkflowHandle

from domain.activation.activation import Abandon, BuyPlan, FeatureAct, Person, PinAct, PinRemoval
from domain.activation.configuring import ReplaceForm, RewardsForm, TablesForm
from domain.devices.activation_type import ActivationType
from domain.devices.keylocker import PinSlot
from domain.devices.toggles import Toggle
from tests.activation.configuring.forms import a_change, sealed, standing_at
from tests.conformance.activation import purchases
from tests.conformance.activation.tours import Move
from tests.drivers.stage import Run, Stage, a_device_key

Handle = WorkflowHandle[Any, Any]
Story = Callable[[Stage], Awaitable[Handle]]

MASTER, SECONDARY = "73914682", "48217355"
"""Pins that no other number of a history equals by chance."""

JOINS = Move("purchase-plan", ("ACT", "WAIT"), "purchase-plan/waiting")

REPLACE, SERVICE = ActivationType.REPLACE_DEVICE, ActivationType.SERVICE_DEVICE


async def ended(run: Run) -> Handle:
    await run.handle.result()
    return run.handle


async def to_the_end(run: Run) -> Handle:
    await run.walk_to("completed", within=60)
    return await ended(run)


async def left(run: Run) -> Handle:
    await run.send(Abandon(actor=run.person, seq=run.reply.seq, reason="recorded"))
    return await ended(run)


async def save_pin(stage: Stage, run: Run, slot: PinSlot, pin: str) -> None:
    secret = await sealed(stage, run, pin)
    await run.send(
        PinAct(actor=run.person, seq=run.reply.seq, slot=slot, secret=secret, duration=30)
    )


async def turn(run: Run, feature: Toggle, *, enabled: bool) -> None:
    act = FeatureAct(actor=run.person, seq=run.reply.seq, feature=feature, enabled=enabled)
    await run.send(act)


async def replaced(stage: Stage) -> Handle:
    run = await stage.open(a_device_key(traits="370"), kind=REPLACE, version=2)
    await run.submit(ReplaceForm(step="replace-device", new_device_key=a_device_key()))
    return await to_the_end(run)


async def swap_refused(stage: Stage) -> Handle:
    new = a_device_key()
    await stage.control(new, refuse_swap=True)
    run = await stage.open(a_device_key(traits="300"), kind=REPLACE, version=2)
    await run.submit(ReplaceForm(step="replace-device", new_device_key=new))
    await run.submit(ReplaceForm(step="replace-device", new_device_key=a_device_key()))
    return await left(run)


async def tables_asked_again(stage: Stage) -> Handle:
    key = a_device_key(traits="050")
    await stage.control(key, special_refusals=1)
    run = await standing_at(stage, "keylocker-option-tables", key)
    await run.submit(await a_change(stage, key, "keylocker-option-tables"))
    return await left(run)


async def tables_refused_for_good(stage: Stage) -> Handle:
    key = a_device_key(traits="050")
    await stage.control(key, special_refusals=3)
    run = await standing_at(stage, "keylocker-option-tables", key)
    form = await a_change(stage, key, "keylocker-option-tables")
    await run.submit(form)
    await run.submit(form)
    return await left(run)


async def options_invalid(stage: Stage) -> Handle:
    run = await standing_at(stage, "keylocker-option-tables", a_device_key(traits="050"))
    await run.submit(TablesForm(step="keylocker-option-tables", changes={"no_such_row": 1}))
    return await left(run)


async def pins(stage: Stage) -> Handle:
    run = await standing_at(stage, "keylocker-pin-codes", a_device_key(traits="050"))
    await save_pin(stage, run, PinSlot.MASTER, MASTER)
    await save_pin(stage, run, PinSlot.SECONDARY, SECONDARY)
    secret = await sealed(stage, run, MASTER)
    await run.send(PinRemoval(actor=run.person, seq=run.reply.seq, secret=secret))
    return await left(run)


async def pin_refused(stage: Stage) -> Handle:
    key = a_device_key(traits="050")
    await stage.control(key, refuse_secondary_pin=True)
    run = await standing_at(stage, "keylocker-pin-codes", key)
    await save_pin(stage, run, PinSlot.SECONDARY, SECONDARY)
    await run.send(PinRemoval(actor=run.person, seq=run.reply.seq, secret="gone"))
    return await left(run)


async def toggles(stage: Stage) -> Handle:
    key = a_device_key()
    run = await standing_at(stage, "system-settings", key)
    await turn(run, Toggle.SIREN, enabled=False)
    await stage.control(key, refuse_features=True)
    await turn(run, Toggle.SIREN, enabled=True)
    return await left(run)


async def configured(stage: Stage) -> Handle:
    run = await standing_at(stage, "device-configuration", a_device_key("DR5400"))
    await run.act("ignition_on")
    await run.at("device-configuration")
    await run.walk_to("device-testing")
    return await left(run)


async def hardwired(stage: Stage) -> Handle:
    key = a_device_key("FT-X1MAX")
    await stage.control(key, refuse_hardwire=True)
    run = await standing_at(stage, "hardwire-x1max", key)
    await run.submit()
    await stage.control(key, refuse_hardwire=False)
    await run.submit()
    return await left(run)


async def rewarded(stage: Stage) -> Handle:
    run = await standing_at(stage, "purchase-plan", a_device_key())
    await run.skip("the owner buys it")
    await run.submit(RewardsForm(step="device-rewards", involved_installer_id="person-2"))
    return await to_the_end(run)


async def sim(stage: Stage) -> Handle:
    key = a_device_key()
    return await to_the_end(await stage.open(key, kind=ActivationType.VERIZON_SIM, version=2))


async def plan(stage: Stage) -> Handle:
    kind = ActivationType.PURCHASE_SUBSCRIPTION
    return await to_the_end(await stage.open(a_device_key(traits="100"), kind=kind, version=2))


async def plan_bought(stage: Stage) -> Handle:
    """Given up once, then bought; the purchase of before cannot be joined any more."""
    kind, key = ActivationType.PURCHASE_SUBSCRIPTION, a_device_key(traits="100")
    run = await stage.open(key, kind=kind, version=2)
    await run.at("purchase-plan")
    given_up = await purchases.begun(stage, key, JOINS)
    await buy(run, given_up)
    await run.at("purchase-plan/waiting")
    await purchases.ended(stage, given_up, good=False)
    await run.at("purchase-plan")
    await buy(run, given_up)
    shown = await run.at("purchase-plan")
    assert shown.view["error"]["code"] == "purchase_ended"
    bought = await purchases.begun(stage, key, JOINS)
    await buy(run, bought)
    await run.at("purchase-plan/waiting")
    await purchases.ended(stage, bought, good=True)
    await run.at("complete-activation")
    return await to_the_end(run)


async def buy(run: Run, purchase_id: str) -> None:
    await run.send(BuyPlan(actor=run.person, seq=run.reply.seq, purchase_id=purchase_id))


async def in_service(stage: Stage) -> Handle:
    key = a_device_key(traits="250")
    return await to_the_end(await stage.open(key, kind=SERVICE, version=2))


async def by_a_guest(stage: Stage) -> Handle:
    guest = Person(name="Guest", guest_of="recorded-guest-2")
    run = await stage.open(a_device_key(), person=guest, id_="recorded-guest-2", version=2)
    return await to_the_end(run)


async def longest(stage: Stage) -> Handle:
    """Every step of the longest plan, with something done at each."""
    old, new = a_device_key("FT-X1MAX", traits="350"), a_device_key("FT-X1MAX")
    for key in (old, new):
        await stage.control(key, controller="CM900S")
    run = await stage.open(
        old, kind=REPLACE, version=2, advanced=True, consumer_email="owner@example.com"
    )
    await run.submit(ReplaceForm(step="replace-device", new_device_key=new))
    for step in ("controller-option-tables", "keylocker-option-tables", "keylocker-poc-pic"):
        await run.walk_to(step, within=60)
        await stage.control(new, special_refusals=2)
        await run.submit(await a_change(stage, new, step))
    await run.walk_to("keylocker-pin-codes")
    await save_pin(stage, run, PinSlot.MASTER, MASTER)
    await save_pin(stage, run, PinSlot.SECONDARY, SECONDARY)
    await run.walk_to("system-settings")
    shown = await run.until(lambda flow: flow.view["facts"]["features"] is not None)
    for feature, is_on in shown.view["facts"]["features"].items():
        await turn(run, Toggle(feature), enabled=not is_on)
    await run.walk_to("device-testing")
    shown = await run.until(lambda flow: bool(flow.view["commands"]))
    for command in shown.view["commands"]:
        await run.act(command)
        await run.at("device-testing")
    return await to_the_end(run)


ACTIVATION_V2: dict[str, Story] = {
    "replaced": replaced,
    "swap-refused": swap_refused,
    "tables-asked-again": tables_asked_again,
    "tables-refused-for-good": tables_refused_for_good,
    "options-invalid": options_invalid,
    "pins": pins,
    "pin-refused": pin_refused,
    "toggles": toggles,
    "configured": configured,
    "hardwired": hardwired,
    "rewarded": rewarded,
    "sim": sim,
    "plan": plan,
    "plan-bought": plan_bought,
    "in-service": in_service,
    "by-a-guest": by_a_guest,
    "longest": longest,
}
