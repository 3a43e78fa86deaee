"""Every door to a device: each field of the API that names a device or a run on one, and how to knock there.

The doors follow from the API's document (`named_doors`); each needs a way to knock in DOORS, so that a new operation
without one fails `test_whose_device_api.py`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

import httpx

from api.main import create_app
from settings import Settings
from tests.drivers.portal import a_key
from tests.drivers.stage import form_for
from tests.drivers.whole_portal import Caller, iccid_of
from tests.identity.policy.recipes import RECIPES, Asked, Names
from tests.identity.policy.world import Things
from tests.plans.purchases.buying import PREMIUM, SHIP_TO

Json = dict[str, Any]

DEVICE_FIELDS = frozenset({"device_key", "old_device_key", "new_device_key", "device_keys"})
RUN_PATHS = ("/v1/activations/{id}", "/v1/firmware/{id}", "/v1/purchases/{id}")
DIGITS = "iccid_last_digits"


@dataclass(frozen=True)
class Named:
    """What stands in a door: the device, the caller's run that the request is made in, a device of the caller's own."""

    device_key: str
    run_id: str
    own_device: str
    own_run: str


@dataclass(frozen=True)
class Door:
    """`of_run`: the door names a run, and the device by it. `like_absent`: what is foreign is answered as what never was,
    by another answer than a 404, for the reason given."""

    operation: str
    ask: Callable[[Named], Asked]
    of_run: bool = False
    like_absent: str | None = None


def document() -> Json:
    return create_app(Settings(environment="test")).openapi()


def named_doors() -> set[tuple[str, str]]:
    """(operation, field) of every field that names a device or a run on one, in path, query or body."""
    api = document()
    return {
        (operation["operationId"], field)
        for path, methods in api["paths"].items()
        for operation in methods.values()
        for field in _fields(api, path, operation)
    }


@cache
def operations() -> dict[str, tuple[str, str, bool, bool]]:
    """Operation → method, path, and whether SIM digits are taken in the query and in the body."""
    api = document()
    found: dict[str, tuple[str, str, bool, bool]] = {}
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            queries = {parameter["name"] for parameter in operation.get("parameters", ())}
            body = set(_names(api, _body(operation), ()))
            found[operation["operationId"]] = (
                method.upper(),
                path,
                DIGITS in queries,
                DIGITS in body,
            )
    return found


def needs_own_run(door: Door) -> bool:
    return door.operation in ("change_activation_device", "submit_step") and not door.of_run


async def knocks(
    caller: Caller, door: Door, named: Named, *, digits: str = "00000"
) -> httpx.Response:
    """With these digits of a SIM, by default of none, wherever they are taken beside the serial number."""
    method, path, in_query, _ = operations()[door.operation]
    asked = door.ask(named)
    query = asked.query | ({DIGITS: digits} if in_query else {})
    return await caller.browser.request(
        method, path.format(**asked.path), params=query, json=asked.json, headers=a_key()
    )


def _fields(api: Json, path: str, operation: Json) -> Iterator[str]:
    parameters = [parameter["name"] for parameter in operation.get("parameters", ())]
    yield from DEVICE_FIELDS.intersection(parameters, ())
    yield from DEVICE_FIELDS.intersection([*parameters, *_names(api, _body(operation), ())])
    if path.startswith(RUN_PATHS):
        yield "id"
    if "follow" in parameters:
        yield "follow"


def _body(operation: Json) -> Json:
    content = operation.get("requestBody", {}).get("content", {})
    return content.get("application/json", {}).get("schema", {})


def _names(api: Json, schema: Json, seen: tuple[str, ...]) -> Iterator[str]:
    """The names of all fields, however deep."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name not in seen:
            yield from _names(api, api["components"]["schemas"][name], (*seen, name))
        return
    for name, inner in schema.get("properties", {}).items():
        yield name
        yield from _names(api, inner, seen)
    for kind in ("anyOf", "oneOf", "allOf"):
        for inner in schema.get(kind, ()):
            yield from _names(api, inner, seen)
    if isinstance(schema.get("items"), dict):
        yield from _names(api, schema["items"], seen)


_NOTHING = Things(*[""] * len(fields(Things)))


def _by_recipe(operation: str) -> Callable[[Named], Asked]:
    recipe = RECIPES[operation]
    assert isinstance(recipe, Names)

    def ask(named: Named) -> Asked:
        return recipe.ask(replace(_NOTHING, device_key=named.device_key, run_id=named.run_id))

    return ask


def of_device(operation: str) -> Door:
    return Door(operation, _by_recipe(operation))


def of_run(operation: str) -> Door:
    return Door(operation, _by_recipe(operation), of_run=True)


def _swapped_in(named: Named) -> Asked:
    return Asked(
        json={
            "old_device_key": named.own_device,
            "new_device_key": named.device_key,
            "old_iccid_last_digits": iccid_of(named.own_device),
        }
    )


def _swapped_out(named: Named) -> Asked:
    new = named.own_device
    return Asked(
        json={
            "old_device_key": named.device_key,
            "new_device_key": new,
            DIGITS: iccid_of(new),
            "old_iccid_last_digits": iccid_of(named.device_key),
        }
    )


def _changed_to(named: Named) -> Asked:
    return Asked(path={"id": named.own_run}, json={"seq": 1, "device_key": named.device_key})


def _changed_on_run(named: Named) -> Asked:
    new = named.own_device
    return Asked(
        path={"id": named.run_id}, json={"seq": 1, "device_key": new, DIGITS: iccid_of(new)}
    )


def _replaced_by(named: Named) -> Asked:
    form = form_for("replace-device").model_dump(mode="json", exclude={"step"})
    data = {**form, "new_device_key": named.device_key, DIGITS: iccid_of(named.device_key)}
    return Asked(
        path={"id": named.own_run}, json={"step": "replace-device", "seq": 1, "data": data}
    )


def _chosen_for(named: Named) -> Asked:
    return Asked(json={"device_key": named.device_key, "plan_id": PREMIUM})


def _paid_for(named: Named) -> Asked:
    line = {"device_key": named.device_key, "plan_id": PREMIUM}
    return Asked(query={"validate": "true"}, json={"line_items": [line], "address": SHIP_TO})


ON_DEVICES = (
    "start_activation",
    "list_firmware_runs",
    "start_firmware",
    "check_firmware",
    "get_my_device",
    "free_my_device",
    "release_my_device",
    "check_device",
    "check_device_for_purchase",
    "send_device_command",
    "activate_device",
    "install_device",
    "welcome_device",
    "link_device_installer",
    "check_device_firmware",
    "get_device_option_tables",
    "update_device_option_tables",
    "get_device_special_option_tables",
    "update_device_special_option_tables",
    "get_device_features",
    "update_device_features",
    "set_hardwired_mode",
    "set_device_pin",
    "delete_device_pin",
    "list_device_logs",
    "list_upgrades",
)
ON_RUNS = (
    "get_activation",
    "get_activation_outcome",
    "get_handout",
    "link_handout",
    "revoke_handout_link",
    "list_activation_transitions",
    "list_activation_colleagues",
    "submit_step",
    "send_activation_command",
    "skip_step",
    "back_step",
    "reset_activation",
    "abandon_activation",
    "hand_over_activation",
    "remind_activation",
    "set_activation_pin",
    "delete_activation_pin",
    "set_activation_feature",
    "get_activation_option_tables",
    "list_option_suggestions",
    "list_activation_installers",
    "buy_activation_plan",
    "retry_firmware",
    "cancel_firmware",
    "defer_firmware",
    "get_firmware_run",
    "list_firmware_transitions",
    "retry_firmware_run",
    "cancel_firmware_run",
    "defer_firmware_run",
    "overrule_firmware_run",
)

DOORS: dict[tuple[str, str], Door] = {
    **{(name, "device_key"): of_device(name) for name in ON_DEVICES},
    **{(name, "id"): of_run(name) for name in ON_RUNS},
    ("follow_events", "follow"): of_run("follow_events"),
    ("swap_device", "old_device_key"): Door("swap_device", _swapped_out),
    ("swap_device", "new_device_key"): Door("swap_device", _swapped_in),
    ("change_activation_device", "id"): Door(
        "change_activation_device", _changed_on_run, of_run=True
    ),
    ("change_activation_device", "device_key"): Door("change_activation_device", _changed_to),
    ("submit_step", "new_device_key"): Door("submit_step", _replaced_by),
    ("choose_plan_line", "device_key"): Door("choose_plan_line", _chosen_for),
    ("drop_plan_line", "device_key"): Door(
        "drop_plan_line",
        lambda named: Asked(path={"device_key": named.device_key}),
        like_absent="takes a line of one's own away, and reads no device",
    ),
    ("pay_for_plans", "device_key"): Door(
        "pay_for_plans", _paid_for, like_absent="names what is wrong with each line"
    ),
}

BY_PROOF = {("ask_visit", "device_key")}
"""Knocks at a foreign device on purpose, with the proof that it is in hand: tests/visits holds what it answers."""

ASK_VISIT = Door(
    "ask_visit",
    lambda named: Asked(
        json={
            "device_key": named.device_key,
            "iccid_last_digits": iccid_of(named.device_key),
            "reason": "the siren",
        }
    ),
)
READS_NO_DEVICE = "drop_plan_line"
NAMING = [door for door in DOORS.values() if not door.of_run] + [ASK_VISIT]
"""Every door that a serial number is typed into."""

UNSEEN = {("submit_step", "new_device_key")}
"""A step's form is a plain object in the document."""

PURCHASES = frozenset(
    {
        ("get_purchase", "id"),
        ("list_purchase_transitions", "id"),
        ("list_purchase_cases", "id"),
        ("confirm_purchase", "id"),
        ("choose_purchase_payment", "id"),
        ("retry_purchase", "id"),
        ("retry_purchase", "device_keys"),
        ("give_up_purchase", "id"),
        ("cancel_purchase", "id"),
        ("approve_purchase", "id"),
        ("reject_purchase", "id"),
        ("agree_to_purchase", "id"),
    }
)
"""A purchase is its buyer's, whatever became of its devices since: their money is in it (`tests/identity/policy`). Each time its
figures are worked out the devices are judged anew."""
