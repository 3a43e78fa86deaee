"""Pages through the portal from the content provider, and what a site is set to."""

from collections.abc import AsyncGenerator

import httpx
import pytest
from fastapi import FastAPI

from domain.content.pages import HOME_CAROUSEL
from tests.drivers.portal import a_browser, running_portal


@pytest.fixture
async def browser(database_url: str, simulators: FastAPI) -> AsyncGenerator[httpx.AsyncClient]:
    outside = httpx.ASGITransport(simulators)
    async with (
        running_portal(
            database_url,
            outside=outside,
            wiki_url="https://wiki.example",
            partner_email_domains=("partner.example",),
        ) as app,
        a_browser(app) as client,
    ):
        yield client


PAGES = ("company-info", "contact-us", "terms", "shipping", "privacy-policy", "return-policy")


@pytest.mark.parametrize("page_id", PAGES)
async def test_static_page_is_there_in_both_languages(
    browser: httpx.AsyncClient, page_id: str
) -> None:
    english = (await browser.get(f"/content/v1/pages/{page_id}")).json()
    french = (await browser.get(f"/content/v1/pages/{page_id}?locale=fr")).json()
    assert (english["language"], french["language"]) == ("en", "fr")
    assert len(english["blocks"]) == len(french["blocks"]) > 2
    assert [block["type"] for block in english["blocks"]] == [
        block["type"] for block in french["blocks"]
    ]


async def test_carousel_of_the_home_page_has_slides_with_pictures_of_ours(
    browser: httpx.AsyncClient,
) -> None:
    page = (await browser.get(f"/content/v1/pages/{HOME_CAROUSEL}")).json()
    assert len(page["slides"]) == 3
    assert all(slide["image"].startswith("/pictures/") and slide["alt"] for slide in page["slides"])


async def test_unknown_page_is_not_found(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/content/v1/pages/no-such-page")
    assert answer.status_code == 404
    assert answer.json()["detail"] == "The page you are looking for does not exist."


@pytest.mark.parametrize("page_id", ["down", "broken"])
async def test_provider_without_a_usable_answer_makes_only_its_page_unavailable(
    browser: httpx.AsyncClient, page_id: str
) -> None:
    answer = await browser.get(f"/content/v1/pages/{page_id}")
    assert (answer.status_code, answer.json()["code"]) == (503, "provider_unavailable")
    assert (await browser.get("/v1/site")).status_code == 200


async def test_what_a_provider_should_not_send_is_left_out_and_the_rest_stands(
    browser: httpx.AsyncClient,
) -> None:
    page = (await browser.get("/content/v1/pages/hostile")).json()
    assert page["blocks"] == [
        {"type": "paragraph", "text": text}
        for text in (
            "Good <b>start</b>",
            "picture &lt;img src=x onerror=alert(1)&gt;",
            "press me",
            '<a href="https://ok.example/a?b=1&amp;c=2">Good end</a>',
        )
    ]
    assert page["slides"] == []
    assert page["title"] == "<script>document.title='taken'</script>Hostile"


@pytest.mark.parametrize("page_id", ["..%2Fsecret", "A", "a--b", "a%00", "x" * 65])
async def test_odd_page_ids_never_reach_the_provider(
    browser: httpx.AsyncClient, page_id: str
) -> None:
    answer = await browser.get(f"/content/v1/pages/{page_id}")
    assert answer.status_code in (400, 404, 422)


async def test_site_tells_its_links_switches_and_sibling(browser: httpx.AsyncClient) -> None:
    site = (await browser.get("/v1/site", headers={"Host": "localhost:8000"})).json()
    assert (site["code"], site["country"]) == ("ca", "CA")
    assert site["other"] == {
        "label": "Turnkey USA",
        "login_url": "http://us.localhost:8000/login",
    }
    assert site["links"]["wiki"] == "https://wiki.example"
    assert site["features"] == {
        "mfa": False,
        "card_payments": True,
        "wiring_diagrams": True,
        "t_harness": True,
        "default_pins": False,
        "ads_wiring": True,
        "automob_wiring": True,
    }
    assert site["partner_email_domains"] == ["partner.example"]


async def test_us_site_names_the_canadian_one_as_its_sibling(browser: httpx.AsyncClient) -> None:
    site = (await browser.get("/v1/site", headers={"Host": "us.localhost"})).json()
    assert (site["country"], site["other"]["login_url"]) == ("US", "http://localhost/login")


@pytest.mark.parametrize("locale", ["en", "fr"])
async def test_numbers_and_addresses_of_the_contact_page_can_be_pressed(
    browser: httpx.AsyncClient, locale: str
) -> None:
    page = (await browser.get(f"/content/v1/pages/contact-us?locale={locale}")).text
    for number in ("0101", "0102", "0103"):
        assert f"tel:+1-888-555-{number}" in page
    for address in ("accounts", "support", "returns"):
        assert f"mailto:{address}@turnkey.example" in page
