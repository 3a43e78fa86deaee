"""How well a product answers a term: the order of `Best match` (rulings "Later rulings"; decision 75)."""

from collections.abc import Collection, Sequence

SKU_COUNTS = 50
"""As many whole words as a SKU that begins with the term is worth: more than a term has."""
STEP = 1_000_000
"""A whole word is worth more than any popularity."""


def closeness(asked: Sequence[str], joined: str, *, words: Collection[str], popularity: int) -> int:
    """Higher is nearer: a SKU that begins as typed, then words that stand whole, then what sells best. `joined` is the term
    in one piece, `words` what the product is found by. `db.catalogue.search` says the same in SQL."""
    begins = bool(joined) and any(word.startswith(joined) for word in words)
    whole = sum(word in words for word in asked)
    return (SKU_COUNTS * begins + whole) * STEP + min(popularity, STEP - 1)
