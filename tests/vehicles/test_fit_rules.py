"""What lines of a cart lack for a vehicle."""

import pytest

from domain.vehicles.fit import Fit, FitLine, FitNeed, FitVerdict, lacking_in, unknown_fit

MODULE = FitNeed(
    product_id="module",
    variant_id="v",
    sku="M-1",
    name="Module",
    kind="modules",
    is_for_purchase=True,
)
HARNESS = MODULE.model_copy(update={"product_id": "harness", "kind": "harnesses"})


def line(product: str, kind: str, fit: Fit) -> FitLine:
    return FitLine(line_id=f"line-{product}", product_id=product, kind=kind, fit=fit)


def fitting(product: str, kind: str) -> FitLine:
    return line(product, kind, Fit(product_id=product, verdict=FitVerdict.FITS))


def starter(name: str = "starter") -> FitLine:
    fit = Fit(product_id=name, verdict=FitVerdict.NEEDS, needs=(MODULE, HARNESS))
    return line(name, "starters", fit)


NO_FIT = line("other", "modules", Fit(product_id="other", verdict=FitVerdict.DOES_NOT_FIT))
UNKNOWN = line("other", "modules", unknown_fit("other"))


@pytest.mark.parametrize(
    ("others", "lacking"),
    [
        ((), ["module", "harness"]),
        ((fitting("module", "modules"),), ["harness"]),
        ((fitting("another", "modules"),), ["harness"]),
        ((NO_FIT,), ["module", "harness"]),
        ((UNKNOWN,), ["module", "harness"]),
        ((line("module", "modules", unknown_fit("module")),), ["harness"]),
        ((fitting("another", "modules"), fitting("harness", "harnesses")), []),
    ],
)
def test_a_need_is_met_by_what_is_named_or_fits_in_its_place(
    others: tuple[FitLine, ...], lacking: list[str]
) -> None:
    assert [one.need.product_id for one in lacking_in((starter(), *others))] == lacking


def test_what_two_lines_need_is_lacking_once() -> None:
    found = lacking_in((starter("one"), starter("two")))
    assert [(one.need.product_id, one.line_ids) for one in found] == [
        ("module", ("line-one", "line-two")),
        ("harness", ("line-one", "line-two")),
    ]
