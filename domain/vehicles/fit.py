"""Whether a product fits a vehicle, and what a cart lacks for it."""

from collections.abc import Sequence
from enum import StrEnum

from domain.base import Frozen


class FitVerdict(StrEnum):
    """`needs` fits together with other products; `unknown` is what nobody has looked at."""

    FITS = "fits"
    NEEDS = "needs"
    DOES_NOT_FIT = "does_not_fit"
    UNKNOWN = "unknown"


class FitNeed(Frozen):
    """A product that another one needs in a vehicle. `kind` is the slug of its category."""

    product_id: str
    variant_id: str
    sku: str
    name: str
    kind: str
    is_for_purchase: bool


class Fit(Frozen):
    """What is known of one product in one vehicle. `source` says who told it; `mirrored` that it was told of the vehicle
    which this one is wired like."""

    product_id: str
    verdict: FitVerdict
    needs: tuple[FitNeed, ...] = ()
    reason: str = ""
    source: str = ""
    mirrored: bool = False


class FitLine(Frozen):
    """A line of a cart that is for a vehicle. `kind` is the slug of its product's category."""

    line_id: str
    product_id: str
    kind: str
    fit: Fit


class Lacking(Frozen):
    """A product that lines for one vehicle need, and that is not among them."""

    need: FitNeed
    line_ids: tuple[str, ...]


def unknown_fit(product_id: str) -> Fit:
    return Fit(product_id=product_id, verdict=FitVerdict.UNKNOWN)


def lacking_in(lines: Sequence[FitLine]) -> tuple[Lacking, ...]:
    """What lines for one vehicle need besides. A need is met by the product that is named, and by any other of its kind that
    fits the vehicle."""
    present = {line.product_id for line in lines}
    fitting = {line.kind for line in lines if line.fit.verdict is FitVerdict.FITS}
    wanted: dict[str, tuple[FitNeed, list[str]]] = {}
    for line in lines:
        for need in line.fit.needs:
            if need.product_id not in present and need.kind not in fitting:
                wanted.setdefault(need.product_id, (need, []))[1].append(line.line_id)
    return tuple(Lacking(need=need, line_ids=tuple(ids)) for need, ids in wanted.values())
