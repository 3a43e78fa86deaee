"""The fixtures that every other test stands on."""

import psycopg
from sqlalchemy import text
from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
from temporalio.client import Client

from db.base import Sessions
from dev.postgres import refuse_unsafe


async def test_the_application_role_reads_a_migrated_database_and_owns_nothing(
    sessions: Sessions,
) -> None:
    async with sessions() as session:
        owned = await session.scalar(
            text("select count(*) from pg_tables where tableowner = current_user")
        )
        migrated = await session.scalar(text("select count(*) from alembic_version"))
    assert (owned, migrated) == (0, 1)


def test_the_database_loses_nothing_that_it_acknowledged(database_url: str) -> None:
    refuse_unsafe(database_url)


def test_names_are_compared_without_regard_to_case_in_french_too(postgres: str) -> None:
    with psycopg.connect(postgres) as connection:
        row = connection.execute("select lower('ÉQUIPE'), 'Éclair' ilike 'éclair'").fetchone()
    assert row == ("équipe", True)


async def test_temporal_serves_its_default_namespace(temporal: Client) -> None:
    described = await temporal.workflow_service.describe_namespace(
        DescribeNamespaceRequest(namespace="default")
    )
    assert described.namespace_info.name == "default"
