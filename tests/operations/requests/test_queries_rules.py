"""What is read of a query value that nobody understands (rulings "Calls", "Later rulings")."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Annotated, Any, Literal, get_args, get_origin

import pytest
from fastapi.dependencies.models import Dependant
from fastapi.dependencies.utils import request_params_to_args
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field, TypeAdapter
from pydantic.fields import FieldInfo
from starlette.datastructures import QueryParams

from api.platform.border.queries import counted, known_of, or_default
from api.routers import ROUTERS
from domain.orders.orders import OrderStatus

LIMIT = TypeAdapter[int](Annotated[int, Field(strict=True, ge=1, le=100), counted(10, most=100)])
OFFSET = TypeAdapter[int](Annotated[int, Field(ge=0, le=1000), counted(0, least=0, most=1000)])
SCOPE = TypeAdapter[str](Annotated[Literal["mine", "ours"], or_default("mine")])


@pytest.mark.parametrize(
    "value", ["", "null", None, "0", 0, "-3", "many", "1.5", "٣", True, [], {}]
)
def test_what_is_no_limit_falls_back(value: Any) -> None:
    assert LIMIT.validate_python(value) == 10


@pytest.mark.parametrize(
    ("value", "limit"), [("1", 1), (25, 25), ("0025", 25), ("101", 100), ("9" * 40, 100)]
)
def test_a_limit_above_the_most_is_cut_to_it(value: Any, limit: int) -> None:
    assert LIMIT.validate_python(value) == limit


def test_an_offset_may_be_zero() -> None:
    assert [OFFSET.validate_python(one) for one in ("0", "7", "-1", "")] == [0, 7, 0, 0]


def test_an_unknown_choice_gives_way_to_the_default() -> None:
    assert [SCOPE.validate_python(one) for one in ("ours", "theirs", "")] == [
        "ours",
        "mine",
        "mine",
    ]


def test_of_a_list_of_choices_what_is_known_is_kept() -> None:
    listed = TypeAdapter(Annotated[list[OrderStatus], Field(max_length=2), known_of(OrderStatus)])
    first, second, *_ = OrderStatus
    assert listed.validate_python([first.value, "eaten", second.value]) == [first, second]
    assert listed.validate_python(["eaten"]) == []


def test_every_number_and_choice_of_a_read_gives_way() -> None:
    """What a caller may leave out refuses nothing."""
    asked = {
        (route.name, name): list(refused(field, name, info.annotation))
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute) and "GET" in (route.methods or ())
        for field in queries_of(route.dependant)
        for name, info in names_in(field).items()
        if not info.is_required()
    }
    assert len(asked) > 100
    assert {each: values for each, values in asked.items() if values} == {}


def queries_of(dependant: Dependant) -> Iterator[Any]:
    yield from dependant.query_params
    for inner in dependant.dependencies:
        yield from queries_of(inner)


def names_in(field: Any) -> Mapping[str, FieldInfo]:
    """A parameter may be a whole model of them."""
    inner = field.field_info.annotation
    if isinstance(inner, type) and issubclass(inner, BaseModel):
        return {info.alias or name: info for name, info in inner.model_fields.items()}
    return {field.alias: field.field_info}


def refused(field: Any, name: str, annotation: Any) -> Iterator[str]:
    """Those of the values that make a read of this kind fail."""
    for value in values_for(annotation):
        _, faults = request_params_to_args([field], QueryParams([(name, value)]))
        if any(name in fault["loc"] for fault in faults):
            yield value


def kinds_in(annotation: Any) -> Iterator[Any]:
    """The annotation and what it is made of, however it is nested: a union of `Annotated`, a list of choices."""
    yield annotation
    for inner in get_args(annotation):
        yield from kinds_in(inner)


def values_for(annotation: Any) -> tuple[str, ...]:
    """Of texts and times none: what is looked for is not guessed."""
    kinds = list(kinds_in(annotation))
    if int in kinds:
        return ("", "null", "0", "-3", "many", "1.5", "9" * 12)
    is_choice = any(
        get_origin(kind) is Literal
        or (isinstance(kind, type) and (kind is bool or issubclass(kind, Enum)))
        for kind in kinds
    )
    return ("", "null", "no-such-choice") if is_choice else ()
