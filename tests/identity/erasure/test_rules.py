"""Every column says what becomes of it when somebody is forgotten; and what that does to a text."""

from collections import Counter

import pytest
from sqlalchemy import Column, LargeBinary, MetaData, Table, Text
from sqlalchemy.types import ARRAY, JSON

import db.tables  # noqa: F401 # pyright: ignore[reportUnusedImport] all of them
from db.base import Base
from db.identity.personal import PLACES
from domain.identity.erasure import rewritten

TABLES = sorted(Base.metadata.tables)


def texts_of(table: Table) -> set[str]:
    """Columns that may hold a person: numbers and times do not, and a reference tells only whose a row is."""
    return {
        column.name
        for column in table.columns
        if isinstance(column.type, Text | JSON | ARRAY | LargeBinary) and not column.foreign_keys
    }


@pytest.mark.parametrize("name", TABLES)
def test_every_column_of_a_table_is_declared_once(name: str) -> None:
    expected = texts_of(Base.metadata.tables[name])
    declared = Counter(PLACES[name].declared) if name in PLACES else Counter[str]()
    assert set(declared) == expected
    assert not [column for column, times in declared.items() if times > 1]


def test_a_new_column_would_be_missed() -> None:
    added = Table(
        "brand", MetaData(), Column("slug", Text), Column("name", Text), Column("owner_email", Text)
    )
    assert texts_of(added) - set(PLACES["brand"].declared) == {"owner_email"}


def test_no_table_is_declared_that_is_gone() -> None:
    assert set(PLACES) <= set(TABLES)


def test_what_a_place_names_is_there_and_no_reason_is_empty() -> None:
    for name, place in PLACES.items():
        columns = set(Base.metadata.tables[name].columns.keys())
        for words in (place.by, place.mailed, place.secret):
            assert set(words.split()) <= columns, name
        assert all(place.kept.values()), name
        for cleared in place.cleared.split():
            assert Base.metadata.tables[name].columns[cleared].nullable, (name, cleared)


def test_no_reference_to_a_person_is_forgotten() -> None:
    """A table that points to a person says whose its rows are."""
    for name in TABLES:
        for column in Base.metadata.tables[name].columns:
            if any(key.target_fullname == "person.id" for key in column.foreign_keys):
                is_known = column.name in PLACES[name].by.split()
                assert is_known or column.name == "impersonated_id", (name, column.name)


WORDS = ["Ina Installer", "ina@shop.example", "+16045550123"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Ina Installer", "x"),
        ("asked by ina installer, ina@shop.example", "asked by x, x"),
        ("call +16045550123", "call x"),
        ("Carina Installers", "Carina Installers"),
        ("+160455501234", "+160455501234"),
    ],
)
def test_a_persons_words_are_replaced_as_a_whole(text: str, left: str) -> None:
    assert rewritten({"a": [text, 7, None]}, WORDS, "x") == {"a": [left, 7, None]}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("bob@x.com", "x"),
        ("write to Bob@X.com.", "write to x."),
        ("'bob@x.com', <bob@x.com>; email=bob@x.com", "'x', <x>; email=x"),
        ("ann@x.com/bob@x.com - gone", "ann@x.com/x - gone"),
        ("-bob@x.com- …bob@x.com", "-x- …x"),
        *(
            (other, other)
            for other in (
                "jimbob@x.com",
                "jim.bob@x.com",
                "jim-bob@x.com",
                "jim--bob@x.com",
                "jim_bob@x.com",
                "jim+bob@x.com",
                "o'bob@x.com",
                "bob@x.com.au",
                "bob@x.com-parts.example",
                "bob@x.community",
            )
        ),
    ],
)
def test_an_address_is_no_piece_of_another_one(text: str, left: str) -> None:
    assert rewritten(text, ["bob@x.com"], "x") == left
