"""One HTTP line: what is longer than it can be is given up where it becomes so, and not read to its end."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import httpx
import pytest

from providers.cards.transport import StripeTransport
from providers.errors import Refused, Unavailable
from providers.gateway import Gateway
from providers.http import MOST_BYTES, HttpClient
from providers.instrumentation import WatchedClient

PART, MOST = b"x" * 100, 1_000


class Poured(httpx.AsyncByteStream):
    """A body that comes in parts; counts those that were taken."""

    def __init__(self, parts: int) -> None:
        self.parts, self.taken, self.is_closed = parts, 0, False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for _ in range(self.parts):
            self.taken += 1
            yield PART

    async def aclose(self) -> None:
        self.is_closed = True


async def called(body: Poured, status: int = 200) -> bytes:
    answer = httpx.MockTransport(lambda _: httpx.Response(status, stream=body))
    async with httpx.AsyncClient(transport=answer) as client:
        wire = HttpClient(client, system="vendor", base_url="http://vendor", most_bytes=MOST)
        return await wire.call("read", "GET", "/")


async def test_an_answer_is_read_to_its_end() -> None:
    assert len(await called(Poured(10))) == MOST


async def test_one_that_is_longer_than_it_can_be_is_read_no_further() -> None:
    body = Poured(1_000_000)
    with pytest.raises(Unavailable) as told:
        await called(body)
    assert (told.value.may_have_worked, body.taken, body.is_closed) == (True, 11, True)


async def test_every_line_has_an_end() -> None:
    """Also the card provider's, which its own SDK asks through."""
    body, other = Poured(1_000_000), Poured(1_000_000)
    bodies = [body, other]
    answer = httpx.MockTransport(lambda _: httpx.Response(200, stream=bodies.pop(0)))
    async with httpx.AsyncClient(transport=answer) as client:
        with pytest.raises(Unavailable):
            await HttpClient(client, system="vendor", base_url="http://vendor").call(
                "read", "GET", "/"
            )
        line = StripeTransport(
            client, base_url="http://cards", secret_key="sk_test_1", seconds=20, at_once=1
        )
        with pytest.raises(Unavailable):
            await line.ask("customer", line.stripe.v1.customers.retrieve_async("cus_1"))
    assert {one.taken for one in (body, other)} == {MOST_BYTES // len(PART) + 1}


@pytest.mark.parametrize(
    ("status", "said", "named"),
    [
        (500, "req_Vq7", "req_Vq7"),
        (409, "req_Vq7", "req_Vq7"),
        (500, "<b>req</b> 1", None),
        (500, None, None),
    ],
)
async def test_what_the_card_provider_calls_a_request_is_known_of_its_failure(
    status: int, said: str | None, named: str | None
) -> None:
    headers = {"Request-Id": said} if said else {}
    body = {"error": {"type": "idempotency_error" if status == 409 else "api_error"}}
    answer = httpx.MockTransport(lambda _: httpx.Response(status, json=body, headers=headers))
    async with httpx.AsyncClient(transport=answer) as client:
        line = StripeTransport(
            client, base_url="http://cards", secret_key="sk_test_1", seconds=20, at_once=1
        )
        with pytest.raises(Unavailable) as told:
            await line.ask("customer", line.stripe.v1.customers.retrieve_async("cus_1"))
    assert told.value.request_id == named


async def test_a_page_of_the_gateway_that_holds_nothing_is_the_last() -> None:
    body = {"results": [], "has_more": True}
    answer = httpx.MockTransport(lambda _: httpx.Response(200, json=body))
    async with httpx.AsyncClient(transport=answer) as client:
        gateway = Gateway(client, base_url="http://gateway", api_key="key")
        assert await gateway.charges(datetime.now(UTC), None) == ((), None)


class Broken(Poured):
    """A body that breaks in its midst."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield PART
        raise httpx.ReadError("gone")


async def test_an_answer_that_breaks_in_its_midst_counts_as_a_failure() -> None:
    bodies: list[Poured] = [Broken(1), Poured(1)]
    answer = httpx.MockTransport(lambda _: httpx.Response(200, stream=bodies.pop(0)))
    systems = {"vendor": "http://vendor"}
    async with WatchedClient(systems=systems, process="test", transport=answer) as client:
        wire = HttpClient(client, system="vendor", base_url="http://vendor", most_bytes=MOST)
        with pytest.raises(Unavailable):
            await wire.call("read", "GET", "/")
        (seen,) = client.seen()
        assert (seen.calls, seen.failures, seen.is_well) == (1, 1, False)
        assert await wire.call("read", "GET", "/") == PART
        (seen,) = client.seen()
        assert (seen.calls, seen.failures, seen.is_well) == (2, 1, True)


async def test_nor_is_what_a_proxy_says() -> None:
    body = Poured(1_000_000)
    with pytest.raises(Unavailable):
        await called(body, 404)
    assert (body.taken, body.is_closed) == (11, True)


@pytest.mark.parametrize("status", [400, 403, 404, 421])
@pytest.mark.parametrize("body", [b"", b"<h1>Not Found</h1>", b"{}", b'{"detail": "Not Found"}'])
async def test_only_the_systems_own_words_are_its_no(status: int, body: bytes) -> None:
    with pytest.raises(Unavailable) as told:
        await answered(status, body)
    assert (told.value.may_have_worked, told.value.answered) == (False, status)
    with pytest.raises(Refused) as refused:
        await answered(status, b'{"code": "too_late", "detail": "It is gone."}')
    assert (refused.value.code, refused.value.detail) == ("too_late", "It is gone.")


async def answered(status: int, body: bytes) -> bytes:
    answer = httpx.MockTransport(lambda _: httpx.Response(status, content=body))
    async with httpx.AsyncClient(transport=answer) as client:
        return await HttpClient(client, system="vendor", base_url="http://vendor").call(
            "read", "GET", "/"
        )
