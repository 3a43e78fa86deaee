"""Every outside system with its client, and what seals and signs: what a process is given of the outside."""

from dataclasses import dataclass

from providers.bot_check import BotCheck
from providers.cards.payments import Cards
from providers.content.pages import Content
from providers.device_network.device_cloud import DeviceCloud
from providers.erp import Erp, ErpOrders
from providers.erp.cancellations import ErpCancellations
from providers.erp.documents import ErpDocuments
from providers.erp.lists import ErpLists
from providers.erp.master_data import ErpMasterData
from providers.erp.payments import ErpPayments
from providers.erp.shipments import ErpShipments
from providers.gateway import Gateway
from providers.messenger import Messenger
from providers.security.tokens import Tokens
from providers.security.vault import Vault
from providers.vin import VinDecoder
from providers.wiring.ads import AdsWiring
from providers.wiring.automob import AutoMobWiring


@dataclass(frozen=True, kw_only=True)
class Systems:
    device_cloud: DeviceCloud
    cards: Cards
    gateway: Gateway
    messenger: Messenger
    erp: Erp
    erp_orders: ErpOrders
    erp_master_data: ErpMasterData
    erp_documents: ErpDocuments
    erp_lists: ErpLists
    erp_payments: ErpPayments
    erp_shipments: ErpShipments
    erp_cancellations: ErpCancellations
    vin_decoder: VinDecoder
    ads_wiring: AdsWiring
    automob_wiring: AutoMobWiring
    content: Content
    bot_check: BotCheck
    tokens: Tokens
    vault: Vault
