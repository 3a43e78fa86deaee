"""The card provider's test cards, by number and by name (`pm_card_<name>`, `tok_<name>`).

Those of Stripe, and two of our own for texts of the shop's document. Any other number with a right check digit is a good card.
"""

import hashlib
import hmac
from dataclasses import dataclass

_FINGERPRINT_KEY = b"simulated-card-fingerprints"


@dataclass(frozen=True)
class Decline:
    code: str
    message: str
    decline_code: str | None = None


GENERIC = Decline("card_declined", "Your card was declined.", "generic_decline")
INSUFFICIENT = Decline("card_declined", "Your card has insufficient funds.", "insufficient_funds")
LOST = Decline("card_declined", "Your card was declined.", "lost_card")
STOLEN = Decline("card_declined", "Your card was declined.", "stolen_card")
EXPIRED = Decline("expired_card", "Your card has expired.")
CVC = Decline("incorrect_cvc", "Your card's security code is incorrect.")
PROCESSING = Decline(
    "processing_error",
    "An error occurred while processing your card. Try again in a little bit.",
)
SHIP_TO = Decline(
    "incorrect_zip", "The Ship To zip code does not match the billing address of this card."
)
TRANSACTION = Decline("card_declined", "This transaction has been declined.", "do_not_honor")
NOT_AUTHENTICATED = Decline(
    "payment_intent_authentication_failure",
    "The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod"
    " to attempt to fulfill this PaymentIntent again.",
)


@dataclass(frozen=True)
class Card:
    """`on_attach` and `on_charge` are how it is refused there; `authentication` asks the payer; `fault` is a word of `Faults`."""

    name: str
    number: str
    brand: str
    on_attach: Decline | None = None
    on_charge: Decline | None = None
    authentication: bool = False
    fault: str = ""
    refuses_refunds: int = 0
    """How many refunds of one charge are refused before one is made."""
    fails_refunds: int = 0
    """How many refunds of one charge are made, and given back by its bank."""
    disputes: str = ""
    """Whether its holder disputes each charge: `dispute`, or `inquiry` where the bank only asks."""


def _bad(name: str, number: str, decline: Decline) -> Card:
    """As at Stripe, such a card cannot be saved either."""
    return Card(name, number, "visa", on_attach=decline, on_charge=decline)


CARDS = (
    Card("visa", "4242424242424242", "visa"),
    Card("visa_debit", "4000056655665556", "visa"),
    Card("mastercard", "5555555555554444", "mastercard"),
    Card("amex", "378282246310005", "amex"),
    Card("discover", "6011111111111117", "discover"),
    _bad("chargeDeclined", "4000000000000002", GENERIC),
    _bad("chargeDeclinedInsufficientFunds", "4000000000009995", INSUFFICIENT),
    _bad("chargeDeclinedLostCard", "4000000000009987", LOST),
    _bad("chargeDeclinedStolenCard", "4000000000009979", STOLEN),
    _bad("chargeDeclinedExpiredCard", "4000000000000069", EXPIRED),
    _bad("chargeDeclinedIncorrectCvc", "4000000000000127", CVC),
    _bad("chargeDeclinedProcessingError", "4000000000000119", PROCESSING),
    Card("chargeCustomerFail", "4000000000000341", "visa", on_charge=GENERIC),
    Card("authenticationRequired", "4000002760003184", "visa", authentication=True),
    Card(
        "authenticationRequiredThenDeclined",
        "4000008260003178",
        "visa",
        on_charge=INSUFFICIENT,
        authentication=True,
    ),
    Card("avsZipFail", "4000000000000036", "visa", on_charge=SHIP_TO),
    Card("transactionDeclined", "4000000000000010", "visa", on_charge=TRANSACTION),
    Card("slow", "4000000000060006", "visa", fault="PAY-SLOW"),
    Card("lostReply", "4000000000061004", "visa", fault="PAY-LOST"),
    Card("neverAnswered", "4000000000062002", "visa", fault="PAY-HANG"),
    Card("away", "4000000000066003", "visa", fault="PAY-GONE"),
    Card("unseen", "4000000000067001", "visa", authentication=True, fault="PAY-UNSEEN"),
    Card(
        "authenticationNeverAnswered",
        "4000000000068009",
        "visa",
        authentication=True,
        fault="PAY-HANG",
    ),
    Card("downTwice", "4000000000063000", "visa", fault="PAY-DOWN"),
    Card("refundFail", "4000000000005126", "visa", fails_refunds=1_000_000),
    Card("refundFailsOnce", "4000000000071003", "visa", fails_refunds=1),
    Card("refundRefused", "4000000000070005", "visa", refuses_refunds=1_000_000),
    Card(
        "authenticationRefundRefused",
        "4000000000065005",
        "visa",
        authentication=True,
        refuses_refunds=1_000_000,
    ),
    Card("refundRefusedTwice", "4000000000064008", "visa", refuses_refunds=2),
    Card("refundsAway", "4000000000069007", "visa", fault="PAY-OWED"),
    Card("takenLess", "4000000000072001", "visa", fault="PAY-LESS"),
    Card("takenInCanadian", "4000000000073009", "visa", fault="PAY-CAD"),
    Card("takenForAnother", "4000000000074007", "visa", fault="PAY-OTHER"),
    Card("createDispute", "4000000000000259", "visa", disputes="dispute"),
    Card("createDisputeInquiry", "4000000000001976", "visa", disputes="inquiry"),
)
BY_NAME = {card.name: card for card in CARDS}
BY_NUMBER = {card.number: card for card in CARDS}


def card_behind(number: str) -> Card:
    """The test card with this number, else a good card of the brand that the number begins with."""
    return BY_NUMBER.get(number) or Card("visa", number, brand_of(number))


def brand_of(number: str) -> str:
    for starts, brand in (
        (("4",), "visa"),
        (("51", "52", "53", "54", "55", "22", "23", "24", "25", "26", "27"), "mastercard"),
        (("34", "37"), "amex"),
        (("6011", "65", "64"), "discover"),
    ):
        if number.startswith(starts):
            return brand
    return "unknown"


def is_number(number: str) -> bool:
    """12 to 19 digits with a right check digit."""
    if not (number.isascii() and number.isdigit() and 12 <= len(number) <= 19):
        return False
    doubled = [int(d) * (1 + n % 2) for n, d in enumerate(reversed(number))]
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


def fingerprint_of(number: str) -> str:
    """The provider's name for a number, which cannot be guessed back without its key."""
    return hmac.new(_FINGERPRINT_KEY, number.encode(), hashlib.sha256).hexdigest()[:16]
