"""The API process: builds what requests need and puts the parts together. `python -m api.main`."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import cache
from pathlib import Path

import httpx
import structlog
import uvicorn
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.routing import BaseRoute
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from api.platform.backlog import BacklogMonitor
from api.platform.border.codes import error_codes
from api.platform.border.database_watch import DatabaseWatch
from api.platform.border.deadline import Deadline
from api.platform.border.errors import PROBLEM_ANSWER, ProblemDetails, add_error_handlers
from api.platform.border.frontend import API_PREFIXES, FrontEnd
from api.platform.border.middleware import RequestContext, RequestLimits, SafetyHeaders
from api.platform.border.signposts import Signpost
from api.platform.deps import Portal, caller, permitted, signed_in
from api.platform.live import Live
from api.platform.sites import Sites
from api.routers import ROUTERS
from assembly import (
    PAYMENT_SECONDS_OF_A_CALL,
    TEXT_SECONDS_OF_A_CALL,
    keep_what_is_built,
    payload_codec_of,
    policies_of,
    systems_of,
)
from db.base import make_engine, make_sessions
from db.platform.durability import switched_off, unsafe_settings
from domain.content.pages import Features, SiteLinks
from domain.devices.keylocker import default_pins
from logs import set_up_logs
from observing.figures import QueueFigures, keep_looking
from observing.metrics import UNMEASURED, Metrics, metrics_at
from observing.tracing import UNTRACED, Tracing, tracing_of
from providers.instrumentation import WatchedClient
from providers.security.passwords import Passwords
from settings import Settings
from workflows.client import connect
from workflows.release import OwnRelease, begins_with

TITLE, DESCRIPTION = "Turnkey", "Dealer and installer portal"
LEFT_FOR_WORDS = 0.5
"""Seconds between the end of a statement that takes too long and that of its request: its refusal is told as one."""

LEFT_FOR_ERRANDS = timedelta(seconds=4)
"""For what goes on beside calls, once no more calls are taken: with the 5 s of those less than the ten after which Docker
kills."""

log = structlog.stdlib.get_logger()


def create_app(
    settings: Settings,
    *,
    outside: httpx.AsyncBaseTransport | None = None,
    tracing: Tracing = UNTRACED,
    metrics: Metrics = UNMEASURED,
) -> FastAPI:
    """The whole portal as one ASGI application. Nothing is connected before it starts.

    `outside` carries the calls to third parties; tests hand in the stand-ins.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        async with _portal(settings, outside, tracing, metrics) as portal:
            app.state.portal = portal
            yield

    app = FastAPI(
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        telemetry=tracing.telemetry,
    )
    app.router.routes.append(_signpost())
    add_error_handlers(app)
    _add_middleware(app, settings, metrics)
    app.openapi = document
    _serve_document(app, is_open=not settings.is_production)
    tracing.watch_app(app)
    return app


@cache
def _signpost() -> Signpost:
    return Signpost(routes())


@cache
def routes() -> Sequence[BaseRoute]:
    """Every operation, behind the table of permissions, each as a route of its own: the same for all applications of a
    process, since to read their signatures takes a second."""
    every = APIRouter(
        dependencies=[Depends(permitted)],
        responses=PROBLEM_ANSWER,
        generate_unique_id_function=_operation_id,
    )
    for operation in (route for router in ROUTERS for route in router.routes):
        alone = APIRouter()
        alone.routes.append(operation)
        every.include_router(alone)
    return every.routes


@asynccontextmanager
async def _portal(
    settings: Settings,
    outside: httpx.AsyncBaseTransport | None,
    tracing: Tracing,
    metrics: Metrics,
) -> AsyncGenerator[Portal]:
    live, watch = Live(settings.database_url), DatabaseWatch(settings.database_url)
    engine = make_engine(
        settings.database_url,
        process=live.process,
        most_seconds=settings.request_seconds - LEFT_FOR_WORDS,
    )
    tracing.watch_engine(engine)
    metrics.watch_engine(engine)
    sessions = make_sessions(engine)
    listening = asyncio.create_task(live.run())
    watching = asyncio.create_task(watch.run())
    judging = asyncio.create_task(_leave_an_unsafe_database(engine, settings))
    temporal = await connect(
        settings.temporal_address,
        settings.temporal_namespace,
        codec=payload_codec_of(settings),
        lazy=True,
        interceptors=[
            *begins_with(settings.task_queue, settings.release),
            *tracing.interceptors,
        ],
        runtime=metrics.runtime,
    )
    async with WatchedClient(
        systems=settings.third_parties,
        process=f"api {socket.gethostname()} {os.getpid()}",
        transport=outside,
    ) as client:
        tracing.watch_client(client, settings.third_parties)
        tracing.watch_tally(client.tally)
        metrics.watch_providers(client.tally)
        systems = systems_of(
            settings,
            client,
            payment_seconds=PAYMENT_SECONDS_OF_A_CALL,
            text_seconds=TEXT_SECONDS_OF_A_CALL,
        )
        portal = Portal(
            **vars(systems),
            **vars(policies_of(settings)),
            engine=engine,
            sessions=sessions,
            sites=Sites(sessions, settings.sites),
            temporal=temporal,
            temporal_ui_url=settings.temporal_ui_url.rstrip("/"),
            codec_url=settings.codec_url.rstrip("/"),
            task_queue=settings.task_queue,
            own_release=OwnRelease(temporal, settings.task_queue, settings.release),
            backlog_monitor=BacklogMonitor(temporal, settings.task_queue),
            watched=client,
            raw_cards=settings.raw_cards,
            bank_accounts_at=settings.bank_accounts_at,
            card_webhook_secret=settings.card_webhook_secret.get_secret_value(),
            bank_webhook_secret=settings.bank_webhook_secret.get_secret_value(),
            device_webhook_secret=settings.device_webhook_secret.get_secret_value(),
            erp_webhook_secret=settings.erp_webhook_secret.get_secret_value(),
            passwords=Passwords(memory_kib=settings.password_memory_kib),
            mfa_support=settings.mfa_support,
            portal_url=settings.portal_url,
            links=SiteLinks(
                wiki=settings.wiki_url,
                bulb_search=settings.bulb_search_url,
                community=settings.community_url,
            ),
            features=Features(
                mfa=settings.mfa_support,
                card_payments=settings.card_payments,
                wiring_diagrams=settings.wiring_diagrams,
                t_harness=settings.t_harness,
                ads_wiring=systems.ads_wiring.is_used,
                automob_wiring=systems.automob_wiring.is_used,
                default_pins=bool(
                    settings.keylocker_master_pin.get_secret_value()
                    and settings.keylocker_secondary_pin.get_secret_value()
                ),
            ),
            bot_check_key=settings.bot_check_key,
            partner_email_domains=settings.partner_email_domains,
            live=live,
            database_watch=watch,
            default_pins=default_pins(
                settings.keylocker_master_pin, settings.keylocker_secondary_pin
            ),
        )
        looking = metrics.is_on and asyncio.create_task(
            keep_looking(portal.sessions, lambda: _queue(portal), metrics.publish)
        )
        yield portal
        if looking:
            looking.cancel()
        await portal.errands.drain(within=LEFT_FOR_ERRANDS)
        listening.cancel()
        watching.cancel()
        judging.cancel()
    await engine.dispose()
    await asyncio.to_thread(tracing.end)


async def _queue(portal: Portal) -> tuple[QueueFigures, ...] | None:
    seen = await portal.backlog_monitor.look()
    if seen is None:
        return None
    return tuple(
        QueueFigures(kind, waiting.tasks, waiting.pollers)
        for kind, waiting in (("workflow", seen.workflow_tasks), ("activity", seen.activities))
    )


async def _leave_an_unsafe_database(engine: AsyncEngine, settings: Settings) -> None:
    """Reads go on while the database is away, so it is judged when it answers."""
    if settings.is_production and (off := await switched_off(engine)):
        log.critical("unsafe database", detail=unsafe_settings(off))
        signal.raise_signal(signal.SIGTERM)


def _add_middleware(app: FastAPI, settings: Settings, metrics: Metrics) -> None:
    """The last one added is the outermost."""
    app.add_middleware(Deadline, most=settings.request_seconds)
    app.add_middleware(RequestLimits, own_prefixes=(*API_PREFIXES, "/healthz/", "/readyz/"))
    # not of event streams; files come compressed from the build
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    app.add_middleware(
        FrontEnd,
        dist=Path(settings.web_dist),
        card_frame_url=settings.card_frame_url,
        widget_url=settings.bot_check_url if settings.has_bot_check_widget else "",
        media_hosts=settings.media_hosts,
    )
    app.add_middleware(RequestContext)
    app.add_middleware(SafetyHeaders, behind_tls=settings.portal_url.startswith("https://"))
    metrics.watch_app(app)
    if settings.trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxies))


def _operation_id(route: APIRoute) -> str:
    """The endpoint's own name: the key of the policy table and of the generated client."""
    return route.name


@cache
def document() -> dict[str, object]:
    """What `GET /openapi.json` says, with the one shape of errors, which no endpoint names. The same for all applications of
    a process, since to write it takes seconds: to be read only."""
    app = FastAPI(title=TITLE, version="1", description=DESCRIPTION)
    app.router.routes[:] = routes()
    written = app.openapi()
    schemas = written.setdefault("components", {}).setdefault("schemas", {})
    schema = ProblemDetails.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(schema.pop("$defs", {}))
    # A third party's refusal goes out under its own code, so the list of ours is not all.
    schema["properties"]["code"]["anyOf"] = [
        {"$ref": "#/components/schemas/ErrorCode"},
        {"type": schema["properties"]["code"].pop("type")},
    ]
    schemas["ProblemDetails"] = schema
    schemas["ErrorCode"] = {"title": "ErrorCode", "type": "string", "enum": error_codes()}
    return written


def _serve_document(app: FastAPI, *, is_open: bool) -> None:
    """`GET /openapi.json`: in production for people who are signed in."""

    async def read(request: Request) -> Response:
        if not is_open:
            await signed_in(await caller(request))
        return JSONResponse(app.openapi())

    app.add_route("/openapi.json", read, include_in_schema=False)


def main() -> None:
    settings = Settings()
    set_up_logs()
    tracing = tracing_of(
        settings.otel_exporter_otlp_endpoint,
        "api",
        release=settings.release,
        share=settings.otel_traces_sampler_arg,
    )
    metrics = metrics_at(settings.metrics_host, settings.metrics_port)
    app = create_app(settings, tracing=tracing, metrics=metrics)
    keep_what_is_built()
    uvicorn.run(
        app,
        host=settings.api_host,
        port=settings.api_port,
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )


if __name__ == "__main__":
    main()
