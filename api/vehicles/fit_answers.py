"""Whether products fit vehicles, as JSON."""

from collections.abc import Sequence

from api.platform.schemas import Camel
from domain.vehicles.fit import Fit, FitNeed, FitVerdict, Lacking


class FitNeedOut(Camel):
    """A product that another one needs in the vehicle."""

    product_id: str
    variant_id: str
    sku: str
    name: str
    is_available_for_purchase: bool


class FitOut(Camel):
    """`reason` and `source` say why, and who says so; `mirrored` that it was told of a vehicle that is wired alike."""

    product_id: str
    verdict: FitVerdict
    needs: list[FitNeedOut]
    reason: str
    source: str
    mirrored: bool


class FitVehicle(Camel):
    id: int
    year: int
    make_id: int
    model_id: int
    name: str


class VehicleFit(Camel):
    vehicle: FitVehicle
    fits: list[FitOut]


class LackingOut(Camel):
    """What the lines `neededBy` need besides."""

    need: FitNeedOut
    needed_by: list[str]


class CartVehicle(FitVehicle):
    """A vehicle that lines of a cart are for, and what they lack in it."""

    line_ids: list[str]
    lacking: list[LackingOut]


def fit_out(fit: Fit) -> FitOut:
    return FitOut(
        product_id=fit.product_id,
        verdict=fit.verdict,
        needs=[_need(one) for one in fit.needs],
        reason=fit.reason,
        source=fit.source,
        mirrored=fit.mirrored,
    )


def lacking_out(lacking: Sequence[Lacking]) -> list[LackingOut]:
    return [LackingOut(need=_need(one.need), needed_by=list(one.line_ids)) for one in lacking]


def _need(need: FitNeed) -> FitNeedOut:
    return FitNeedOut(
        product_id=need.product_id,
        variant_id=need.variant_id,
        sku=need.sku,
        name=need.name,
        is_available_for_purchase=need.is_for_purchase,
    )
