"""What is told of products, kept in memory for a while (shop spec 9: 160 seconds)."""

import time
from collections.abc import Callable

from domain.catalogue.products import PRODUCT_CACHE_SECONDS, ProductPage

MOST = 2000
"""Pages in memory, at most."""


class ProductPages:
    """Neither prices nor stock are in a page, so that a change of those is seen at once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held: dict[str, tuple[float, ProductPage]] = {}

    def of(self, product_id: str) -> ProductPage | None:
        held = self._held.get(product_id)
        if held is None or self._clock() - held[0] > PRODUCT_CACHE_SECONDS:
            return None
        return held[1]

    def store(self, page: ProductPage) -> None:
        """The oldest goes when there are too many."""
        self._held.pop(page.product_id, None)
        self._held[page.product_id] = (self._clock(), page)
        while len(self._held) > MOST:
            del self._held[next(iter(self._held))]
