"""How a run is begun, by whomever: with the search attributes and the summary of its kind."""

from typing import Any, TypedDict

from temporalio.common import SearchAttributeKey, SearchAttributePair, TypedSearchAttributes

from domain.runs.kind import RunKind


class BegunAs(TypedDict):
    """Options that every start of a run has."""

    search_attributes: TypedSearchAttributes
    static_summary: str


def begun_as(kind: RunKind[Any], start: Any) -> BegunAs:
    """By what operators find the run from its first moment, and its one line in Temporal's own page."""
    pairs = [
        SearchAttributePair(SearchAttributeKey.for_keyword(name), value)
        for name, value in kind.attributes(start).items()
    ]
    return BegunAs(
        search_attributes=TypedSearchAttributes(pairs), static_summary=kind.summary(start)
    )
