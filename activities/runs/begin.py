"""How a run is begun, by whomever: with the search attributes and the summary of its kind."""

from typing import Any, TypedDict

from temporalio.client import Client
from temporalio.common import (
    SearchAttributeKey,
    SearchAttributePair,
    TypedSearchAttributes,
    WorkflowIDConflictPolicy,
    WorkflowIDReusePolicy,
)

from domain.runs.kind import RunKind


class BegunAs(TypedDict):
    """Options that every start of a run has."""

    search_attributes: TypedSearchAttributes
    static_summary: str


class JoinedAs(BegunAs):
    """Options of a start that joins the run of its id where there is one."""

    id: str
    id_conflict_policy: WorkflowIDConflictPolicy
    id_reuse_policy: WorkflowIDReusePolicy


def begun_as(kind: RunKind[Any], start: Any) -> BegunAs:
    """By what operators find the run from its first moment, and its one line in Temporal's own page."""
    pairs = [
        SearchAttributePair(SearchAttributeKey.for_keyword(name), value)
        for name, value in kind.attributes(start).items()
    ]
    return BegunAs(
        search_attributes=TypedSearchAttributes(pairs), static_summary=kind.summary(start)
    )


def joined_as(
    kind: RunKind[Any], start: Any, *, workflow_id: str | None = None, anew: bool = False
) -> JoinedAs:
    """The same, and one that lives is joined. One that has ended is followed by another if it may be begun `anew`; else the
    start raises WorkflowAlreadyStartedError."""
    reuse = WorkflowIDReusePolicy
    return JoinedAs(
        **begun_as(kind, start),
        id=workflow_id or kind.workflow_id(start),
        id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
        id_reuse_policy=reuse.ALLOW_DUPLICATE if anew else reuse.REJECT_DUPLICATE,
    )


async def begin_or_join(
    client: Client,
    kind: RunKind[Any],
    start: Any,
    *,
    task_queue: str,
) -> None:
    """Has a worker take it up, once. Raises WorkflowAlreadyStartedError for one that has ended."""
    await client.start_workflow(  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
        kind.workflow,
        start,
        task_queue=task_queue,
        **joined_as(kind, start),
    )
