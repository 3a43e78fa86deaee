"""Configuring a device outside its activation: option tables, toggles, the hardwired mode (devices spec 4 and 7)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, StrictBool

from api.deps import Caller, IdempotencyKey, PortalDep
from api.device_changes import Changed, PathKey, SimDigits, change_once
from api.device_reach import Wanted, reach_device
from domain.base import Body
from domain.device_calls import DeviceCall
from domain.devices import DeviceKey, IccidDigits
from domain.errors import Invalid
from domain.hardwire import HardwiredInput, HardwiredOutput
from domain.option_tables import (
    REQUERY_LIMIT,
    Changes,
    OptionTable,
    OptionTables,
    Values,
    check_changes,
)
from domain.toggles import Features, Toggle
from domain.validation import REQUIRED
from providers.device_cloud import DeviceCloud
from providers.errors import SpecialRowNeedsQuery

router = APIRouter(prefix="/v1/device", tags=["devices"])

TABLES = Wanted(DeviceCall.OPTION_TABLES)
FEATURES = Wanted(DeviceCall.FEATURES)


class ShownTable(BaseModel):
    """Which table is meant: the controller's; the KeyLocker's; or, with a pair shown, POC and PIC."""

    keylocker: bool = False
    show_1_2: bool = False
    show_3_4: bool = False

    @property
    def table(self) -> OptionTable:
        if not self.keylocker:
            return OptionTable.CONTROLLER
        return OptionTable.POC_PIC if self.show_1_2 or self.show_3_4 else OptionTable.KEYLOCKER

    async def read(self, devices: DeviceCloud, device_key: str) -> OptionTables:
        return await devices.option_tables(
            device_key, self.table, show_1_2=self.show_1_2, show_3_4=self.show_3_4
        )


Shown = Annotated[ShownTable, Depends()]


class OptionChangesBody(Body):
    """The changed rows alone."""

    changes: Changes


class FeaturesBody(Body):
    """The toggles to set; those left out stay."""

    siren_enabled: StrictBool | None = None
    valet_mode_enabled: StrictBool | None = None
    shock_sensor_enabled: StrictBool | None = None
    drive_lock_enabled: StrictBool | None = None
    passive_arming_enabled: StrictBool | None = None
    timer_start_enabled: StrictBool | None = None
    turbo_timer_start_enabled: StrictBool | None = None
    auto_door_lock_enabled: StrictBool | None = None


class HardwiredModeBody(Body):
    device_key: DeviceKey
    hardwired_input: HardwiredInput
    hardwired_output: HardwiredOutput
    iccid_last_digits: IccidDigits | None = None


class OptionsChanged(BaseModel):
    """`requeries` is how often the device had to be asked before its special rows were written."""

    device_key: str
    values: Values
    requeries: int


class FeaturesChanged(BaseModel):
    device_key: str
    features: Features


@router.get("/{device_key}/option-tables")
async def get_device_option_tables(
    request: Request,
    portal: PortalDep,
    actor: Caller,
    device_key: PathKey,
    shown: Shown,
    schema: Annotated[bool, Query()] = True,
    skip_query: Annotated[bool, Query()] = True,
    iccid_last_digits: SimDigits = None,
) -> OptionTables:
    """A table with its present values; without `schema` the values alone. `skip_query=false` asks whether the device
    is there first."""
    key = await reach_device(
        request, portal, actor, device_key, iccid_last_digits=iccid_last_digits
    )
    if not skip_query:
        await portal.device_cloud.features(key, query_device=True)
    tables = await shown.read(portal.device_cloud, key)
    return tables if schema else tables.model_copy(update={"sections": ()})


@router.patch("/{device_key}/option-tables", response_model=OptionsChanged)
async def update_device_option_tables(
    request: Request,
    portal: PortalDep,
    actor: Caller,
    device_key: PathKey,
    body: OptionChangesBody,
    shown: Shown,
    skip_query: Annotated[bool, Query()] = True,
    iccid_last_digits: SimDigits = None,
    key: IdempotencyKey = None,
) -> Response:
    """Write changed rows. A refusal for special rows is tried again with a query of the device, twice at most."""
    found = await reach_device(
        request, portal, actor, device_key, TABLES, iccid_last_digits=iccid_last_digits
    )
    tables = _checked(await shown.read(portal.device_cloud, found), body)

    async def write(effect_key: str) -> OptionsChanged:
        requeries = await _write(
            portal.device_cloud,
            found,
            shown.table,
            body.changes,
            skip_query=skip_query,
            key=effect_key,
        )
        values = tables.values | body.changes
        return OptionsChanged(device_key=found, values=values, requeries=requeries)

    return await change_once(
        portal,
        actor,
        key,
        found,
        body,
        write,
        action="changed option tables",
        more={"table": shown.table, "rows": sorted(body.changes)},
    )


@router.get("/{device_key}/special-option-tables")
async def get_device_special_option_tables(
    request: Request,
    portal: PortalDep,
    actor: Caller,
    device_key: PathKey,
    iccid_last_digits: SimDigits = None,
) -> OptionTables:
    """The controller's special rows alone."""
    key = await reach_device(
        request, portal, actor, device_key, iccid_last_digits=iccid_last_digits
    )
    return await portal.device_cloud.special_option_tables(key)


@router.patch("/{device_key}/special-option-tables", response_model=OptionsChanged)
async def update_device_special_option_tables(
    request: Request,
    portal: PortalDep,
    actor: Caller,
    device_key: PathKey,
    body: OptionChangesBody,
    iccid_last_digits: SimDigits = None,
    key: IdempotencyKey = None,
) -> Response:
    """Write special rows; the device is always asked first."""
    found = await reach_device(
        request, portal, actor, device_key, TABLES, iccid_last_digits=iccid_last_digits
    )
    tables = _checked(await portal.device_cloud.special_option_tables(found), body)

    async def write(effect_key: str) -> OptionsChanged:
        await portal.device_cloud.patch_special_option_tables(found, body.changes, key=effect_key)
        values = tables.values | body.changes
        return OptionsChanged(device_key=found, values=values, requeries=0)

    return await change_once(
        portal,
        actor,
        key,
        found,
        body,
        write,
        action="changed special option tables",
        more={"rows": sorted(body.changes)},
    )


@router.get("/{device_key}/features")
async def get_device_features(
    request: Request,
    portal: PortalDep,
    actor: Caller,
    device_key: PathKey,
    query_device: Annotated[bool, Query()] = False,
    iccid_last_digits: SimDigits = None,
) -> Features:
    """The toggles that the device has; `query_device` asks the device itself."""
    key = await reach_device(
        request, portal, actor, device_key, iccid_last_digits=iccid_last_digits
    )
    return await portal.device_cloud.features(key, query_device=query_device)


@router.patch("/{device_key}/features", response_model=FeaturesChanged)
async def update_device_features(
    request: Request,
    portal: PortalDep,
    actor: Caller,
    device_key: PathKey,
    body: FeaturesBody,
    iccid_last_digits: SimDigits = None,
    key: IdempotencyKey = None,
) -> Response:
    """Turn toggles on and off."""
    changes = {Toggle(name): on for name, on in body.model_dump(exclude_none=True).items()}
    if not changes:
        raise Invalid("Please complete all fields")
    found = await reach_device(
        request, portal, actor, device_key, FEATURES, iccid_last_digits=iccid_last_digits
    )

    async def write(effect_key: str) -> FeaturesChanged:
        await portal.device_cloud.patch_features(found, changes, key=effect_key)
        return FeaturesChanged(device_key=found, features=changes)

    return await change_once(
        portal,
        actor,
        key,
        found,
        body,
        write,
        action="changed the toggles of a device",
        more={toggle.value: on for toggle, on in changes.items()},
    )


@router.patch("/hardwired-mode", response_model=Changed)
async def set_hardwired_mode(
    request: Request,
    portal: PortalDep,
    actor: Caller,
    body: HardwiredModeBody,
    key: IdempotencyKey = None,
) -> Response:
    """Set the hardwired output and input of an X1MAX."""
    found = await reach_device(
        request,
        portal,
        actor,
        body.device_key,
        Wanted(DeviceCall.HARDWIRE),
        iccid_last_digits=body.iccid_last_digits,
    )

    async def write(effect_key: str) -> Changed:
        await portal.device_cloud.hardwired_mode(
            found, body.hardwired_output, body.hardwired_input, key=effect_key
        )
        return Changed(device_key=found)

    return await change_once(
        portal,
        actor,
        key,
        found,
        body,
        write,
        action="set the hardwired mode of a device",
        more=body.model_dump(mode="json", include={"hardwired_output", "hardwired_input"}),
    )


def _checked(tables: OptionTables, body: OptionChangesBody) -> OptionTables:
    """The tables, once they take the changes. Raises Invalid with a message for each row that they do not take.

    A row that does not exist is the sender's own word and is not repeated.
    """
    if not body.changes:
        raise Invalid(fields=[("changes", REQUIRED)])
    faults = check_changes(tables, body.changes)[:20]
    if faults:
        rows = tables.rows
        raise Invalid(
            fields=[(f"changes.{key}" if key in rows else "changes", text) for key, text in faults]
        )
    return tables


async def _write(
    devices: DeviceCloud,
    device_key: str,
    table: OptionTable,
    changes: Changes,
    *,
    skip_query: bool,
    key: str,
) -> int:
    """How often the device had to be asked. Raises SpecialRowNeedsQuery when that did not help either."""
    for requeries in range(REQUERY_LIMIT + 1):
        try:
            await devices.patch_option_tables(
                device_key,
                table,
                changes,
                skip_query=skip_query and requeries == 0,
                key=f"{key}-{requeries}",
            )
        except SpecialRowNeedsQuery:
            if requeries == REQUERY_LIMIT:
                raise
        else:
            return requeries
    raise AssertionError("the loop ends by a return or a refusal")
