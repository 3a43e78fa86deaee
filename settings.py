"""Every environment variable of the portal, read once by a main module and handed down as arguments.

Nothing below a main module may import this file; a lint rule keeps it so. The stand-ins for third parties read their
own few variables, because a third party would not share our settings.
"""

import base64
import binascii
import ipaddress
import json
import re
from email.utils import parseaddr
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import parse_qs, unquote, urlsplit

from pydantic import (
    BeforeValidator,
    Field,
    JsonValue,
    PostgresDsn,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from domain.contact import is_email
from domain.paper.seller import Seller
from domain.partners.partners import url_of_site
from providers.security.payload_keys import read_keys

DEVELOPMENT_TOKEN_SECRET = "turnkey-development-token-secret-do-not-use-elsewhere"
DEVELOPMENT_VAULT_KEY = base64.b64encode(b"turnkey-development-vault-key-32").decode()
DEVELOPMENT_DEVICE_CLOUD_KEY = "turnkey-development-device-cloud-key"
DEVELOPMENT_WEBHOOK_SECRET = "turnkey-development-webhook-secret"
DEVELOPMENT_ERP_WEBHOOK_SECRET = "turnkey-development-erp-webhook-secret"
DEVELOPMENT_ERP_PASSWORD = "turnkey-development-erp-password"
DEVELOPMENT_BOT_CHECK_KEY = "turnkey-development-bot-check"
DEVELOPMENT_BOT_CHECK_SECRET = "turnkey-development-bot-check-secret"
DEVELOPMENT_CARD_SECRET_KEY = "sk_test_turnkey_development"
DEVELOPMENT_CARD_PUBLIC_KEY = "pk_test_turnkey_development"
DEVELOPMENT_CARD_WEBHOOK_SECRET = "whsec_turnkey_development"
DEVELOPMENT_MAIL_PASSWORD = "turnkey-development-mail-password"
DEVELOPMENT_SMS_ACCOUNT = "AC" + "0" * 32
DEVELOPMENT_SMS_TOKEN = "turnkey-development-sms-token"
DEVELOPMENT_GATEWAY_KEY = "turnkey-development-gateway-key"
DEVELOPMENT_BANK_WEBHOOK_SECRET = "turnkey-development-bank-webhook-secret"

_DEVELOPMENT_SECRETS = {
    "TOKEN_SECRET": DEVELOPMENT_TOKEN_SECRET,
    "VAULT_KEY": DEVELOPMENT_VAULT_KEY,
    "DEVICE_CLOUD_KEY": DEVELOPMENT_DEVICE_CLOUD_KEY,
    "DEVICE_WEBHOOK_SECRET": DEVELOPMENT_WEBHOOK_SECRET,
    "ERP_WEBHOOK_SECRET": DEVELOPMENT_ERP_WEBHOOK_SECRET,
    "ERP_PASSWORD": DEVELOPMENT_ERP_PASSWORD,
    "BOT_CHECK_SECRET": DEVELOPMENT_BOT_CHECK_SECRET,
    "CARD_SECRET_KEY": DEVELOPMENT_CARD_SECRET_KEY,
    "CARD_WEBHOOK_SECRET": DEVELOPMENT_CARD_WEBHOOK_SECRET,
    "GATEWAY_KEY": DEVELOPMENT_GATEWAY_KEY,
    "MAIL_PASSWORD": DEVELOPMENT_MAIL_PASSWORD,
    "SMS_TOKEN": DEVELOPMENT_SMS_TOKEN,
    "BANK_WEBHOOK_SECRET": DEVELOPMENT_BANK_WEBHOOK_SECRET,
}

DEVELOPMENT_DATABASE_PASSWORDS = {
    "APP_PASSWORD": "turnkey-app",
    "OWNER_PASSWORD": "turnkey-owner",
    "POSTGRES_PASSWORD": "turnkey-postgres",
    "TEMPORAL_PASSWORD": "turnkey-temporal",
}
"""Of the roles that Docker Compose makes, by the variables that it takes other ones from."""

_THIRD_PARTIES = {
    "device_cloud_url": "device-cloud",
    "sms_url": "sms",
    "content_url": "content",
    "vin_url": "vin",
    "ads_wiring_url": "ads-wiring",
    "automob_wiring_url": "automob-wiring",
    "erp_url": "erp",
    "bot_check_url": "bot-check",
    "card_url": "cards",
    "gateway_url": "gateway",
}
"""Setting → the path of its stand-in."""

NOT_USED = "none"
"""In place of an address: there is no such third party, and nobody is asked."""
_MAY_BE_NOT_USED = ("gateway_url", "ads_wiring_url", "automob_wiring_url")


def _is_of_development(value: str, development: str) -> bool:
    """Whether any of the secrets in a setting, which may hold several parted by commas, is the one of development or empty."""
    return any(one.strip() in (development, "") for one in value.split(","))


def _mapping(said: object) -> object:
    """Compose can give an empty text, and no empty braces."""
    return json.loads(said or "{}") if isinstance(said, str) else said


class Settings(BaseSettings):
    """The settings of one process. The name of each variable is the field's name in capitals, with no prefix.

    Raises ValidationError when a value is malformed, or when `ENVIRONMENT=production` meets a development secret, the
    address of a stand-in, or a portal or a third party that is not reached by https. The error names variables, never their values.
    """

    model_config = SettingsConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    environment: Literal["development", "test", "production"] = "development"
    state_dir: Path = Path(".state")
    """Where a process may keep files: logs, the database of the stand-ins."""

    database_url: str = "postgresql://turnkey_app@127.0.0.1:5432/turnkey"
    """The role that the application uses: it reads and writes rows and owns nothing."""
    migrations_database_url: str = ""
    """The role that owns the tables. Empty: the same as `DATABASE_URL`."""
    database_passwords: dict[str, SecretStr] = {}
    """Passwords of roles that no process of ours uses, as JSON by the name of their variable: looked at by whoever makes those
    roles, before it makes them."""

    temporal_address: str = "127.0.0.1:7233"
    temporal_namespace: str = "default"
    temporal_ui_url: str = "http://127.0.0.1:8233"
    task_queue: str = "portal"
    release: str = ""
    """The name of what was deployed, for example its commit: workers of several may run side by side (docs/going-live.md).
    Empty: there is one at a time."""

    api_host: str = "127.0.0.1"
    api_port: int = 8000
    portal_url: str = "http://localhost:8000"
    """How people reach the portal: the start of every link in a mail."""
    sites: Annotated[dict[str, str], NoDecode, BeforeValidator(_mapping)] = {}
    """The host name of each site, as JSON: `{"ca": "portal.example", "us": "us.portal.example"}`. Empty: they stay where they
    are, at first `localhost` and `us.localhost`; production names its own."""
    request_seconds: Annotated[float, Field(ge=1)] = 3.5
    """How long a call may take until it begins to answer; a screen waits for 4 seconds (shell spec 9)."""
    web_dist: Path = Path("web/dist")
    media_hosts: tuple[str, ...] = ()
    """Where pictures and films of products and pages come from besides the portal, as a JSON list of origins, for example
    `["https://media.turnkey.example"]`. Browsers show those of no other host."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks of the proxies in front of the API, as a JSON list, for example `["10.0.0.0/8"]`. Only they
    may say whom they speak for; none: whoever connects is the caller."""

    otel_exporter_otlp_endpoint: str = ""
    """Where traces are sent, by OTLP over HTTP, for example `http://127.0.0.1:4318`. Empty: nothing is traced, and nothing of
    it is imported."""
    otel_traces_sampler_arg: Annotated[float, Field(ge=0, le=1)] = 1.0
    """The share of clicks that are traced."""

    metrics_host: str = "127.0.0.1"
    metrics_port: Annotated[int, Field(ge=0, le=65_534)] = 0
    """Where Prometheus finds this process' metrics; those of Temporal's SDK are at the next port. Never a public address. 0:
    nothing is measured."""

    simulators_url: str = "http://127.0.0.1:9000"
    simulators_public_url: str = ""
    """Where browsers reach the stand-ins. Empty: at `SIMULATORS_URL`."""
    device_cloud_url: str = ""
    """Empty: the stand-in at `SIMULATORS_URL`."""
    mail_url: str = ""
    """The mail server, `smtp://host:port`. Empty: the stand-in beside `SIMULATORS_URL`, at `SIMULATORS_MAIL_PORT`."""
    mail_encryption: Literal["starttls", "tls", "none"] = "starttls"
    """`starttls` on a connection that begins plain (port 587), `tls` from its beginning (465), or `none`, which production
    refuses. The stand-in has none."""
    mail_user: str = "turnkey"
    mail_from: str = "Turnkey <portal@turnkey.example>"
    """Whom mails are from; the domain must be one that the server may send for."""
    simulators_mail_port: int = 9025
    sms_url: str = ""
    """Text messages: `https://api.twilio.com`. Empty: the stand-in at `SIMULATORS_URL`."""
    sms_account: str = DEVELOPMENT_SMS_ACCOUNT
    """The SID of the account, `AC…`."""
    sms_from: str = "+16045550199"
    """The number that text messages are from, or the SID of a messaging service, `MG…`."""
    content_url: str = ""
    """The content provider. Empty: the stand-in at `SIMULATORS_URL`."""
    vin_url: str = ""
    """The decoder of VINs: `https://vpic.nhtsa.dot.gov/api`. Empty: the stand-in at `SIMULATORS_URL`."""
    ads_wiring_url: str = ""
    """iDatawire. Empty: the stand-in at `SIMULATORS_URL`; `none`: vehicles have one source of wiring less."""
    automob_wiring_url: str = ""
    """The third party's wiring. Empty: the stand-in at `SIMULATORS_URL`; `none`: vehicles have one source of wiring less."""
    sources_silent: Annotated[int, Field(ge=0)] = 5
    """So many askings in a row that a source of wiring or the decoder of VINs does not answer: it is left alone for ten seconds
    (decision 99). 0: it is asked always."""

    wiki_url: str = "https://wiki.turnkey.example"
    bulb_search_url: str = "https://bulbs.turnkey.example"
    community_url: str = "https://community.turnkey.example"
    """Links to places outside the portal. Empty: no link. Production has its own, or none."""
    erp_url: str = ""
    """Where the Service Layer's `/b1s/v1` is. Empty: the stand-in at `SIMULATORS_URL`."""
    erp_company: str = "TURNKEY"
    erp_user: str = "portal"
    """The company's database in the ERP, and the user that the portal signs in as there."""
    bot_check_url: str = ""
    """The verifier of the bot check, which speaks Turnstile's API: `https://challenges.cloudflare.com/turnstile/v0`. Pages
    then have its widget. Empty: the stand-in at `SIMULATORS_URL`, and its puzzle."""

    card_url: str = ""
    """The card provider, which speaks Stripe's API. Empty: the stand-in at `SIMULATORS_URL`."""
    card_frame_url: str = ""
    """The page in which card numbers are entered. Empty: that of the stand-in, or with a `CARD_URL` the provider's own
    script."""
    gateway_url: str = ""
    """The gateway for bank accounts. Empty: the stand-in at `SIMULATORS_URL`; `none`, with `BANK_ACCOUNTS_AT=cards` alone: the
    card provider has every bank account, and nothing is paid by the gateway any more."""

    token_secret: SecretStr = SecretStr(DEVELOPMENT_TOKEN_SECRET)
    vault_key: SecretStr = SecretStr(DEVELOPMENT_VAULT_KEY)
    """32 bytes in base64."""
    payload_keys: SecretStr = SecretStr("")
    """Keys that seal what Temporal keeps of runs: `id:key` parted by commas, each key 32 bytes in base64. The first seals, all
    of them open; behind the word `none` they only open, and nothing is sealed. Whether payloads are sealed, and with which
    key, is changed in two steps while runs are under way (docs/going-live.md). Empty, or the word alone: payloads are kept as
    they are; production takes only the word for it."""
    codec_host: str = "127.0.0.1"
    codec_port: int = 8234
    """Where the codec server for Temporal's own page listens: loopback or the operators' network, never the public one."""
    codec_url: str = ""
    """How an operator's browser reaches it, at the same site as `TEMPORAL_UI_URL`. Empty: there is none."""
    device_cloud_key: SecretStr = SecretStr(DEVELOPMENT_DEVICE_CLOUD_KEY)
    device_webhook_secret: SecretStr = SecretStr(DEVELOPMENT_WEBHOOK_SECRET)
    erp_webhook_secret: SecretStr = SecretStr(DEVELOPMENT_ERP_WEBHOOK_SECRET)
    erp_password: SecretStr = SecretStr(DEVELOPMENT_ERP_PASSWORD)
    bot_check_secret: SecretStr = SecretStr(DEVELOPMENT_BOT_CHECK_SECRET)
    card_public_key: str = DEVELOPMENT_CARD_PUBLIC_KEY
    card_secret_key: SecretStr = SecretStr(DEVELOPMENT_CARD_SECRET_KEY)
    card_webhook_secret: SecretStr = SecretStr(DEVELOPMENT_CARD_WEBHOOK_SECRET)
    """Several are parted by commas: connected accounts have an endpoint of their own."""
    mail_password: SecretStr = SecretStr(DEVELOPMENT_MAIL_PASSWORD)
    sms_token: SecretStr = SecretStr(DEVELOPMENT_SMS_TOKEN)
    gateway_key: SecretStr = SecretStr(DEVELOPMENT_GATEWAY_KEY)
    bank_webhook_secret: SecretStr = SecretStr(DEVELOPMENT_BANK_WEBHOOK_SECRET)
    password_memory_kib: int = 47_104
    """What hashing a password costs, for whoever guesses too; production takes no less than this."""
    keylocker_master_pin: SecretStr = SecretStr("")
    keylocker_secondary_pin: SecretStr = SecretStr("")
    """The default pins of a KeyLocker, 4 to 8 digits. Empty: there is none, and each pin is typed."""

    mfa_support: bool = False
    """Second factors at sign-in: fully built, off by configuration."""
    card_payments: bool = True
    wiring_diagrams: bool = True
    t_harness: bool = True
    """Parts that can be switched off: the screens go, and the calls are refused."""
    bank_accounts_at: Literal["gateway", "cards"] = "gateway"
    """Where new bank accounts are kept and debited: at the ACH/COD gateway, or at the card provider (decision 84). Those that
    are saved stay where they are."""
    raw_cards: bool = True
    """Whether calls that carry a card number are taken. Off in production unless it is set."""
    bot_check_key: str = DEVELOPMENT_BOT_CHECK_KEY
    """The public key of the bot check on forms that anybody may send. Empty: no check."""
    inquiries_to: str = "dealers@turnkey.example"
    """Who is mailed when somebody wants to become a dealer, or writes to us."""
    contact_desks: Annotated[dict[str, str], NoDecode, BeforeValidator(_mapping)] = {}
    """Who is mailed instead when somebody of a role writes to us, as JSON, for example
    `{"Purchaser": "orders@turnkey.example"}`. Empty: nobody."""
    partner_email_domains: tuple[str, ...] = ()
    """Mail domains of partners, as a JSON list; their people are pointed to their own way in."""

    policy_activation: dict[str, JsonValue] = {}
    """Overrides of the waits of an activation as JSON, for example `{"command": "PT5S"}`."""
    policy_opening: dict[str, JsonValue] = {}
    """Overrides of how much one may begin as JSON, for example `{"per_hour": 30}`."""
    policy_firmware: dict[str, JsonValue] = {}
    """Overrides of the waits of a firmware update as JSON, for example `{"waits": ["PT1S", "PT1S", "PT1S"]}`."""

    policy_placement: dict[str, JsonValue] = {}
    """Overrides of the waits of a placement as JSON, for example `{"payment": "PT10S", "idle": "PT5S"}`."""

    policy_invoice_payment: dict[str, JsonValue] = {}
    """Overrides of the waits of a payment of invoices as JSON, for example `{"declined": "PT10S"}`."""

    policy_purchase: dict[str, JsonValue] = {}
    """Overrides of the waits of a purchase of plans as JSON, for example `{"quote": "PT10S"}`."""
    policy_invitation: dict[str, JsonValue] = {}
    """Overrides of the times of an invitation as JSON, for example `{"expiry": "PT10S"}`."""
    policy_bank_verification: dict[str, JsonValue] = {}
    """Overrides of the tries and times of a bank account's verification as JSON, for example `{"tries": 2}`."""
    policy_visit: dict[str, JsonValue] = {}
    """Overrides of the times of a service visit as JSON, for example `{"lasts": "PT8H"}`."""

    policy_rewards: dict[str, JsonValue] = {}
    """Overrides of what a device earns as JSON, by family and plan, for example `{"amounts": {"X1": {"none": 5}}}`."""
    payouts_from: str = ""
    """The first month whose rewards the portal pays, for example `2026-12`: what was earned before is settled elsewhere. Empty
    in development: all of them."""
    seller: str = ""
    """Whom papers are from, as JSON: `{"name": …, "street": …, "city": …, "country_area": …, "postal_code": …, "country": "CA",
    "phone": …, "email": …, "tax_numbers": {"GST/HST": "12345 6789 RT0001"}}`. Empty: that of the demonstration, which
    production refuses."""
    policy_keeping: dict[str, JsonValue] = {}
    """Overrides of how long what devices told is kept as JSON, for example `{"device_logs": "P180D"}`; no less than 60 days."""
    reconciliation_bounds: dict[str, JsonValue] = {}
    """Overrides of what the reconciliation looks at and gives time to as JSON, for example `{"late": "PT5S"}`."""

    @property
    def portal_urls(self) -> frozenset[str]:
        """Where people reach each of the sites; without `sites`, those of the beginning."""
        hosts = tuple(self.sites.values()) or ("localhost", "us.localhost")
        return frozenset(url_of_site(host, self.portal_url, hosts) for host in hosts)

    @property
    def has_bot_check_widget(self) -> bool:
        """Whether pages have the verifier's own widget: with a key, and not of the stand-in, which hands out puzzles."""
        beside = self.simulators_url.rstrip("/")
        return bool(self.bot_check_key) and not self.bot_check_url.startswith(beside)

    @property
    def third_parties(self) -> dict[str, str]:
        """Name → base address of every outside system that is used."""
        known = {
            "device network": self.device_cloud_url,
            "mail": self.mail_url,
            "SMS": self.sms_url,
            "content": self.content_url,
            "ERP": self.erp_url,
            "bot check": self.bot_check_url,
            "VIN decoder": self.vin_url,
            "iDatawire": self.ads_wiring_url,
            "3rd party wiring": self.automob_wiring_url,
            "card provider": self.card_url,
            "ACH/COD gateway": self.gateway_url,
        }
        return {name: address for name, address in known.items() if address != NOT_USED}

    @model_validator(mode="before")
    @classmethod
    def _fill_what_follows_from_others(cls, values: dict[str, object]) -> dict[str, object]:
        """Empty addresses follow from `SIMULATORS_URL` and `DATABASE_URL`."""
        filled = dict(values)
        simulators = str(filled.get("simulators_url") or cls.model_fields["simulators_url"].default)
        database = str(filled.get("database_url") or cls.model_fields["database_url"].default)
        stand_ins = simulators.rstrip("/")
        if not filled.get("card_frame_url"):
            seen = str(filled.get("simulators_public_url") or stand_ins).rstrip("/")
            filled["card_frame_url"] = "" if filled.get("card_url") else f"{seen}/cards/frame"
        if not filled.get("mail_url"):
            port = filled.get("simulators_mail_port") or 9025
            filled["mail_url"] = f"smtp://{urlsplit(simulators).hostname}:{port}"
            filled["mail_encryption"] = "none"
        for name, path in _THIRD_PARTIES.items():
            filled[name] = filled.get(name) or f"{stand_ins}/{path}"
        filled.setdefault("raw_cards", filled.get("environment") != "production")
        filled["migrations_database_url"] = filled.get("migrations_database_url") or database
        return filled

    @model_validator(mode="after")
    def _refuse_malformed(self) -> Self:
        for url in (self.database_url, self.migrations_database_url):
            PostgresDsn(url)
        try:
            length = len(base64.b64decode(self.vault_key.get_secret_value(), validate=True))
        except binascii.Error:
            length = 0
        if length != 32:
            raise ValueError("VAULT_KEY must be 32 bytes in base64")
        try:
            read_keys(self.payload_keys.get_secret_value())
        except ValueError as error:
            raise ValueError(f"PAYLOAD_KEYS: {error}") from None
        return self

    @model_validator(mode="after")
    def _refuse_to_do_without_what_is_needed(self) -> Self:
        needed = [
            name.upper()
            for name in _THIRD_PARTIES
            if getattr(self, name) == NOT_USED and name not in _MAY_BE_NOT_USED
        ]
        if needed:
            raise ValueError(f"{', '.join(needed)} cannot be none: the portal needs an address")
        if self.gateway_url == NOT_USED and self.bank_accounts_at == "gateway":
            raise ValueError(
                "GATEWAY_URL can be none only with BANK_ACCOUNTS_AT=cards: new bank accounts would be kept at the gateway"
            )
        return self

    @model_validator(mode="after")
    def _refuse_mail_that_cannot_go_out(self) -> Self:
        if not re.fullmatch(
            r"smtp://([^/:@?#\s]+|\[[0-9a-fA-F:]+\])(:[1-9][0-9]{0,4})?/?", self.mail_url
        ):
            raise ValueError("MAIL_URL must be smtp://host:port")
        if not re.fullmatch(r"[^@\s]+@[^@\s]+", parseaddr(self.mail_from)[1]):
            raise ValueError("MAIL_FROM must hold an address, as Name <portal@host>")
        return self

    @model_validator(mode="after")
    def _refuse_desks_that_no_mail_reaches(self) -> Self:
        if self.inquiries_to and not is_email(self.inquiries_to):
            raise ValueError("INQUIRIES_TO must be an e-mail address alone")
        if not all(map(is_email, self.contact_desks.values())):
            raise ValueError(
                'CONTACT_DESKS must name an e-mail address for each role, as {"Purchaser": "orders@host.example"}'
            )
        return self

    @model_validator(mode="after")
    def _refuse_a_seller_without_an_address(self) -> Self:
        try:
            _ = self.seller and Seller.model_validate_json(self.seller)
        except ValidationError as error:
            fields = ", ".join(".".join(map(str, one["loc"])) for one in error.errors())
            raise ValueError(
                f"SELLER must be JSON as in settings.py; see {fields or 'all'}"
            ) from None
        return self

    @model_validator(mode="after")
    def _refuse_what_is_no_month(self) -> Self:
        if not re.fullmatch(r"([0-9]{4}-(0[1-9]|1[0-2]))?", self.payouts_from):
            raise ValueError("PAYOUTS_FROM must be a month as 2026-12")
        return self

    @model_validator(mode="after")
    def _refuse_proxies_that_are_no_addresses(self) -> Self:
        for one in self.trusted_proxies:
            try:
                ipaddress.ip_network(one)
            except ValueError:
                raise ValueError(
                    "TRUSTED_PROXIES must be a list of addresses and networks"
                ) from None
        return self

    @model_validator(mode="after")
    def _refuse_sites_that_are_no_hosts(self) -> Self:
        if not self.sites:
            return self
        hosts = self.sites.values()
        if self.sites.keys() != {"ca", "us"} or len(set(hosts)) < len(hosts):
            raise ValueError("SITES must name a host of its own for each of ca and us")
        if not all(re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)*", host) for host in hosts):
            raise ValueError("SITES must hold host names in lower case, as us.portal.example")
        return self

    @model_validator(mode="after")
    def _refuse_media_hosts_that_are_no_origins(self) -> Self:
        for one in self.media_hosts:
            if not re.fullmatch(r"https://[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]+)?", one):
                raise ValueError(
                    "MEDIA_HOSTS must be a list of origins as https://media.turnkey.example"
                )
        return self

    @model_validator(mode="after")
    def _refuse_pins_that_are_none(self) -> Self:
        for pin in (self.keylocker_master_pin, self.keylocker_secondary_pin):
            if not re.fullmatch(r"([0-9]{4,8})?", pin.get_secret_value()):
                raise ValueError(
                    "KEYLOCKER_MASTER_PIN and KEYLOCKER_SECONDARY_PIN must have 4 to 8 digits"
                )
        return self

    @property
    def is_production(self) -> bool:
        return self.environment == "production"

    @model_validator(mode="after")
    def _refuse_what_is_for_development_in_production(self) -> Self:
        if not self.is_production:
            return self
        kept = [
            name
            for name, development in _DEVELOPMENT_SECRETS.items()
            if _is_of_development(getattr(self, name.lower()).get_secret_value(), development)
            and not (name == "GATEWAY_KEY" and self.gateway_url == NOT_USED)
        ]
        kept += self._database_passwords_of_development()
        if self.card_public_key in (DEVELOPMENT_CARD_PUBLIC_KEY, ""):
            kept.append("CARD_PUBLIC_KEY")
        if self.sms_account == DEVELOPMENT_SMS_ACCOUNT:
            kept.append("SMS_ACCOUNT")
        for name in ("mail_user", "mail_from", "sms_from", "inquiries_to"):
            if getattr(self, name) in (type(self).model_fields[name].default, ""):
                kept.append(name.upper())
        for name in ("wiki_url", "bulb_search_url", "community_url"):
            if getattr(self, name) == type(self).model_fields[name].default:
                kept.append(name.upper())
        if self.bot_check_key == DEVELOPMENT_BOT_CHECK_KEY:
            kept.append("BOT_CHECK_KEY")
        if not self.payload_keys.get_secret_value().strip():
            kept.append("PAYLOAD_KEYS")
        if not self.seller:
            kept.append("SELLER")
        if not self.payouts_from:
            kept.append("PAYOUTS_FROM")
        if not self.sites or any(
            re.search(r"(^|\.)localhost$", host) for host in self.sites.values()
        ):
            kept.append("SITES")
        if kept:
            raise ValueError(f"production needs its own {', '.join(kept)}")
        if len(self.token_secret.get_secret_value()) < 32:
            raise ValueError("TOKEN_SECRET must have at least 32 characters in production")
        beside = self.simulators_url.rstrip("/")
        followed = [
            name.upper() for name in _THIRD_PARTIES if getattr(self, name).startswith(beside)
        ]
        if self.mail_encryption == "none":
            followed.append("MAIL_URL")
        if followed:
            raise ValueError(
                f"production needs the addresses of third parties: {', '.join(followed)}"
            )
        in_clear = [
            name.upper()
            for name in (*_THIRD_PARTIES, "card_frame_url")
            if not re.match(f"https://|({NOT_USED})?$", getattr(self, name))
        ]
        if in_clear:
            raise ValueError(f"{', '.join(in_clear)} must begin with https:// in production")
        if self.password_memory_kib < 47_104:
            raise ValueError("PASSWORD_MEMORY_KIB must be at least 47104 in production")
        if not self.portal_url.startswith("https://"):
            raise ValueError("PORTAL_URL must begin with https:// in production")
        return self

    def _database_passwords_of_development(self) -> list[str]:
        """What is to be changed. A role may have no password at all: not everybody lets roles in by one."""
        known = {value: name for name, value in DEVELOPMENT_DATABASE_PASSWORDS.items()}
        kept = [
            f"{known[password]} (in {name.upper()})"
            for name in ("database_url", "migrations_database_url")
            for password in _passwords_in(getattr(self, name))
            if password in known
        ]
        for name, value in self.database_passwords.items():
            if value.get_secret_value() in {*known, ""}:
                kept.append(name)
        return kept


def _passwords_in(url: str) -> list[str]:
    """A libpq address holds one before the host or among its parameters."""
    parts = urlsplit(url)
    return [unquote(parts.password or ""), *parse_qs(parts.query).get("password", [])]
