"""The worker process: `python -m workers.main`. Waits for its neighbours instead of failing, and drains on a signal."""

import asyncio
import os
import signal
import socket
from contextlib import suppress

import structlog
import uvloop

from db.base import make_engine, make_sessions
from db.platform.durability import switched_off, told
from domain.dealers.rewards import RewardPolicy
from logs import set_up_logs
from providers.cards.payments import Cards
from providers.device_network.device_cloud import DeviceCloud
from providers.erp import ErpOrders
from providers.erp_documents import ErpDocuments
from providers.erp_payments import ErpPayments
from providers.gateway import Gateway
from providers.instrumentation import WatchedClient
from providers.messenger import Messenger
from providers.security.tokens import Tokens
from providers.security.vault import Vault
from settings import Settings
from workers.connecting import connect_when_there
from workers.document_feed import DocumentFeed
from workers.housekeeping import Housekeeping
from workers.leaving import leave
from workers.payment_relay import PaymentRelay
from workers.plan_reminders import PlanReminders
from workers.relay import Relay
from workers.rewards import Rewarding
from workers.worker import make_worker

log = structlog.stdlib.get_logger()


async def run(settings: Settings) -> None:
    """Until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    engine = make_engine(settings.database_url, ping=False)
    sessions = make_sessions(engine)
    if settings.is_production and (off := await switched_off(engine)):
        raise SystemExit(told(off))
    client = await connect_when_there(settings.temporal_address, settings.temporal_namespace)
    async with WatchedClient(
        systems=settings.third_parties, process=f"worker {socket.gethostname()} {os.getpid()}"
    ) as http:
        device_cloud = DeviceCloud(
            http,
            base_url=settings.device_cloud_url,
            api_key=settings.device_cloud_key.get_secret_value(),
        )
        messenger = Messenger(http, base_url=settings.messenger_url)
        cards = Cards(
            http,
            base_url=settings.card_url,
            secret_key=settings.card_secret_key.get_secret_value(),
        )
        gateway = Gateway(
            http,
            base_url=settings.gateway_url,
            api_key=settings.gateway_key.get_secret_value(),
        )
        worker = make_worker(
            client,
            task_queue=settings.task_queue,
            sessions=sessions,
            device_cloud=device_cloud,
            messenger=messenger,
            cards=cards,
            gateway=gateway,
            erp_orders=ErpOrders(http, base_url=settings.erp_url),
            erp_payments=ErpPayments(http, base_url=settings.erp_url),
            portal_url=settings.portal_url,
            tokens=Tokens(settings.token_secret.get_secret_value()),
            vault=Vault(settings.vault_key.get_secret_value()),
            sandboxed=False,
        )
        relay = Relay(client, device_cloud, sessions, database_url=settings.database_url)
        payment_relay = PaymentRelay(
            client, cards, gateway, sessions, database_url=settings.database_url
        )
        relaying = asyncio.create_task(relay.run())
        relaying_payments = asyncio.create_task(payment_relay.run())
        housekeeping = Housekeeping(
            sessions, messenger, inquiries_to=settings.inquiries_to, seen=http.seen
        )
        keeping_house = asyncio.create_task(housekeeping.run())
        reminders = PlanReminders(sessions, messenger, portal_url=settings.portal_url)
        reminding = asyncio.create_task(reminders.run())
        rewards = Rewarding(sessions, RewardPolicy.model_validate(settings.policy_rewards))
        rewarding = asyncio.create_task(rewards.run())
        documents = ErpDocuments(http, base_url=settings.erp_url)
        mirroring = asyncio.create_task(DocumentFeed(documents, sessions).run())
        async with worker:
            log.info("worker started", task_queue=settings.task_queue)
            stopping = asyncio.create_task(stop.wait())
            # A worker that relays nothing would look alive and leave everybody waiting: it ends instead.
            await asyncio.wait(
                {stopping, relaying, relaying_payments}, return_when=asyncio.FIRST_COMPLETED
            )
            stopping.cancel()
        for task in (
            relaying,
            relaying_payments,
            keeping_house,
            reminding,
            rewarding,
            mirroring,
        ):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
    await engine.dispose()
    log.info("worker stopped")


def main() -> None:
    set_up_logs()
    uvloop.run(run(Settings()))
    leave()


if __name__ == "__main__":
    main()
