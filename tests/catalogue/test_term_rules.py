"""Reading what somebody typed, and what they probably meant."""

import pytest

from domain.catalogue.closeness import closeness
from domain.catalogue.products import (
    Availability,
    Stock,
    availability_of,
    read_term,
    slug_of,
    suffix_of,
    words_of,
    years_in,
)
from domain.catalogue.spelling import probably_meant, slips


@pytest.mark.parametrize(
    ("typed", "words", "sku"),
    [
        ("", (), ""),
        ("  T-Harness,  TOYOTA ", ("t", "harness", "toyota"), "THARNESSTOYOTA"),
        ("cs-th-0001-std", ("cs", "th", "0001", "std"), "CSTH0001STD"),
        ("démarreur à distance", ("demarreur", "a", "distance"), "DEMARREURADISTANCE"),
        ("'; drop table --", ("drop", "table"), "DROPTABLE"),
        ("\u0000🚗%_", (), ""),
        ("a b c d e f g h i j", tuple("abcdefgh"), "ABCDEFGHIJ"),
    ],
)
def test_a_term_is_read_as_words(typed: str, words: tuple[str, ...], sku: str) -> None:
    term = read_term(typed)
    assert (term.words, term.sku) == (words, sku)


def test_what_was_typed_without_a_word_is_not_as_if_nothing_was() -> None:
    void = {typed: read_term(typed).is_void for typed in ("", "  ", "+++", "🚗", "Москва", "a +")}
    assert [typed for typed, is_void in void.items() if is_void] == ["+++", "🚗", "Москва"]


def test_a_product_is_found_by_its_words_and_by_its_skus_in_one_piece() -> None:
    assert (
        words_of("2-Way Kit", "FTX", "FX-RF-0409-STD")
        == "2 way 2way kit ftx fx rf 0409 std fxrf0409std"
    )


@pytest.mark.parametrize(
    ("title", "years"),
    [
        ("T-Harness for Honda Civic 2016-2019", (2016, 2017, 2018, 2019)),
        ("Honda Civic 2016-18", (2016, 2017, 2018)),
        ("Honda Civic 1999–2001, 2004 / 2005", (1999, 2000, 2001, 2004, 2005)),
        ("Honda Civic 2019", ()),
        ("Honda Civic 2019-2016", ()),
        ("Everything 1940-2026", ()),
        ("FT-2016-2019-STD", ()),
    ],
)
def test_a_range_in_a_title_holds_its_years(title: str, years: tuple[int, ...]) -> None:
    assert years_in(title) == years


def test_a_product_is_found_by_each_year_of_its_range() -> None:
    assert words_of("Civic 2016-2019").split()[-2:] == ["2017", "2018"]


def test_a_sku_is_nearer_than_words_and_whole_words_nearer_than_beginnings() -> None:
    def near(typed: str, words: str, popularity: int = 0) -> int:
        term = read_term(typed)
        joined = term.sku.lower()
        return closeness(term.words, joined, words=words.split(), popularity=popularity)

    sku = near("fx rf", "fx rf 0409 fxrf0409")
    whole = near("fx rf", "fx rf")
    begun = near("fx rf", "fxen rfen", popularity=5_000_000)
    assert sku > whole > begun
    assert near("fx", "fxen", popularity=2) > near("fx", "fxen", popularity=1)


@pytest.mark.parametrize(
    ("typed", "meant", "count"),
    [
        ("start", "start", 0),
        ("strat", "start", 1),
        ("stat", "start", 1),
        ("sttart", "start", 1),
        ("smart", "start", 1),
        ("", "abc", 3),
        ("ca", "abc", 3),
    ],
)
def test_slips_are_counted(typed: str, meant: str, count: int) -> None:
    assert slips(typed, meant) == slips(meant, typed) == count


KNOWN = ("start", "smart", "remote", "replacement", "harness", "harnesses", "tape", "tesa", "kit")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("strat", ("start",)),
        ("remtoe", ("remote",)),
        ("harnes", ("harness", "harnesses")),
        ("replacemnet", ("replacement",)),
        ("tepa", ("tesa",)),
        ("kiit", ("kit",)),
        ("zzzz", ()),
    ],
)
def test_the_nearest_words_are_meant(typed: str, meant: tuple[str, ...]) -> None:
    assert probably_meant(typed, KNOWN) == meant


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Remote Start + Security", "remote-start-security"),
        ("Back-up Camera", "back-up-camera"),
        ("RF Kit", "rf-kit"),
        ("FTX", "ftx"),
    ],
)
def test_slugs_are_those_of_the_addresses(name: str, slug: str) -> None:
    assert slug_of(name) == slug


@pytest.mark.parametrize(("sku", "suffix"), [("A-B-C", "C"), ("ABC", ""), ("A-", "")])
def test_the_suffix_is_the_last_dash_separated_part(sku: str, suffix: str) -> None:
    assert suffix_of(sku) == suffix


@pytest.mark.parametrize(
    ("on_hand", "is_for_purchase", "expected"),
    [
        (6, True, Availability.IN_STOCK),
        (5, True, Availability.LOW),
        (0, True, Availability.BACKORDER),
        (9, False, Availability.NOT_FOR_SALE),
    ],
)
def test_what_can_be_had(on_hand: int, is_for_purchase: bool, expected: Availability) -> None:
    assert availability_of(Stock(on_hand=on_hand), is_for_purchase=is_for_purchase) is expected
