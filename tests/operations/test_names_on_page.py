"""What the operators' page is told by a name has words in the browser, so that nobody reads it in another language."""

from pathlib import Path

from settings import Settings
from workflows.operations.reconciler import PARTS

WORDS = Path(__file__).parents[2] / "web/src/features/operations/words.ts"
BRANDS = {"SMS", "iDatawire"}
"""Names that are the same in every language."""


def test_each_outside_system_and_each_part_of_a_round_has_words() -> None:
    words = WORDS.read_text()
    named = {*Settings().third_parties} - BRANDS | {name for _, name, _ in PARTS}
    assert {name for name in named if f"msg`{name}`" not in words} == set()
