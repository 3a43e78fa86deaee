"""All simulators on one port, mail on one of its own: `python -m simulators.main`.

Environment: SIMULATORS_HOST (127.0.0.1), SIMULATORS_PORT (9000), SIMULATORS_STATE
(.state/simulators.sqlite), SIMULATORS_LATENCY (`0.3-1.5`, seconds from a command to its log),
PORTAL_WEBHOOK_URL, DEVICE_WEBHOOK_SECRET, DEVICE_CLOUD_KEY, PORTAL_ERP_WEBHOOK_URL, ERP_WEBHOOK_SECRET,
PORTAL_CARD_WEBHOOK_URL, CARD_WEBHOOK_SECRET, PORTAL_BANK_WEBHOOK_URL, BANK_WEBHOOK_SECRET, CARD_SECRET_KEY,
CARD_PUBLIC_KEY, GATEWAY_KEY, ERP_PASSWORD, SMS_TOKEN, MAIL_PASSWORD, SIMULATORS_MAIL_PORT (9025; mail is taken there),
SIMULATORS_PUBLIC_URL or SIMULATORS_URL (how a browser reaches them).
"""

import asyncio
import contextlib
import os
import socket
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from functools import cache
from pathlib import Path

import httpx
import uvicorn
from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.routing import BaseRoute

from simulators import asking, bot_check, content, control, vin
from simulators.cards import accounts as card_accounts
from simulators.cards import authentication, desk, frame, routes, transfers
from simulators.cards import lists as card_lists
from simulators.device_network import label as device_label
from simulators.device_network import plans as device_plans
from simulators.device_network import routes as device_cloud
from simulators.device_network import settings as device_settings
from simulators.device_network.network import DeviceNetwork, Knobs
from simulators.device_network.webhooks import Webhooks
from simulators.erp import accounts as erp
from simulators.erp import documents as erp_documents
from simulators.erp import orders as erp_orders
from simulators.erp import payments as erp_payments
from simulators.erp import records as erp_records
from simulators.erp import service_layer
from simulators.events import Events, Listener
from simulators.gateway import bank_accounts
from simulators.gateway import routes as gateway
from simulators.ledger import Ledger
from simulators.messages import mail, outbox, texts
from simulators.paying import Paying
from simulators.refusal import NotReached, Refusal, answered_by_proxy
from simulators.state import State
from simulators.wiring import ads, automob

API_KEY = "turnkey-development-device-cloud-key"
WEBHOOK_SECRET = "turnkey-development-webhook-secret"
WEBHOOK_URL = "http://127.0.0.1:8000/v1/webhooks/device"
ERP_WEBHOOK_SECRET = "turnkey-development-erp-webhook-secret"
ERP_WEBHOOK_URL = "http://127.0.0.1:8000/v1/webhooks/erp"
CARD_WEBHOOK_SECRET = "whsec_turnkey_development"
CARD_WEBHOOK_URL = "http://127.0.0.1:8000/v1/webhooks/card"
BANK_WEBHOOK_SECRET = "turnkey-development-bank-webhook-secret"
BANK_WEBHOOK_URL = "http://127.0.0.1:8000/v1/webhooks/bank"
CARDS = "cards"
GATEWAY = "gateway"
"""The payment systems, as senders of events."""


def create_app(
    state_path: Path | str,
    webhook_url: str | None = None,
    webhook_secret: str = WEBHOOK_SECRET,
    *,
    latency: tuple[float, float] = (0.3, 1.5),
    api_key: str = API_KEY,
    webhook_transport: httpx.AsyncBaseTransport | None = None,
    listeners: Mapping[str, Listener] | None = None,
    card_secret_key: str = desk.SECRET_KEY,
    card_public_key: str = desk.PUBLIC_KEY,
    gateway_key: str = gateway.KEY,
    erp_password: str = service_layer.PASSWORD,
    sms_token: str = texts.TOKEN,
    mail_password: str = mail.PASSWORD,
    mail_socket: socket.socket | None = None,
    own_url: str = "",
) -> FastAPI:
    """The simulators over one state file; logs go to `webhook_url` while the app's lifespan runs.

    `latency` is the shortest and longest time (seconds) from a command to its log. Without a webhook
    address logs can only be polled; nothing else needs the lifespan. `listeners` get the events of other systems.
    `own_url` is how a browser reaches the stand-ins. Mail is taken at `mail_socket` while the lifespan runs.
    """
    state = State(state_path)
    network = DeviceNetwork(state, Knobs(answer_min=latency[0], answer_max=latency[1]))
    webhooks = Webhooks(network, webhook_url, webhook_secret, webhook_transport)
    events = Events(state, listeners or {}, webhook_transport)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        deliveries = [asyncio.create_task(one.run()) for one in (webhooks, events)]
        try:
            async with contextlib.AsyncExitStack() as open_:
                if mail_socket is not None:
                    serving = mail.serving(lambda: state, mail_socket, password=mail_password)
                    await open_.enter_async_context(serving)
                yield
        finally:
            for delivery in deliveries:
                delivery.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await delivery
            state.close()

    app = FastAPI(title="Simulators", lifespan=lifespan, redirect_slashes=False)
    app.state.file = state
    app.state.network = network
    app.state.ledger = Ledger(state)
    app.state.webhooks = webhooks
    app.state.events = events
    app.state.api_key = api_key
    app.state.cards = desk.Desk(
        Paying(state, CARDS, events), card_secret_key, card_public_key, own_url.rstrip("/")
    )
    app.state.gateway = Paying(state, GATEWAY, events)
    app.state.gateway_key = gateway_key
    app.state.erp_password = erp_password
    app.state.sms_token = sms_token
    app.router.routes.extend(_routes())
    app.add_middleware(asking.NotesRequestId)
    app.add_exception_handler(Refusal, _refuse)
    app.add_exception_handler(NotReached, answered_by_proxy)
    app.add_api_route("/healthz", _alive)
    return app


@cache
def _routes() -> Sequence[BaseRoute]:
    """Of all third parties: the same for all applications of a process, since to read their signatures takes a while."""
    third_parties = (
        device_cloud,
        device_label,
        device_plans,
        device_settings,
        control,
        texts,
        outbox,
        erp,
        erp_orders,
        erp_documents,
        erp_payments,
        erp_records,
        service_layer,
        content,
        bot_check,
        vin,
        ads,
        automob,
        routes,
        card_lists,
        card_accounts,
        transfers,
        authentication,
        frame,
        gateway,
        bank_accounts,
    )
    every = APIRouter()
    for module in third_parties:
        every.include_router(module.router)
    return every.routes


def _refuse(_: Request, refusal: Exception) -> JSONResponse:
    status = refusal.status if isinstance(refusal, Refusal) else 500
    code = refusal.code if isinstance(refusal, Refusal) else "unexpected"
    return JSONResponse({"code": code, "detail": str(refusal)}, status)


async def _alive() -> dict[str, str]:
    return {"status": "ok"}


def main() -> None:
    env = os.environ
    if env.get("ENVIRONMENT") == "production":
        sys.stderr.write("In production third parties are real: the stand-ins do not run.\n")
        return
    shortest, longest = env.get("SIMULATORS_LATENCY", "0.3-1.5").split("-")
    host, port = env.get("SIMULATORS_HOST", "127.0.0.1"), int(env.get("SIMULATORS_PORT", "9000"))
    app = create_app(
        env.get("SIMULATORS_STATE", ".state/simulators.sqlite"),
        env.get("PORTAL_WEBHOOK_URL", WEBHOOK_URL),
        env.get("DEVICE_WEBHOOK_SECRET", WEBHOOK_SECRET),
        latency=(float(shortest), float(longest)),
        api_key=env.get("DEVICE_CLOUD_KEY", API_KEY),
        listeners={
            erp_orders.SENDER: Listener(
                env.get("PORTAL_ERP_WEBHOOK_URL", ERP_WEBHOOK_URL),
                env.get("ERP_WEBHOOK_SECRET", ERP_WEBHOOK_SECRET),
            ),
            CARDS: Listener(
                env.get("PORTAL_CARD_WEBHOOK_URL", CARD_WEBHOOK_URL),
                env.get("CARD_WEBHOOK_SECRET", CARD_WEBHOOK_SECRET),
                "Stripe-Signature",
            ),
            GATEWAY: Listener(
                env.get("PORTAL_BANK_WEBHOOK_URL", BANK_WEBHOOK_URL),
                env.get("BANK_WEBHOOK_SECRET", BANK_WEBHOOK_SECRET),
            ),
        },
        card_secret_key=env.get("CARD_SECRET_KEY", desk.SECRET_KEY),
        card_public_key=env.get("CARD_PUBLIC_KEY", desk.PUBLIC_KEY),
        gateway_key=env.get("GATEWAY_KEY", gateway.KEY),
        erp_password=env.get("ERP_PASSWORD", service_layer.PASSWORD),
        sms_token=env.get("SMS_TOKEN", texts.TOKEN),
        mail_password=env.get("MAIL_PASSWORD", mail.PASSWORD),
        mail_socket=mail.listen(host, int(env.get("SIMULATORS_MAIL_PORT", "9025"))),
        own_url=env.get("SIMULATORS_PUBLIC_URL")
        or env.get("SIMULATORS_URL", "http://127.0.0.1:9000"),
    )
    uvicorn.run(app, host=host, port=port, log_level="warning")


if __name__ == "__main__":
    main()
