"""Registers the search attributes: `python -m workers.setup`. Idempotent; waits for a server that is starting."""

import asyncio

from temporalio.api.enums.v1 import IndexedValueType
from temporalio.api.operatorservice.v1 import (
    AddSearchAttributesRequest,
    ListSearchAttributesRequest,
)
from temporalio.client import Client

from settings import Settings
from workers.connecting import connect_when_there
from workers.leaving import leave
from workflows.ids import SEARCH_ATTRIBUTES


async def register(client: Client) -> tuple[str, ...]:
    """Adds what is missing; answers the names added."""
    listed = await client.operator_service.list_search_attributes(
        ListSearchAttributesRequest(namespace=client.namespace)
    )
    missing = {
        key.name: IndexedValueType.ValueType(key.indexed_value_type)
        for key in SEARCH_ATTRIBUTES
        if key.name not in listed.custom_attributes
    }
    if missing:
        await client.operator_service.add_search_attributes(
            AddSearchAttributesRequest(namespace=client.namespace, search_attributes=missing)
        )
    return tuple(missing)


async def run() -> None:
    settings = Settings()
    await register(await connect_when_there(settings.temporal_address, settings.temporal_namespace))


if __name__ == "__main__":
    asyncio.run(run())
    leave()
