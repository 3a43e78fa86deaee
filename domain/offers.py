"""The file of what a company offers, in TOML: its ways of shipping, its plans at their prices, and its coupons.

What the file has of a kind is all of that kind; a kind that it does not have stays as it is. `db/offers.py` takes it.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal, Self, cast

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from domain.base import ID_PATTERN, PLAIN, Frozen, Utc
from domain.checkout.coupons import LONGEST_CODE
from domain.errors import FaultyFile
from domain.money import to_cents
from domain.partners.partners import DEFAULT_CHANNEL
from domain.plans.plans import FOUR, SUITABLE, PlanType, Term

Place = tuple[str | int, ...]
"""Where something stands in the file: names of keys, and numbers of entries."""


def _number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("an amount is written as a number, without quotes")
    return value


Word = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=PLAIN)
]
Channel = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,80}$")]
"""As a business has it (`domain/partners/erp_businesses.py`)."""
Amount = Annotated[
    Decimal,
    BeforeValidator(_number),
    Field(ge=0, max_digits=12, decimal_places=2),
    AfterValidator(to_cents),
]
"""US dollars."""
Price = Annotated[Amount, Field(gt=0)]
Count = Annotated[int, Field(gt=0, le=1_000_000, strict=True)]
_FIXED = {kind.slug: kind for kind in FOUR}


class _Written(Frozen):
    """What somebody wrote: a word that nothing knows is a mistake."""

    model_config = ConfigDict(extra="forbid")


class OfferedMethod(_Written):
    """A way of shipping; the ones of a business are for it alone. They are shown in the order in which they are written."""

    id: Annotated[str, StringConstraints(pattern=ID_PATTERN, max_length=80)]
    name: Word
    price: Amount
    free_from: Amount | None = None
    is_pick_up: bool = Field(default=False, strict=True)
    countries: Annotated[tuple[Literal["AU", "CA", "MX", "US"], ...], Field(min_length=1)]
    business: Word | None = None


class OfferedPlan(_Written, PlanType):
    """The words of the four that the device network knows may be left out. `prices` are by channel and term, for the whole
    term."""

    slug: Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]{1,80}$")]
    name: Word
    display_name: Word
    description: Word
    image: Annotated[str, StringConstraints(pattern=r"^(/|https://)\S+$")]
    image_description: Word
    popular: bool = Field(default=False, strict=True)
    rank: Annotated[int, Field(ge=1, le=max(SUITABLE.values()), strict=True)]
    is_retired: bool = Field(default=False, strict=True)
    prices: dict[Channel, dict[Term, Price]]

    @model_validator(mode="before")
    @classmethod
    def _with_the_fixed_words(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        offer = cast("dict[str, Any]", given)
        fixed = _FIXED.get(str(offer.get("slug")))
        return {**(fixed.model_dump() if fixed else {}), **offer}

    @model_validator(mode="after")
    def _every_term_has_its_list_price(self) -> Self:
        listed = self.prices.get(DEFAULT_CHANNEL, {})
        if not listed:
            raise ValueError(f"prices has none for the channel {DEFAULT_CHANNEL}: list prices")
        for channel, terms in self.prices.items():
            if without := [term.value for term in terms if term not in listed]:
                raise ValueError(
                    f"prices.{channel} has {', '.join(without)}, which prices.{DEFAULT_CHANNEL} "
                    "has not"
                )
        return self


class OfferedCoupon(_Written):
    """As in `domain/checkout/coupons.py`; for the channels and categories that are named, or for all."""

    code: Annotated[str, StringConstraints(pattern=r"^[A-Z0-9_-]+$", max_length=LONGEST_CODE)]
    description: Word
    percent: Annotated[Price, Field(le=100)] | None = None
    amount: Price | None = None
    least: Amount = Decimal(0)
    channels: tuple[Channel, ...] = ()
    categories: tuple[Word, ...] = ()
    is_first_order: bool = Field(default=False, strict=True)
    most_uses: Count | None = None
    most_per_business: Count | None = None
    starts_at: Utc | None = None
    ends_at: Utc | None = None

    @model_validator(mode="after")
    def _takes_one_thing_off_for_a_time(self) -> Self:
        if (self.percent is None) == (self.amount is None):
            raise ValueError("one of percent and amount, and not both")
        if self.starts_at and self.ends_at and self.ends_at <= self.starts_at:
            raise ValueError("ends_at is not after starts_at")
        return self


class Offers(_Written):
    shipping_methods: tuple[OfferedMethod, ...] | None = None
    plans: tuple[OfferedPlan, ...] | None = None
    coupons: tuple[OfferedCoupon, ...] | None = None


class OffersFile:
    """A file that was read; raises FaultyFile."""

    def __init__(self, text: str) -> None:
        try:
            written = tomllib.loads(text, parse_float=Decimal)
        except tomllib.TOMLDecodeError as error:
            raise FaultyFile([f"not in TOML: {error}"]) from None
        self._lines = _lines_of(text)
        try:
            self.offers = Offers.model_validate(written)
        except ValidationError as error:
            found = [(_place(one["loc"]), one["msg"]) for one in error.errors()]
            raise FaultyFile([self.fault(*one) for one in found]) from None
        if twice := list(self._twice()):
            raise FaultyFile(twice)

    def fault(self, at: Place, said: str) -> str:
        """What is wrong, with the line and the field at that place."""
        known = next((at[:end] for end in range(len(at), 0, -1) if at[:end] in self._lines), ())
        line = f"line {self._lines[known]}, " if known else ""
        named = ".".join(one for one in at if isinstance(one, str))
        return f"{line}{named}: {said.removeprefix('Value error, ')}"

    def _twice(self) -> Sequence[str]:
        keys: Mapping[tuple[str, str], Sequence[str]] = {
            ("shipping_methods", "id"): [one.id for one in self.offers.shipping_methods or ()],
            ("plans", "slug"): [one.slug for one in self.offers.plans or ()],
            ("coupons", "code"): [one.code for one in self.offers.coupons or ()],
        }
        return [
            self.fault((kind, place, field), f"{value} stands twice")
            for (kind, field), values in keys.items()
            for place, value in enumerate(values)
            if value in values[:place]
        ]


def _place(loc: Sequence[str | int]) -> Place:
    """Pydantic names the key of a map that is wrong itself, and which kind of a choice was tried, behind it."""
    return tuple(one for one in loc if one != "[key]")


_TABLE = re.compile(r"\s*(\[\[?)([^\[\]]+)\]")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*")(?:\s*\.\s*(?:[\w-]+|"[^"]*"))*)\s*=""")
_NAME = re.compile(r'"([^"]*)"|([\w-]+)')


def _lines_of(text: str) -> Mapping[Place, int]:
    """The line where each table and each key begins; what stands within a line is found by what the line begins with."""
    lines: dict[Place, int] = {}
    entries: Counter[Place] = Counter()
    here: Place = ()
    for number, line in enumerate(text.split("\n"), start=1):
        if table := _TABLE.match(line):
            names, here = _names(table[2]), ()
            for place, name in enumerate(names, start=1):
                here = (*here, name)
                if table[1] == "[[" and place == len(names):
                    entries[here] += 1
                    lines.setdefault(here, number)
                if entries[here]:
                    here = (*here, entries[here] - 1)
            lines.setdefault(here, number)
        elif key := _KEY.match(line):
            lines.setdefault((*here, *_names(key[1])), number)
    return lines


def _names(dotted: str) -> list[str]:
    return [quoted or bare for quoted, bare in _NAME.findall(dotted)]
