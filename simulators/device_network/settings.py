"""The device network's calls that configure a device, over HTTP (devices spec 7, "Device").

The same rules as in `routes.py`: `X-Api-Key`, `Idempotency-Key`, refusals without a trace. A pin enters neither
the ledger nor the remembered answers: its requests are told apart by their key and slot alone.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from simulators.device_network import configuring
from simulators.device_network.configuring import Tables
from simulators.device_network.routes import with_api_key
from simulators.exchange import InExchange

router = APIRouter(prefix="/device-cloud/v1/device", dependencies=[Depends(with_api_key)])

PinText = Annotated[str, Field(pattern=r"^[0-9]{4,8}$")]


class OptionChanges(BaseModel):
    changes: dict[str, int]


class FeatureChanges(BaseModel):
    """`toggles` holds the new values of the bits in `mask`; the others are named."""

    mask: int = 0
    toggles: int = 0
    named: dict[str, bool] = {}


class PinChange(BaseModel):
    pin: PinText
    is_secondary_pin: bool
    duration: int | None = None


class PinDeletion(BaseModel):
    master_pin: PinText


class Hardwired(BaseModel):
    device_key: str
    hardwired_output: str
    hardwired_input: str
    iccid_last_digits: str | None = None


class Installers(BaseModel):
    installer_id: str
    involved_installer_id: str | None = None


def asked_tables(keylocker: bool = False, show_1_2: bool = False, show_3_4: bool = False) -> Tables:
    """The controller's table; with `keylocker` its own, or POC and PIC as `show_…` says."""
    return Tables(keylocker=keylocker, show_1_2=show_1_2, show_3_4=show_3_4)


InTables = Annotated[Tables, Depends(asked_tables)]


@router.get("/{device_key}/option-tables")
async def option_tables(
    device_key: str, call: InExchange, tables: InTables, schema: bool = True
) -> Response:
    return await call.read(
        "option-tables",
        device_key,
        lambda: configuring.read_tables(call.network, device_key, tables, schema=schema),
    )


@router.patch("/{device_key}/option-tables")
async def patch_option_tables(
    device_key: str,
    body: OptionChanges,
    call: InExchange,
    tables: InTables,
    skip_query: bool = False,
) -> Response:
    which = {"keylocker": tables.keylocker, "poc": tables.show_1_2 or tables.show_3_4}
    return await call.change(
        "option-tables-update",
        device_key,
        {**body.model_dump(), **which, "skip_query": skip_query},
        lambda: configuring.write_tables(
            call.network, device_key, tables, body.changes, skip_query=skip_query
        ),
    )


@router.get("/{device_key}/special-option-tables")
async def special_option_tables(device_key: str, call: InExchange) -> Response:
    return await call.read(
        "special-option-tables",
        device_key,
        lambda: configuring.read_tables(
            call.network,
            device_key,
            asked_tables(),
            schema=True,
            special=True,
        ),
    )


@router.patch("/{device_key}/special-option-tables")
async def patch_special_option_tables(
    device_key: str, body: OptionChanges, call: InExchange
) -> Response:
    return await call.change(
        "special-option-tables-update",
        device_key,
        body.model_dump(),
        lambda: configuring.write_special(call.network, device_key, body.changes),
    )


@router.get("/{device_key}/features")
async def features(
    device_key: str,
    call: InExchange,
    query_device: bool = False,
    iccid_last_digits: str | None = None,
) -> Response:
    return await call.read(
        "features",
        device_key,
        lambda: configuring.read_features(
            call.network, device_key, iccid_last_digits, query_device=query_device
        ),
    )


@router.patch("/{device_key}/features")
async def patch_features(
    device_key: str,
    body: FeatureChanges,
    call: InExchange,
    iccid_last_digits: str | None = None,
) -> Response:
    return await call.change(
        "features-update",
        device_key,
        body.model_dump(),
        lambda: configuring.write_features(
            call.network,
            device_key,
            iccid_last_digits,
            mask=body.mask,
            toggles=body.toggles,
            named=body.named,
        ),
    )


@router.patch("/{device_key}/pin")
async def set_pin(device_key: str, body: PinChange, call: InExchange) -> Response:
    return await call.change(
        "pin",
        device_key,
        body.model_dump(exclude={"pin"}),
        lambda: configuring.set_pin(
            call.network,
            device_key,
            body.pin,
            is_secondary_pin=body.is_secondary_pin,
            duration=body.duration,
        ),
    )


@router.delete("/{device_key}/pin")
async def delete_pin(device_key: str, body: PinDeletion, call: InExchange) -> Response:
    return await call.change(
        "pin-delete",
        device_key,
        {},
        lambda: configuring.delete_pin(call.network, device_key, body.master_pin),
    )


@router.patch("/hardwired-mode")
async def hardwired_mode(body: Hardwired, call: InExchange) -> Response:
    return await call.change(
        "hardwired-mode",
        body.device_key,
        body.model_dump(exclude={"iccid_last_digits"}),
        lambda: configuring.hardwire(
            call.network,
            body.device_key,
            body.iccid_last_digits,
            body.hardwired_output,
            body.hardwired_input,
        ),
    )


@router.post("/link-installer/{device_key}")
async def link_installer(device_key: str, body: Installers, call: InExchange) -> Response:
    return await call.change(
        "link-installer",
        device_key,
        body.model_dump(),
        lambda: configuring.link_installer(
            call.network, device_key, body.installer_id, body.involved_installer_id
        ),
    )
