"""What is read of a query value that nobody understands (rulings "Calls", "Later rulings")."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, TypeAdapter

from api.platform.border.queries import counted, or_default

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
