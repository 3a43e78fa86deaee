"""Registers the search attributes, brings the schedules there, and has what goes round begin anew with this release:
`python -m workers.setup`. Idempotent; waits for a server that is starting."""

import asyncio

from temporalio.api.enums.v1 import IndexedValueType
from temporalio.api.operatorservice.v1 import (
    AddSearchAttributesRequest,
    ListSearchAttributesRequest,
    RemoveSearchAttributesRequest,
)
from temporalio.client import Client

from assembly import payload_codec_of
from settings import Settings
from workers.connect import connect_when_there
from workers.release.schedules import SCHEDULES, bring, end_rounds
from workers.shutdown import leave
from workflows.ids import SEARCH_ATTRIBUTES

EXAMPLE = "CustomKeywordField"
"""Made by Temporal's own set-up as an example, and used by nobody: it would take one of the ten places for keywords."""


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
    if missing and EXAMPLE in listed.custom_attributes:
        await client.operator_service.remove_search_attributes(
            RemoveSearchAttributesRequest(namespace=client.namespace, search_attributes=[EXAMPLE])
        )
    if missing:
        await client.operator_service.add_search_attributes(
            AddSearchAttributesRequest(namespace=client.namespace, search_attributes=missing)
        )
    return tuple(missing)


async def run() -> None:
    settings = Settings()
    client = await connect_when_there(
        settings.temporal_address, settings.temporal_namespace, codec=payload_codec_of(settings)
    )
    await register(client)
    for recurring in SCHEDULES:
        await bring(client, settings.task_queue, recurring)
        if recurring.goes_round:
            await end_rounds(client, recurring)


if __name__ == "__main__":
    asyncio.run(run())
    leave()
