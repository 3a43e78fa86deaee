"""One trace in the order in which it happened, each span below what began it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dev.traces.spans import Span

DEEPEST = 24
"""Levels that are shown as such; what is deeper stands there too."""


@dataclass(frozen=True)
class Row:
    """`offset` is milliseconds since the trace began; `left` and `width` are per cent of all of it."""

    span: Span
    depth: int
    offset: float
    left: float
    width: float


def waterfall(spans: Sequence[Span]) -> list[Row]:
    """What has no parent here stands at the top: the browser's own span is never sent."""
    if not spans:
        return []
    first, last = min(one.begun for one in spans), max(one.ended for one in spans)
    whole = max(last - first, 1)
    known = {one.id for one in spans}
    below: defaultdict[str, list[Span]] = defaultdict(list)
    for one in spans:
        below[one.parent if one.parent in known else ""].append(one)

    def rows() -> Iterator[Row]:
        waiting = [(one, 0) for one in reversed(below[""])]
        while waiting:
            span, depth = waiting.pop()
            yield Row(
                span=span,
                depth=min(depth, DEEPEST),
                offset=(span.begun - first) / 1e6,
                left=100 * (span.begun - first) / whole,
                width=max(100 * (span.ended - span.begun) / whole, 0.2),
            )
            waiting += [(one, depth + 1) for one in reversed(below[span.id])]

    return list(rows())
