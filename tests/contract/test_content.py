"""Content pages in the shape of WordPress's REST API: what is asked, what is answered, and what its markup becomes."""

import asyncio
import threading
from collections.abc import AsyncGenerator

import httpx
import pytest
from structlog.testing import capture_logs

from domain.content.pages import PageNotFound
from providers.content import pages
from providers.content.markup import read
from providers.content.pages import FIELDS, Content
from providers.errors import Unavailable
from tests.simulators.harness import BASE, World, a_world

PAGES = "/content/wp-json/wp/v2/pages"


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World]:
    async with a_world(tmp_path_factory.mktemp("content") / "state.sqlite") as world:
        yield world


def content(client: httpx.AsyncClient) -> Content:
    return Content(client, base_url=f"{BASE}/content/")


async def test_pages_are_asked_for_by_slug_or_number_and_only_what_is_needed(world: World) -> None:
    seen: list[httpx.URL] = []

    async def see(request: httpx.Request) -> None:
        seen.append(request.url)

    transport = httpx.ASGITransport(world.app)
    async with httpx.AsyncClient(transport=transport, event_hooks={"request": [see]}) as client:
        await content(client).page("terms", "fr")
        await content(client).page("18724", "en")
        await content(client).page("18724", "fr")
    assert [url.path for url in seen] == [PAGES] * 4
    common = {"_fields": FIELDS, "per_page": "1"}
    assert [dict(url.params) for url in seen] == [
        {"slug": "terms", "lang": "fr", **common},
        {"include": "18724", "lang": "en", **common},
        {"include": "18724", "lang": "en", **common},
        {"slug": "home", "lang": "fr", **common},
    ]


async def test_a_translation_has_a_number_of_its_own_and_is_found_by_that_of_the_page(
    world: World,
) -> None:
    every = (await world.http.get(PAGES, params={"per_page": 100})).json()
    assert len({one["id"] for one in every}) == len(every)
    page = await content(world.http).page("18724", "fr")
    assert (page.language, page.title, len(page.slides)) == ("fr", "Accueil", 3)
    assert (await content(world.http).page("18724", "en")).language == "en"
    with pytest.raises(PageNotFound):
        await content(world.http).page("999999", "fr")


async def test_a_list_tells_how_long_it_is_and_has_the_fields_that_were_asked_for(
    world: World,
) -> None:
    answer = await world.http.get(PAGES, params={"_fields": "id,title.rendered", "per_page": 5})
    assert int(answer.headers["X-WP-Total"]) > 5
    assert int(answer.headers["X-WP-TotalPages"]) > 1
    assert [set(one) for one in answer.json()] == [{"id", "title"}] * 5
    whole = (await world.http.get(PAGES, params={"slug": "terms", "lang": "en"})).json()[0]
    assert {"id", "slug", "status", "link", "title", "content", "excerpt"} <= set(whole)
    alone = await world.http.get(f"{PAGES}/{whole['id']}")
    assert alone.json() == whole
    missing = await world.http.get(f"{PAGES}/999999")
    assert (missing.status_code, missing.json()["code"]) == (404, "rest_post_invalid_id")


async def test_a_page_comes_in_english_when_it_has_no_other_language(world: World) -> None:
    page = await content(world.http).page("hostile", "fr")
    assert page.language == "en"
    with pytest.raises(PageNotFound):
        await content(world.http).page("no-such-page", "fr")


async def test_every_request_stands_in_the_ledger_and_one_may_be_slow(world: World) -> None:
    before = (await world.http.get("/content/_ledger")).json()["results"]
    after = {"after": before[-1]["seq"] if before else 0}
    hasty = Content(world.http, base_url=f"{BASE}/content/", seconds=0.2)
    with pytest.raises(Unavailable):
        await hasty.page("slow", "en")
    await content(world.http).page("terms", "fr")
    asked = (await world.http.get("/content/_ledger", params=after)).json()["results"]
    assert [one["device_key"] for one in asked] == ["slow", "terms"]


async def test_titles_are_words_not_markup(world: World) -> None:
    assert (await content(world.http).page("terms", "en")).title == "Terms & Conditions"


@pytest.mark.parametrize("slug", ["down", "broken", "misled"])
async def test_what_is_no_list_of_pages_is_unavailable(world: World, slug: str) -> None:
    with pytest.raises(Unavailable):
        await content(world.http).page(slug, "en")


def test_what_the_block_editor_writes_becomes_our_blocks() -> None:
    blocks, slides = read(
        "page",
        """
        <div class="wp-block-group"><h3 class="wp-block-heading">Head</h3>
        <p>Some <strong>bold</strong><br>and <a href="/terms" target="_blank">a link</a> &amp; more</p></div>
        <ol class="wp-block-list"><li>one</li><li>two <em>2</em></li></ol>
        <figure class="wp-block-image"><a href="/x"><img src="https://a.example/b.png" alt="B"></a>
        <figcaption>Below</figcaption></figure>
        <figure class="wp-block-video"><video controls src="https://a.example/b.mp4" aria-label="A film"></video></figure>
        <figure class="wp-block-table"><table><thead><tr><th>a</th><th>b</th></tr></thead>
        <tbody><tr><td>1</td><td>2</td></tr></tbody></table></figure>
        <hr class="wp-block-separator"><p></p><blockquote class="wp-block-quote">Said by <cite>somebody</cite></blockquote>
        <div class="wp-block-buttons"><div class="wp-block-button"><a href="/orders">Order now</a></div></div>
        <ul><li>one<ul><li>inner <em>1</em></li><li>inner 2</li></ul></li><li>two</li></ul>
        <a href="/x"><img src="https://a.example/c.png" alt="C"></a>
        """,
    )
    assert [one.model_dump(exclude_defaults=True, exclude={"type"}) for one in blocks] == [
        {"level": 3, "text": "Head"},
        {"text": 'Some <strong>bold</strong><br>and <a href="/terms">a link</a> &amp; more'},
        {"style": "ordered", "items": ("one", "two <em>2</em>")},
        {"url": "https://a.example/b.png", "alt": "B", "caption": "Below"},
        {"url": "https://a.example/b.mp4", "title": "A film"},
        {"head": ("a", "b"), "rows": (("1", "2"),)},
        {},
        {"text": "Said by somebody"},
        {"text": '<a href="/orders">Order now</a>'},
        {"style": "unordered", "items": ("one", "inner <em>1</em>", "inner 2", "two")},
        {"url": "https://a.example/c.png", "alt": "C"},
    ]
    assert slides == ()


def test_what_has_no_reader_is_left_out_and_logged() -> None:
    markup = "<li>stray</li><iframe src='https://a.example'>in it</iframe><p>Stays</p>"
    with capture_logs() as logs:
        blocks, _ = read("page", markup)
    assert [one.model_dump() for one in blocks] == [{"type": "paragraph", "text": "Stays"}]
    assert [one["kind"] for one in logs] == ["iframe", "li"]


@pytest.mark.parametrize("tag", ["div", "b", "li"])
def test_what_is_deeper_than_a_page_is_left_out(tag: str) -> None:
    deep = f"<{tag}>" * 1_500 + "deep" + f"</{tag}>" * 1_500
    with capture_logs() as told:
        blocks, _ = read("deep", f"<p>Before</p>{deep}<p>After</p>")
    words = [getattr(block, "text", "") for block in blocks]
    assert (words[0], words[-1], "deep" in "".join(words)) == ("Before", "After", False)
    assert {"content_block_left_out"} == {one["event"] for one in told}


def test_the_lists_inside_an_item_are_taken_once_each() -> None:
    (block,), _ = read("lists", f"<ul><li>One{'<ul></ul>' * 20_000}</li></ul>")
    assert getattr(block, "items", None) == ("One",)


@pytest.mark.parametrize("rendered", ["<div>" * 20_000, "<p>long</p>" * 100_000])
async def test_a_page_that_nobody_wrote_is_unavailable(rendered: str) -> None:
    page = {"slug": "x", "title": {"rendered": "X"}, "content": {"rendered": rendered}}
    answer = httpx.MockTransport(lambda _: httpx.Response(200, json=[page]))
    async with httpx.AsyncClient(transport=answer) as client:
        with pytest.raises(Unavailable):
            await content(client).page("x", "en")


async def test_others_are_answered_while_a_page_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    beat = threading.Event()

    def slow(page_id: str, markup: str) -> tuple[tuple[()], tuple[()]]:
        assert beat.wait(timeout=10)
        return (), ()

    monkeypatch.setattr(pages, "read", slow)
    page = {"slug": "x", "title": {"rendered": "X"}, "content": {"rendered": ""}}
    answer = httpx.MockTransport(lambda _: httpx.Response(200, json=[page]))
    async with httpx.AsyncClient(transport=answer) as client, asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(content(client).page("x", "en"))
        tasks.create_task(asyncio.to_thread(lambda: None)).add_done_callback(lambda _: beat.set())
    assert asked.result().blocks == ()
