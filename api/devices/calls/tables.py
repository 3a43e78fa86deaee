"""A device's option tables outside its activation (devices spec 4 and 7).

Changed rows are checked against the schema before they are sent. A refusal for special rows is tried again with a query
of the device, twice at most.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel

from api.devices.access import DeviceRequest
from api.devices.calls.changes import AskingDep, ChangingDep, PathKey, SimDigits
from api.platform.border.queries import or_default
from api.platform.moves_money import MovesCar
from domain.activation.device_calls import DeviceCall
from domain.base import Body
from domain.devices.option_tables import (
    REQUERY_LIMIT,
    Changes,
    OptionTable,
    OptionTables,
    Values,
    check_changes,
)
from domain.errors import Invalid
from domain.validation import REQUIRED
from providers.device_network.device_cloud import DeviceCloud
from providers.errors import SpecialRowNeedsQuery

router = APIRouter(prefix="/v1/device", tags=["devices"])

TABLES = DeviceRequest(DeviceCall.OPTION_TABLES)


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

Flag = Annotated[bool, Query(), or_default(False)]


def read_table(
    keylocker: Flag = False, show_1_2: Flag = False, show_3_4: Flag = False
) -> ShownTable:
    """Of a read, which drops a flag that it does not understand; a write takes none for another table."""
    return ShownTable(keylocker=keylocker, show_1_2=show_1_2, show_3_4=show_3_4)


class OptionChangesBody(Body):
    """The changed rows alone."""

    changes: Changes


class OptionsChanged(BaseModel):
    """`requeries` is how often the device had to be asked before its special rows were written."""

    device_key: str
    values: Values
    requeries: int


@router.get("/{device_key}/option-tables")
async def get_device_option_tables(
    ask: AskingDep,
    device_key: PathKey,
    shown: Annotated[ShownTable, Depends(read_table)],
    schema: Annotated[bool, Query(), or_default(True)] = True,
    skip_query: Annotated[bool, Query(), or_default(True)] = True,
    iccid_last_digits: SimDigits = None,
) -> OptionTables:
    """A table with its present values; without `schema` the values alone. `skip_query=false` asks first whether the
    device is there."""
    key = await ask.authorized_key(device_key, iccid_last_digits)
    if not skip_query:
        await ask.devices.features(key, query_device=True)
    tables = await shown.read(ask.devices, key)
    return tables if schema else tables.model_copy(update={"sections": ()})


@router.patch("/{device_key}/option-tables", response_model=OptionsChanged, dependencies=[MovesCar])
async def update_device_option_tables(
    change: ChangingDep,
    device_key: PathKey,
    body: OptionChangesBody,
    shown: Shown,
    skip_query: Annotated[bool, Query(), or_default(True)] = True,
    iccid_last_digits: SimDigits = None,
) -> Response:
    """Write changed rows. A special row needs a query of the device: without one, it is made when it is asked for."""
    found = await change.authorized_key(device_key, iccid_last_digits, TABLES)
    tables = _checked(await shown.read(change.devices, found), body)

    async def write(effect_key: str) -> OptionsChanged:
        requeries = await _write(
            change.devices,
            found,
            shown.table,
            body.changes,
            skip_query=skip_query,
            key=effect_key,
        )
        values = tables.values | body.changes
        return OptionsChanged(device_key=found, values=values, requeries=requeries)

    return await change.once(
        found,
        body,
        write,
        action="changed option tables",
        more={"table": shown.table, "rows": sorted(body.changes)},
    )


@router.get("/{device_key}/special-option-tables")
async def get_device_special_option_tables(
    ask: AskingDep, device_key: PathKey, iccid_last_digits: SimDigits = None
) -> OptionTables:
    """The controller's special rows alone."""
    key = await ask.authorized_key(device_key, iccid_last_digits)
    return await ask.devices.special_option_tables(key)


@router.patch(
    "/{device_key}/special-option-tables", response_model=OptionsChanged, dependencies=[MovesCar]
)
async def update_device_special_option_tables(
    change: ChangingDep,
    device_key: PathKey,
    body: OptionChangesBody,
    iccid_last_digits: SimDigits = None,
) -> Response:
    """Write special rows; the device is always asked first."""
    found = await change.authorized_key(device_key, iccid_last_digits, TABLES)
    tables = _checked(await change.devices.special_option_tables(found), body)

    async def write(effect_key: str) -> OptionsChanged:
        await change.devices.patch_special_option_tables(found, body.changes, key=effect_key)
        values = tables.values | body.changes
        return OptionsChanged(device_key=found, values=values, requeries=0)

    return await change.once(
        found,
        body,
        write,
        action="changed special option tables",
        more={"rows": sorted(body.changes)},
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
    requeries = 0
    while True:
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
            requeries += 1
        else:
            return requeries
