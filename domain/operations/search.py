"""What an operator looks for by a word: a thing, and the runs about it."""

from typing import Literal

from domain.base import Frozen

ThingKind = Literal["device", "order", "receipt", "invoice", "person", "business"]


class Thing(Frozen):
    """What a word names. `id` is what its own page is opened by; `note` tells it from others of its name."""

    kind: ThingKind
    id: str
    name: str
    note: str | None = None


class RunsAbout(Frozen):
    """Which runs are about what was found: themselves, or by whom and what they are for."""

    runs: tuple[str, ...] = ()
    workflows: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    dealers: tuple[str, ...] = ()
    partners: tuple[str, ...] = ()


class SearchResult(Frozen):
    things: tuple[Thing, ...]
    about: RunsAbout
