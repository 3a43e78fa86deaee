"""Letters in two languages: which one is wanted, and that each text has both."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from string import Formatter
from types import SimpleNamespace

import pytest

from domain.activation.words import _STEPS, step_words
from domain.kinds import ACTIVATION
from domain.letters.language import Language, Reader, preferred
from domain.letters.text import Text, reread
from domain.operations.case_mails import CAUSE_WORDS
from domain.operations.cases import CaseCause
from domain.plans.plans import PROBLEM_WORDS
from domain.plans.purchase_mails import TEXTS
from providers.messages.letter import as_html, letter

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("domain", "activities", "workers", "api")
FR = Language.FR
SPACE = "\N{NO-BREAK SPACE}"
TO_OURSELVES = {"workers/housekeeping.py": "to the desk that answers"}
"""Who writes a mail without asking for the language of its reader, and to whom."""


@cache
def texts() -> tuple[Text, ...]:
    """All that any module has."""
    names = (
        found.name
        for layer in LAYERS
        for found in pkgutil.walk_packages(importlib.import_module(layer).__path__, f"{layer}.")
        if not found.name.endswith("__main__")
    )
    values = (value for name in names for value in vars(importlib.import_module(name)).values())
    return tuple({text for value in values for text in within(value)})


def within(value: object) -> Iterator[Text]:
    if isinstance(value, Text):
        yield value
    elif isinstance(value, Mapping):
        yield from within(tuple(value.values()))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from within(one)


def fields_of(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


@pytest.mark.parametrize(
    ("accepted", "wanted"),
    [
        (None, None),
        ("", None),
        ("*", None),
        ("fr", "fr"),
        ("fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        ("en-CA, fr;q=0.9", "en"),
        ("en;q=0.5, fr-CA;q=0.9", "fr"),
        ("es, FR-ca;q=0.4", "fr"),
        ("fr;q=0, en;q=0.1", "en"),
        ("fr;q=0", None),
        ("fr;q=much, en;q=0.1", "en"),
        ("frisian", None),
        ("de," * 400 + "fr", None),
    ],
)
def test_a_browser_says_which_language_it_wants(accepted: str | None, wanted: str | None) -> None:
    assert preferred(accepted) == wanted


def test_who_reads_a_language_that_this_release_does_not_speak_is_written_to_in_english() -> None:
    row = SimpleNamespace(email="anna@shop.example", language="de")
    assert Reader.model_validate(row, from_attributes=True).language is None
    assert Reader.model_validate({"email": row.email, "language": "fr"}).language is FR


def test_every_text_says_the_same_in_both_languages() -> None:
    assert len(texts()) > 150
    for text in texts():
        assert fields_of(text.en) == fields_of(text.fr), text
        assert text.fr.strip(), text
        assert text.en.count("\n") == text.fr.count("\n"), text
        assert "'" not in text.fr, f"an apostrophe is ’: {text}"
        assert SPACE not in text.fr, f"they come by themselves: {text}"


def test_nobody_writes_without_asking_for_the_readers_language() -> None:
    found = {
        str(path.relative_to(ROOT))
        for layer in LAYERS
        for path in (ROOT / layer).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr == "send_mail"
    }
    assert found == set(TO_OURSELVES)


def test_money_and_days_are_written_as_in_quebec() -> None:
    price = Text("${total:,.2f}", "{total:,.2f} $")
    assert price(None, total=Decimal("1234.56")) == "$1,234.56"
    assert price(FR, total=Decimal("1234.56")) == f"1{SPACE}234,56{SPACE}$"
    day = Text("{on:%B %-d, %Y at %H:%M}", "{on:%-d %B %Y à %-H h %M}")
    assert day(Language.EN, on=datetime(2026, 8, 5, 14, 5)) == "August 5, 2026 at 14:05"  # noqa: DTZ001
    assert day(FR, on=datetime(2026, 8, 1, 14, 5)) == "1er août 2026 à 14 h 05"  # noqa: DTZ001
    assert Text("{on:%Y-%m-%d}", "{on:%-d %B %Y}")(FR, on=date(2026, 3, 12)) == "12 mars 2026"


def test_what_somebody_typed_stays_as_it_is() -> None:
    said = Text("They write: {note}", "Message : {note}")
    assert said(FR, note="{total} : 5 $") == f"Message{SPACE}: {{total}} : 5 $"


def test_what_is_said_may_be_a_text_itself() -> None:
    inner = Text("nobody", "personne")
    assert Text("It is {who}.", "C’est {who}.")(FR, who=inner) == "C’est personne."


def test_what_a_run_wrote_in_english_is_read_again() -> None:
    charged = Text("Charged: {amount:f} USD", "Débité : {amount:f} USD")
    why = Text("{name}: {detail}", "{name} : {detail}")
    busy = Text("It was busy.", "Il était occupé.")
    written = "Charged: 1234.50 USD\n\nX1: It was busy.\nX2: no idea\nhttps://portal.test/a"
    known = (charged, busy, why)
    assert reread(None, written, known) == reread(Language.EN, written, known) == written
    assert reread(FR, written, known).split("\n") == [
        f"Débité{SPACE}: 1234,50 USD",
        "",
        f"X1{SPACE}: Il était occupé.",
        f"X2{SPACE}: no idea",
        "https://portal.test/a",
    ]


def test_every_step_and_cause_has_its_words_and_every_problem_is_known() -> None:
    assert _STEPS.keys() == ACTIVATION.labels.keys()
    assert step_words("system-settings/doors") == _STEPS["system-settings"]
    assert step_words("of-tomorrow").en == "its next step"
    assert CAUSE_WORDS.keys() == set(CaseCause)
    assert set(PROBLEM_WORDS.values()) <= {text.en for text in TEXTS}


def test_a_letter_says_which_language_it_is_in() -> None:
    french = letter(
        "Turnkey <portal@turnkey.example>",
        "ana@example.com",
        "Objet",
        f"Choisissez votre mot de passe{SPACE}: https://portal.test/set",
        "key",
        portal_urls=("https://portal.test",),
        language=FR,
    )
    assert french["Content-Language"] == "fr"
    html = french.get_body(("html",))
    assert html is not None
    assert '<html lang="fr">' in html.get_content()
    assert ">Choisissez votre mot de passe</a>" in html.get_content()
    assert '<html lang="en">' in as_html("Hello", "A text", ())
