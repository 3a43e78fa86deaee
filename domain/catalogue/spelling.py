"""Words that were probably meant: those that are a few slips of the finger away from the typed one."""

from collections.abc import Iterable

SHORT = 4
"""Up to this length one slip is allowed, beyond it two. Our choice."""
MOST = 4


def slips(typed: str, meant: str) -> int:
    """How many letters were left out, added, swapped for another or with the next one."""
    before: list[int] = []
    row = list(range(len(meant) + 1))
    for i, a in enumerate(typed, start=1):
        above, row = row, [i]
        for j, b in enumerate(meant, start=1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b))
            if i > 1 and j > 1 and a == meant[j - 2] and typed[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before = above
    return row[-1]


def probably_meant(typed: str, known: Iterable[str]) -> tuple[str, ...]:
    """The nearest of the known words, at most four of the same distance; none when all are too far. The first letters of
    a longer word count as the word."""
    allowed = 1 if len(typed) <= SHORT else 2
    found: dict[int, list[str]] = {}
    for word in known:
        away = min(slips(typed, word), slips(typed, word[: len(typed)]))
        if away <= allowed:
            found.setdefault(away, []).append(word)
    return tuple(found[min(found)][:MOST]) if found else ()
