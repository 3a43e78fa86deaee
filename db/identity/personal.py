"""Where people stand in our tables: every column that could hold a text says what becomes of it when somebody is forgotten.

Numbers, times and references are declared by their type. A column that is declared nowhere fails a test.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Place:
    """One table. Rows are a person's where a column of `by` is their id (or their key as a caller), one of `mailed` their e-mail
    address, or one of `within` names them.

    `gone`: those rows are deleted. `erased` columns become the token in them, `cleared` ones null; in `within`,
    JSON or text, only the person's own words do. `named` columns hold a bare name, and become the token where it is
    theirs and the row's business too. `kept` columns stay, each with its reason; `secret` ones are in no export.
    `plain` ones hold nothing of a person.
    """

    by: str = ""
    mailed: str = ""
    gone: bool = False
    erased: str = ""
    cleared: str = ""
    within: str = ""
    named: str = ""
    kept: Mapping[str, str] = field(default_factory=dict[str, str])
    secret: str = ""
    plain: str = ""

    @property
    def declared(self) -> list[str]:
        """Every text column that is accounted for; one stands once."""
        words = (self.erased, self.cleared, self.within, self.named, self.plain)
        return [*(one for word in words for one in word.split()), *self.kept]


ID = "an id, which tells nothing once the person's row is a token"
BUSINESS = "of the business, not of one of its people"
DEVICE = "of a device"
PROOF = "who did it, from where: the record of what happened cannot be changed, and its ids tell nothing any more (promise 49)"
SHORT = "goes by itself within 90 days"
DELETED = "deleted with its row"

PLACES: Mapping[str, Place] = {
    "person": Place(
        by="id",
        erased="email last_name",
        cleared="password_hash image phone_number drone_user_id access_type subscriber_id last_address language totp_secret totp_pending",
        secret="password_hash totp_secret totp_pending",
        kept={"id": ID, "first_name": "becomes 'Erased'", "permission_groups": "becomes empty"},
        plain="mfa_type",
    ),
    # ---- what opens the account, and what it left lying about: rows go
    "sign_in": Place(by="person_id", gone=True, secret="id", plain="id ended_because"),
    "trusted_device": Place(
        by="person_id",
        gone=True,
        secret="token_hash",
        plain="id token_hash",
        kept={"name": DELETED},
    ),
    "link_token": Place(
        by="person_id",
        mailed="email",
        gone=True,
        secret="token_hash",
        plain="token_hash kind",
        kept={"email": DELETED},
    ),
    "mfa_challenge": Place(by="person_id", gone=True, secret="token_hash", plain="token_hash kind"),
    "one_time_code": Place(
        by="person_id",
        gone=True,
        secret="code_hash",
        plain="use code_hash",
        kept={"bound_to": DELETED, "asked_from": DELETED},
    ),
    "idempotency": Place(
        by="actor",
        gone=True,
        secret="key body_hash",
        plain="key operation body_hash",
        kept={"actor": DELETED, "answer": DELETED},
    ),
    "throttle": Place(
        by="subject", mailed="subject", gone=True, plain="kind", kept={"subject": DELETED}
    ),
    "plan_line": Place(by="person_id", gone=True, plain="device_key plan_id product_name"),
    "saved_list": Place(by="person_id", gone=True, plain="id", kept={"name": DELETED}),
    "purchase_limit": Place(by="person_id", gone=True, named="set_by"),
    "rep_partner": Place(by="person_id", gone=True),
    "handout_link": Place(
        by="maker_id",
        gone=True,
        secret="token_hash",
        plain="id token_hash activation_id",
        kept={"maker": DELETED},
    ),
    "inquiry": Place(
        mailed="reply_to", gone=True, plain="id kind", kept={"reply_to": DELETED, "said": DELETED}
    ),
    "installer": Place(by="person_id"),
    # ---- a link that was paid by belongs to its payment
    "pay_link": Place(
        by="maker_id",
        erased="maker",
        within="made_for",
        secret="token_hash",
        plain="id token_hash partner_code invoice_number site payment_id",
    ),
    "cart": Place(
        by="person_id", cleared="po_number billing_address payment", plain="token coupon_code"
    ),
    # ---- runs
    "flow": Place(
        by="owner_id",
        within="view",
        kept={"owner_id": ID, "workflow_id": DEVICE, "device_key": DEVICE},
        plain="id kind run_id state allowed site dealer_id partner outcome product",
    ),
    "frozen_view": Place(within="view", plain="flow_id"),
    "transition": Place(
        by="actor_id",
        erased="actor",
        within="note",
        named="acting_for",
        kept={"actor_id": ID},
        plain="flow_id event from_state to_state",
    ),
    "placement": Place(within="start quote", kept={"approved_by": ID}, plain="token workflow_id"),
    "purchase_start": Place(within="start", plain="id"),
    "money_case": Place(
        within="start", plain="id cause belongs_kind belongs_id partner_code payment_id"
    ),
    "invitation": Place(
        by="person_id",
        mailed="email",
        erased="email",
        named="inviter",
        secret="token_hash",
        kept={"invited_by": ID, "answered_with": "a word"},
        plain="id workflow_id token_hash dealer_name user_type state",
    ),
    "visit": Place(
        by="visitor_id",
        erased="visitor_name",
        within="start reason",
        kept={"owner_person_id": ID, "answered_by": ID, "visitor_business": BUSINESS},
        plain="id workflow_id device_key visitor_dealer_id owner_dealer_id owner_partner_code state",
    ),
    "bank_verification": Place(plain="workflow_id state reason"),
    "intent": Place(within="outcome", plain="key flow_id kind"),
    "run_check": Place(within="pending", plain="run kind temporal_run"),
    "chart_drift": Place(plain="flow_id what name kind state"),
    "guest_capability": Place(secret="hash", plain="hash flow_id"),
    "sealed_secret": Place(secret="sealed", plain="id flow_id sealed"),
    "option_write": Place(plain="flow_id option_table changes"),
    "device_log": Place(kept={"reading": DEVICE}, plain="id device_key type command command_id"),
    "device_release": Place(plain="device_key"),
    "device_reservation": Place(plain="device_key kind flow_id workflow_id"),
    # ---- ledgers: amounts stay
    "shop_order": Place(
        by="placed_by",
        erased="placed_by_name",
        named="acting_as",
        within="shipping_address billing_address po_number",
        kept={"placed_by": ID},
        plain="id number token workflow_id status coupon_code taxes shipping_method payment_type payment_shown channel erp_number invoice_number",
    ),
    "shop_order_event": Place(within="note", plain="key kind"),
    "shop_order_line": Place(plain="variant_id product_id sku name image vehicle"),
    "shop_order_invoice": Place(plain="number shipment_number"),
    "shop_order_shipment": Place(plain="number carrier tracking_number parcels"),
    "shop_order_withdrawal": Place(plain="number reason parcels"),
    "invoice_payment": Place(
        by="person_id",
        erased="paid_by",
        within="start",
        kept={"person_id": ID},
        plain="id workflow_id partner_code outcome",
    ),
    "receipt": Place(
        by="owner_id",
        erased="bought_by",
        named="acting_for",
        within="address detail",
        kept={
            "owner_id": ID,
            "subscriber_id": "the account at the device network",
            "payment_shown": "a brand and four digits",
        },
        plain="uuid partner_code dealer_id transaction_id currency lines taxes",
    ),
    "purchase_agreement": Place(
        by="person_id",
        kept={"person_id": ID, "approved_by": ID, "pay_by": "a method of the business"},
        plain="purchase_id partner_code quote_hash",
    ),
    "payment": Place(
        by="person_id",
        within="description detail",
        kept={"person_id": ID, "shown": "a brand and four digits"},
        plain="id key flow flow_id workflow_id partner_code type method_id provider_method_id provider_customer_id currency reference status provider_id action_url differs",
    ),
    "payment_entry": Place(plain="id kind detail"),
    "payment_method": Place(
        named="name",
        kept={
            "created_by": ID,
            "brand": BUSINESS,
            "last4": BUSINESS,
            "country": BUSINESS,
            "street_address_1": BUSINESS,
            "street_address_2": BUSINESS,
            "city": BUSINESS,
            "state": BUSINESS,
            "postal_code": BUSINESS,
            "fingerprint": BUSINESS,
        },
        plain="id type status provider_id customer_id verification_id",
    ),
    "lent_card": Place(
        kept={"shown": "a brand and four digits"}, plain="id partner_code provider_id"
    ),
    "payment_customer": Place(plain="provider_id"),
    "reward": Place(
        by="installer_id",
        kept={"installer_id": ID},
        plain="flow_id kind dealer_id device_key product_name plan_slug payout_month",
    ),
    "rewarded_run": Place(plain="flow_id"),
    "payout": Place(plain="dealer_id month state account_id transfer_id detail"),
    "payout_account": Place(secret="link login_link", plain="account_id due link login_link"),
    "subscription": Place(
        by="owner_id",
        kept={"owner_id": ID},
        plain="id device_key product_name plan_id plan_slug plan_name term partner_code dealer_id purchase_id",
    ),
    "invoice": Place(
        kept={"searched": BUSINESS, "po_number": BUSINESS, "tax_number": BUSINESS},
        plain="number partner_code order_number order_token shipment_number coupon_code early_pay settled_with",
    ),
    "dispute": Place(plain="id status currency reason case_id"),
    # ---- records
    "audit": Place(
        by="actor acting_for object_id",
        kept=dict.fromkeys(("actor", "acting_for", "object_id", "address", "more"), PROOF),
        plain="partner_code action object_kind outcome request_id",
    ),
    "device_change": Place(
        by="actor acting_for",
        kept=dict.fromkeys(("actor", "acting_for", "more"), "goes into the record within minutes"),
        plain="key device_key action partner_code request_id",
    ),
    "attention_settled": Place(by="by", kept={"by": ID}, within="note", plain="run"),
    "reconciliation_difference": Place(
        by="settled_by",
        kept={"settled_by": ID},
        within="note about",
        plain="id kind part state subject partner_code here there charge_id round_id",
    ),
    "reconciliation_round": Place(by="asked_by", kept={"asked_by": ID}, plain="id compared failed"),
    "reconciliation_fact": Place(kept={"body": "goes with the next rounds"}, plain="source id key"),
    "webhook_event": Place(kept={"body": SHORT}, plain="provider event_id type subject"),
    "sent_mail": Place(kept={"key": SHORT}),
    "order_mail": Place(plain="portal_url request_id"),
    # ---- businesses
    "partner": Place(
        kept={"company_name": BUSINESS, "country": BUSINESS, "tax_number": BUSINESS},
        plain="id sap_bp_code channel_slug approved_brands",
    ),
    "partner_address": Place(
        kept=dict.fromkeys(
            ("name", "street", "city", "country_area", "postal_code", "country"), BUSINESS
        ),
        plain="id kind erp_name",
    ),
    "dealer": Place(kept={"name": BUSINESS, "dealer_profile": BUSINESS}, plain="id"),
    "erp_difference": Place(kept={"theirs": BUSINESS, "ours": BUSINESS}, plain="kind code"),
    "erp_set_aside": Place(plain="records code reason"),
    # ---- nobody
    "accessory": Place(plain="goes_with slug"),
    "approved_product": Place(plain="listed_as"),
    "brand": Place(plain="slug name"),
    "category": Place(plain="slug name"),
    "coupon": Place(plain="code description channels categories"),
    "credit_memo": Place(plain="number partner_code invoice_number reason applied_to"),
    "credit_reservation": Place(plain="flow_id"),
    "document_hold": Place(plain="number"),
    "effective_price": Place(plain="scope"),
    "erp_comparison": Place(plain="id"),
    "erp_feed": Place(plain="name cursor held_by"),
    "guide_document": Place(plain="slug title kind blocks"),
    "guide_folder": Place(plain="slug title description"),
    "invoice_allocation": Place(plain="invoice_number status detail"),
    "invoice_line": Place(plain="sku name"),
    "memo_allocation": Place(plain="invoice_number memo_number"),
    "plan_price": Place(plain="term channel"),
    "plan_type": Place(plain="slug name display_name description image image_description"),
    "price_list": Place(plain="id scope name kind"),
    "product": Place(plain="id name name_key default_variant_id sku image search_text"),
    "product_feature": Place(plain="name features accessories"),
    "product_page": Place(plain="description attributes"),
    "product_word": Place(plain="word"),
    "reconciliation": Place(plain="repaired failed"),
    "saved_list_line": Place(plain="sku"),
    "shipping_method": Place(plain="id name countries"),
    "site": Place(plain="code host label country time_zone"),
    "sku_alias": Place(plain="alias alias_key"),
    "stock_reservation": Place(plain="flow_id"),
    "third_party": Place(plain="system process reason"),
    "variant": Place(plain="id sku sku_key name"),
    "vehicle": Place(plain="trims description vehicle_description image"),
    "vehicle_category": Place(plain="uuid kind title"),
    "vehicle_fit": Place(plain="verdict needs reason source"),
    "vehicle_instruction": Place(plain="ignition text image"),
    "vehicle_make": Place(plain="name"),
    "vehicle_model": Place(plain="name"),
    "vehicle_product": Place(plain="role sku"),
    "vehicle_wire": Place(plain="ignition function color location pin_out polarity images trim"),
    "wiring_kept": Place(plain="source wiring"),
}
