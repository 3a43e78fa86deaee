"""Buyers at their browsers: each orders one cart after another, pays in many ways, and tries again as the page would."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from db.base import Sessions, make_engine, make_sessions
from tests.billing.payments.factories import a_method
from tests.catalogue.factories import Made, a_product
from tests.checkout.quote.buyers import Shop, a_shop
from tests.faults.people.driver import Browser, Progress, Stuck

CHECKOUT = "/api/products-checkout"
STEPS_EACH = 3
"""A buyer fills a cart, submits it, and sees its end; whoever is declined pays once more."""
GOOD, DECLINED = "visa", "chargeCustomerFail"
CARDS = (GOOD, GOOD, DECLINED, "lostReply", "downTwice", "slow")
BANKS = ("insufficient", "late")
"""Bank accounts whose debits come back: before they arrive, and after."""
WAYS = CARDS + BANKS
REFUND_REFUSED = ("refundRefused", "refundRefusedTwice")
"""Cards whose refunds are refused: always, and twice."""
OTHERS = ("COD", "TERMS")
PO_NUMBERS = (
    "",
    "",
    "",
    "ERP-LOST",
    "ERP-AWAY",
    "ERP-REFUSED",
    "ERP-TWICE",
    "ERP-REVOKES",
    "PAY-LOST",
    "PAY-DOWN",
)
TAKEN_BACK = ("ERP-REVOKES", "ERP-REVOKES", "ERP-REFUSED")
"""What a buyer whose refunds are refused orders."""
MOST_HURRIED = 12
"""More than Temporal keeps messages of one run waiting; whoever went on for ever would let no attempt come to its end."""
HARD_SHARE = 0.2
"""Of what is paid by a card whose refunds are refused."""


@dataclass
class Buying:
    """One buyer, what they buy, and the ids of their saved methods by the name of the test card."""

    shop: Shop
    product: Made
    methods: dict[str, str]

    def by(self, way: str) -> dict[str, str]:
        """How one pays with this card or bank account."""
        kind = "BANK_ACCOUNT" if way in BANKS else "CARD"
        return {"type": kind, "method_id": self.methods[way]}


async def buyers(database_url: str, count: int) -> list[Buying]:
    """Of a business each; their stock is never short."""
    engine = make_engine(database_url)
    sessions: Sessions = make_sessions(engine)
    made: list[Buying] = []
    for _ in range(count):
        shop = await a_shop(sessions, limit="100000")
        product = await a_product(sessions, msrp="49.99", on_hand=5000)
        methods = {
            card: (await a_method(sessions, card=card, partner_code=shop.code)).id
            for card in sorted({*CARDS, *REFUND_REFUSED})
        }
        methods |= {
            bank: (await a_method(sessions, bank=bank, partner_code=shop.code)).id for bank in BANKS
        }
        made.append(Buying(shop, product, methods))
    await engine.dispose()
    return made


class Buyer:
    """`tokens` are the carts that were submitted."""

    def __init__(self, browser: Browser, buying: Buying, progress: Progress, seed: str) -> None:
        self.tokens: list[str] = []
        self.browser = browser
        self._hurried = Counter[str]()
        self._buying = buying
        self._progress = progress
        self._chance = random.Random(seed)

    async def order(self) -> None:
        """One cart, to its end. Raises Stuck when it does not come to one."""
        is_hard = self._chance.random() < HARD_SHARE
        token = await self._fill(TAKEN_BACK if is_hard else PO_NUMBERS)
        await self._progress.step_done()
        await self._submit(token, REFUND_REFUSED if is_hard else WAYS + OTHERS)
        self.tokens.append(token)
        await self._progress.step_done()
        run = await self.browser.to_its_end(
            f"/v1/placements/{token}", lambda run: self._go_on(token, run)
        )
        self._progress.answers[f"order {run['state']}"] += 1
        await self._progress.step_done()

    async def _fill(self, po_numbers: Sequence[str]) -> str:
        pieces = self._chance.randint(1, 4)
        line = {"variantId": self._buying.product.variant_id, "quantity": pieces}
        token = str((await self._post(f"{CHECKOUT}/create-b2b", {"lines": [line]}))["token"])
        po_number = self._chance.choice(po_numbers)
        await self._post(f"{CHECKOUT}/{token}/set-b2b-po-number", {"poNumber": po_number})
        return token

    async def _submit(self, token: str, ways: Sequence[str]) -> None:
        way = self._chance.choice(ways)
        payment = {"type": way} if way in OTHERS else self._buying.by(way)
        chosen = {"type": payment["type"], "methodId": payment.get("method_id")}
        await self._post(f"{CHECKOUT}/{token}/complete-b2b-checkout", {"selectedPayment": chosen})

    async def _go_on(self, token: str, run: dict[str, Any]) -> None:
        """Pays with another card, also a few times while the first is still asked for, or changes their mind."""
        in_a_hurry = run["state"] == "authorising"
        if "CHOOSE_PAYMENT" in run["allowed"]:
            self._hurried[token] += in_a_hurry
            if not in_a_hurry or self._hurried[token] <= MOST_HURRIED:
                await self._ask(token, "payment", self._buying.by(GOOD))
        elif "CANCEL" in run["allowed"] and self._chance.random() < 0.05:
            await self._ask(token, "cancel", {"reason": "changed my mind"})

    async def _ask(self, token: str, what: str, body: dict[str, Any]) -> None:
        answer = await self.browser.post(f"/v1/placements/{token}/{what}", body)
        if answer.status_code not in (200, 202, 409, 410):
            raise Stuck(f"{token}/{what} answered {answer.status_code} {answer.text}")

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = await self.browser.post(path, body)
        if answer.status_code not in (200, 202):
            raise Stuck(f"{path} answered {answer.status_code} {answer.text}")
        return answer.json()
