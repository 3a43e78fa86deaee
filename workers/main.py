"""The worker process: `python -m workers.main`. Waits for its neighbours instead of failing, and drains on a signal."""

import asyncio
import os
import signal
import socket
from datetime import timedelta

import structlog
import uvloop

from activities.orders.confirmations import Confirmations
from assembly import keep_what_is_built, payload_codec_of, policies_of, systems_of
from db.base import make_engine, make_sessions
from db.platform.durability import switched_off, unsafe_settings
from logs import set_up_logs
from observing.metrics import metrics_at
from observing.tracing import tracing_of
from providers.instrumentation import WatchedClient
from settings import Settings
from workers.connect import connect_when_there
from workers.document_feed import DocumentFeed
from workers.housekeeping import Housekeeping
from workers.operations.case_starter import CaseStarter
from workers.operations.loops import end_all, kept_up, until_one_ends
from workers.orders.mailing import OrderMailing
from workers.payment_relay import PaymentRelay
from workers.plan_reminders import PlanReminders
from workers.relay import Relay
from workers.rewards import Rewarding
from workers.shutdown import leave
from workers.worker import make_worker
from workflows.release import begins_with

log = structlog.stdlib.get_logger()

DRAIN = timedelta(seconds=8)
"""As long as a command to a car may take, and less than the 10 s that a process which stops is given."""


async def run(settings: Settings) -> None:
    """Until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    tracing = tracing_of(
        settings.otel_exporter_otlp_endpoint,
        "worker",
        release=settings.release,
        share=settings.otel_traces_sampler_arg,
    )
    engine = make_engine(settings.database_url, ping=False)
    tracing.watch_engine(engine)
    metrics = metrics_at(settings.metrics_host, settings.metrics_port)
    metrics.watch_engine(engine)
    sessions = make_sessions(engine)
    if settings.is_production and (off := await switched_off(engine)):
        raise SystemExit(unsafe_settings(off))
    client = await connect_when_there(
        settings.temporal_address,
        settings.temporal_namespace,
        [*begins_with(settings.task_queue, settings.release), *tracing.interceptors],
        codec=payload_codec_of(settings),
        runtime=metrics.runtime,
    )
    async with WatchedClient(
        systems=settings.third_parties, process=f"worker {socket.gethostname()} {os.getpid()}"
    ) as http:
        tracing.watch_client(http, settings.third_parties)
        tracing.watch_tally(http.tally)
        metrics.watch_providers(http.tally)
        systems = systems_of(settings, http, sessions)
        policies = policies_of(settings)
        worker = make_worker(
            client,
            task_queue=settings.task_queue,
            sessions=sessions,
            systems=systems,
            portal_url=settings.portal_url,
            sandboxed=False,
            reconciled=policies.reconciliation_bounds,
            payouts_from=policies.payouts_from,
            seller=policies.seller,
            release=settings.release,
            drain=DRAIN,
        )
        relay = Relay(client, systems.device_cloud, sessions, database_url=settings.database_url)
        payment_relay = PaymentRelay(
            client,
            systems.cards,
            systems.gateway,
            sessions,
            task_queue=settings.task_queue,
            database_url=settings.database_url,
        )
        case_starter = CaseStarter(
            client, sessions, task_queue=settings.task_queue, database_url=settings.database_url
        )
        mailing = OrderMailing(
            Confirmations(sessions, systems.messenger, policies.seller),
            sessions,
            database_url=settings.database_url,
        )
        housekeeping = Housekeeping(
            sessions,
            systems.messenger,
            inquiries_to=settings.inquiries_to,
            desks=settings.contact_desks,
            seen=http.seen,
            retention=policies.retention,
        )
        reminders = PlanReminders(sessions, systems.messenger, portal_url=settings.portal_url)
        rewards = Rewarding(sessions, policies.reward_policy)
        feed = DocumentFeed(
            systems.erp_documents, systems.erp_shipments, systems.erp_cancellations, sessions
        )
        # A worker that relays nothing would look alive and leave everybody waiting: it ends instead.
        loops = {
            "devices": relay.run(),
            "payments": payment_relay.run(),
            "cases": case_starter.run(),
            "order mails": mailing.run(),
            "housekeeping": kept_up("housekeeping", housekeeping.run, metrics),
            "reminders": kept_up("reminders", reminders.run, metrics),
            "rewards": kept_up("rewards", rewards.run, metrics),
            "documents": kept_up("documents", feed.run, metrics),
        }
        looping = {name: asyncio.create_task(loop, name=name) for name, loop in loops.items()}
        keep_what_is_built()
        async with worker:
            log.info("worker started", task_queue=settings.task_queue, release=settings.release)
            await until_one_ends(stop, looping.values())
        failed = await end_all(looping)
    await engine.dispose()
    await asyncio.to_thread(tracing.end)
    if failed is not None:
        raise failed
    log.info("worker stopped")


def main() -> None:
    set_up_logs()
    uvloop.run(run(Settings()))
    leave()


if __name__ == "__main__":
    main()
