"""What is kept of a product, and for how long (shop spec 9)."""

from api.platform.product_pages import MOST, ProductPages
from domain.catalogue.products import PRODUCT_CACHE_SECONDS, ProductPage


def a_page(product_id: str) -> ProductPage:
    return ProductPage(
        product_id=product_id, description=(), attributes=(), related=(), accessories=()
    )


def test_a_product_is_kept_for_160_seconds_and_no_longer() -> None:
    now = 1_000.0
    pages = ProductPages(clock=lambda: now)
    pages.store(a_page("p1"))
    now += 160
    assert pages.of("p1") == a_page("p1")
    now += 0.1
    assert pages.of("p1") is None
    assert PRODUCT_CACHE_SECONDS == 160


def test_the_oldest_goes_when_there_are_too_many() -> None:
    pages = ProductPages(clock=lambda: 0.0)
    for number in range(MOST):
        pages.store(a_page(f"p{number}"))
    pages.store(a_page("p0"))
    pages.store(a_page("one more"))
    assert pages.of("p1") is None
    assert all(pages.of(one) for one in ("p0", "p2", "one more"))
