"""The codec server: opens what Temporal's own page shows of runs, for administrators. `python -m api.codec_server`.

It listens on loopback or on the operators' network (`CODEC_HOST`), never where the portal does (promise 41). An
administrator comes by a button of the operators' page: their portal gives them a ticket of a minute, which is changed here
for a cookie. Each call reads from the database whether the sign-in lives, and whose it is.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from urllib.parse import urlsplit

import uvicorn
from google.protobuf import json_format
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from temporalio.api.common.v1 import Payload, Payloads

from assembly import payload_codec_of, tokens_of
from db.base import Sessions, make_engine, make_sessions, reading
from db.identity.sign_ins import user_of_sign_in
from domain.identity.people import InvalidToken, Role, TokenExpired, roles_of
from logs import set_up_logs
from providers.security.payloads import SealBroken, SealedPayloads
from providers.security.tokens import AtCodec
from settings import Settings

COOKIE = "turnkey_codec"
STAYS = timedelta(hours=8)
MOST_BYTES = 16 * 1024 * 1024
"""Of one call: Temporal's page sends what it shows, and a payload has at most 256 KB."""

Work = Callable[[list[Payload]], Awaitable[list[Payload]]]


class CodecServer:
    """`/encode` and `/decode` as Temporal's page asks for them, `/enter` for who comes with a ticket."""

    def __init__(self, settings: Settings, codec: SealedPayloads, sessions: Sessions) -> None:
        self._codec = codec
        self._sessions = sessions
        self._tokens = tokens_of(settings)
        self._page = settings.temporal_ui_url
        self._behind_tls = settings.codec_url.startswith("https://")

    async def enter(self, request: Request) -> Response:
        """Sets the cookie of the ticket's administrator and goes on to Temporal's page; 403 for anybody else."""
        sign_in_id = await self._administrator(
            AtCodec.TICKET, request.query_params.get("ticket", "")
        )
        if sign_in_id is None:
            return PlainTextResponse("Come by the operators' page of the portal.", 403)
        answer = RedirectResponse(self._page, 303)
        answer.set_cookie(
            COOKIE,
            self._tokens.for_codec(AtCodec.STAY, sign_in_id, STAYS),
            max_age=int(STAYS.total_seconds()),
            secure=self._behind_tls,
            httponly=True,
            samesite="strict",
        )
        return answer

    async def encode(self, request: Request) -> Response:
        return await self._answer(request, self._codec.encode)

    async def decode(self, request: Request) -> Response:
        return await self._answer(request, self._codec.decode)

    async def _answer(self, request: Request, work: Work) -> Response:
        if await self._administrator(AtCodec.STAY, request.cookies.get(COOKIE, "")) is None:
            return PlainTextResponse("For administrators, by the operators' page.", 403)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                return PlainTextResponse("Too much at once.", 413)
        payloads = Payloads()
        try:
            json_format.Parse(body, payloads)
            worked = Payloads(payloads=await work(list(payloads.payloads)))
        except json_format.ParseError:
            return PlainTextResponse("Not payloads.", 400)
        except SealBroken:
            return PlainTextResponse("None of the keys opens this.", 400)
        return JSONResponse(json_format.MessageToDict(worked))

    async def _administrator(self, use: AtCodec, token: str) -> str | None:
        """The sign-in of a token for this use, if it lives and is an administrator's."""
        try:
            sign_in_id = self._tokens.sign_in_at_codec(use, token)
        except (InvalidToken, TokenExpired):
            return None
        async with reading(self._sessions) as session:
            user = await user_of_sign_in(session, sign_in_id)
        return sign_in_id if user is not None and Role.ADMIN in roles_of(user) else None


def create_app(settings: Settings) -> Starlette:
    """Raises ValueError where there is nothing to open."""
    codec = payload_codec_of(settings)
    if codec is None:
        raise ValueError("PAYLOAD_KEYS is empty: payloads are kept as they are")
    engine = make_engine(settings.database_url)
    server = CodecServer(settings, codec, make_sessions(engine))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        yield
        await engine.dispose()

    page = urlsplit(settings.temporal_ui_url)
    return Starlette(
        routes=[
            Route("/enter", server.enter, methods=["GET"]),
            Route("/encode", server.encode, methods=["POST"]),
            Route("/decode", server.decode, methods=["POST"]),
        ],
        middleware=[
            Middleware(
                CORSMiddleware,
                allow_origins=[f"{page.scheme}://{page.netloc}"],
                allow_methods=["POST"],
                allow_headers=["content-type", "x-namespace"],
                allow_credentials=True,
            )
        ],
        lifespan=lifespan,
    )


def main() -> None:
    settings = Settings()
    set_up_logs()
    try:
        app = create_app(settings)
    except ValueError as error:
        raise SystemExit(str(error)) from None
    uvicorn.run(
        app,
        host=settings.codec_host,
        port=settings.codec_port,
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
    )


if __name__ == "__main__":
    main()
