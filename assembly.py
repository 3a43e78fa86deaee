"""Puts the outside systems and the policies together from the settings: once, for the API, the worker and the tests."""

import gc

import httpx

from db.base import Sessions
from db.platform.sent_mail import SentMail
from domain.activation.activation import OpeningPolicy, Policy
from domain.billing.bank_verification import BankVerificationPolicy
from domain.billing.invoice_payment import InvoicePaymentPolicy
from domain.billing.reconciliation.bounds import ReconciliationBounds
from domain.checkout.placement import PlacementPolicy
from domain.dealers.rewards import RewardPolicy
from domain.devices.visits import VisitPolicy
from domain.firmware.firmware import FirmwarePolicy
from domain.identity.invitations import InvitationPolicy
from domain.operations.retention import Retention
from domain.paper.seller import DEMO_SELLER, Seller
from domain.plans.purchases import PurchasePolicy
from domain.policies import Policies
from providers.bot_check import BotCheck
from providers.breaker import breaker_of
from providers.cards.payments import Cards
from providers.content.pages import Content
from providers.device_network.device_cloud import DeviceCloud
from providers.erp import Erp, ErpOrders
from providers.erp.cancellations import ErpCancellations
from providers.erp.documents import ErpDocuments
from providers.erp.lists import ErpLists
from providers.erp.master_data import ErpMasterData
from providers.erp.payments import ErpPayments
from providers.erp.service_layer import ServiceLayer
from providers.erp.shipments import ErpShipments
from providers.gateway import Gateway
from providers.instrumentation import WatchedClient
from providers.messages.mail import Encryption, Mail
from providers.messages.texts import Texts
from providers.messenger import Messenger
from providers.security.payload_keys import read_keys
from providers.security.payloads import SealedPayloads
from providers.security.tokens import Tokens
from providers.security.vault import Vault
from providers.systems import Systems
from providers.vin import VinDecoder
from providers.wiring.ads import AdsWiring
from providers.wiring.automob import AutoMobWiring
from settings import NOT_USED, Settings

PAYMENT_SECONDS = 8.0
PAYMENT_SECONDS_OF_A_CALL = 3.0
"""How long a payment provider is waited for by a worker, and by a call that somebody waits for in turn."""

MESSAGE_SECONDS = 45.0
TEXT_SECONDS_OF_A_CALL = 2.5
"""The same of a message: shorter than a transaction of a worker may stand idle. A call says by itself how long it waits for
a mail (`providers/messages/haste.py`)."""


def systems_of(
    settings: Settings,
    client: httpx.AsyncClient,
    sessions: Sessions | None = None,
    *,
    payment_seconds: float = PAYMENT_SECONDS,
    text_seconds: float = MESSAGE_SECONDS,
) -> Systems:
    """Nothing is asked of them yet. With `sessions` no mail goes out twice under one key: those who try again need it."""
    erp = ServiceLayer(
        client,
        base_url=settings.erp_url,
        company=settings.erp_company,
        user=settings.erp_user,
        password=settings.erp_password.get_secret_value(),
    )
    return Systems(
        device_cloud=DeviceCloud(
            client,
            base_url=settings.device_cloud_url,
            api_key=settings.device_cloud_key.get_secret_value(),
        ),
        cards=Cards(
            client,
            base_url=settings.card_url,
            secret_key=settings.card_secret_key.get_secret_value(),
            public_key=settings.card_public_key,
            frame_url=settings.card_frame_url or None,
            seconds=payment_seconds,
        ),
        gateway=Gateway(
            client,
            base_url=_used(settings.gateway_url),
            api_key=settings.gateway_key.get_secret_value(),
            seconds=payment_seconds,
        ),
        messenger=Messenger(
            Mail(
                url=settings.mail_url,
                sender=settings.mail_from,
                user=settings.mail_user,
                password=settings.mail_password.get_secret_value(),
                encryption=Encryption(settings.mail_encryption),
                portal_urls=settings.portal_urls,
                tally=client.tally if isinstance(client, WatchedClient) else None,
                seconds=MESSAGE_SECONDS,
            ),
            Texts(
                client,
                base_url=settings.sms_url,
                account=settings.sms_account,
                token=settings.sms_token.get_secret_value(),
                sender=settings.sms_from,
                seconds=text_seconds,
            ),
            SentMail(sessions) if sessions is not None else None,
        ),
        erp=Erp(erp.within(seconds=1.5, at_once=32)),
        erp_orders=ErpOrders(erp.within(seconds=7.0, at_once=32)),
        erp_master_data=ErpMasterData(erp),
        erp_documents=ErpDocuments(erp.within(seconds=7.0, at_once=4)),
        erp_lists=ErpLists(erp.within(seconds=7.0, at_once=32)),
        erp_payments=ErpPayments(erp.within(seconds=7.0, at_once=128)),
        erp_shipments=ErpShipments(erp.within(seconds=7.0, at_once=4)),
        erp_cancellations=ErpCancellations(erp.within(seconds=7.0, at_once=4)),
        vin_decoder=VinDecoder(
            client, base_url=settings.vin_url, breaker=breaker_of(settings.sources_silent)
        ),
        ads_wiring=AdsWiring(
            client,
            base_url=_used(settings.ads_wiring_url),
            breaker=breaker_of(settings.sources_silent),
        ),
        automob_wiring=AutoMobWiring(
            client,
            base_url=_used(settings.automob_wiring_url),
            breaker=breaker_of(settings.sources_silent),
        ),
        content=Content(client, base_url=settings.content_url),
        bot_check=BotCheck(
            client,
            base_url=settings.bot_check_url,
            site_key=settings.bot_check_key,
            secret=settings.bot_check_secret.get_secret_value(),
            has_widget=settings.has_bot_check_widget,
        ),
        tokens=tokens_of(settings),
        vault=Vault(settings.vault_key.get_secret_value()),
    )


def _used(address: str) -> str | None:
    return None if address == NOT_USED else address


def tokens_of(settings: Settings) -> Tokens:
    return Tokens(settings.token_secret.get_secret_value())


def payload_codec_of(settings: Settings) -> SealedPayloads | None:
    """None without any key: payloads are kept as they are, and none that is sealed is read."""
    keys = read_keys(settings.payload_keys.get_secret_value())
    return SealedPayloads(keys.by_id, seal=keys.seal) if keys.by_id else None


def policies_of(settings: Settings) -> Policies:
    """Raises ValidationError for an override that does not fit."""
    return Policies(
        activation_policy=Policy.model_validate(settings.policy_activation),
        opening_policy=OpeningPolicy.model_validate(settings.policy_opening),
        firmware_policy=FirmwarePolicy.model_validate(settings.policy_firmware),
        placement_policy=PlacementPolicy.model_validate(settings.policy_placement),
        purchase_policy=PurchasePolicy.model_validate(settings.policy_purchase),
        invitation_policy=InvitationPolicy.model_validate(settings.policy_invitation),
        bank_verification_policy=BankVerificationPolicy.model_validate(
            settings.policy_bank_verification
        ),
        invoice_payment_policy=InvoicePaymentPolicy.model_validate(settings.policy_invoice_payment),
        visit_policy=VisitPolicy.model_validate(settings.policy_visit),
        reward_policy=RewardPolicy.model_validate(settings.policy_rewards),
        retention=Retention.model_validate(settings.policy_keeping),
        reconciliation_bounds=ReconciliationBounds.model_validate(settings.reconciliation_bounds),
        payouts_from=settings.payouts_from,
        seller=Seller.model_validate_json(settings.seller) if settings.seller else DEMO_SELLER,
    )


def keep_what_is_built() -> None:
    """Once a process is put together, and before its work begins: no collection looks through its modules, routes and models
    again. A full one held up everything under way for 300 ms, about once a second under load."""
    gc.collect()
    gc.freeze()
