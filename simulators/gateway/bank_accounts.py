"""Bank accounts at the ACH/COD gateway, and the two small deposits that prove who holds one.

`POST /gateway/v1/accounts` {holder_name, holder_type individual|company, account_type checking|savings, routing_number,
account_number, country, metadata} answers {token, last4, bank_name}; the number is forgotten at once. `POST …/{token}/deposits`
{metadata} sends two deposits under the request's Idempotency-Key: their cents are the first two and the last two of the
account's last four digits (00 counts as 1), so that an account ending in 6789 gets 67 and 89 cents. `POST …/{token}/verify`
{amounts} answers {verified}; `DELETE …/{token}` forgets the account. Account numbers that fail:

000111111113  closed: a debit is declined        000222222227  debits are returned later (R01)
000333333335  debits are returned later (R10)    000444444440  deposits are refused
000777777778  debits settle, and are returned after that (R10)
000555555559  deposits come back later: the signed event `deposit.returned`

`ba_demo_<what>_<tag>` always exists, with what of good, closed, insufficient, unauthorised, slow, late; it ends in 6789.
"""

import re
import secrets
import time
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field, SecretStr

from simulators.cards.known import fingerprint_of
from simulators.paying import Paying
from simulators.refusal import Refusal

router = APIRouter(prefix="/gateway/v1/accounts")

BEHAVIOURS = {
    "000111111113": "closed",
    "000222222227": "insufficient",
    "000333333335": "unauthorised",
    "000666666662": "slow",
    "000777777778": "late",
    "000444444440": "no_deposits",
    "000555555559": "deposits_return",
}
_DEMO = re.compile(r"^ba_demo_(good|closed|insufficient|unauthorised|slow|late)_[a-z0-9-]+$")


class NewAccount(BaseModel):
    model_config = ConfigDict(extra="forbid")

    holder_name: Annotated[str, Field(min_length=1, max_length=100)]
    holder_type: Literal["individual", "company"]
    account_type: Literal["checking", "savings"]
    routing_number: SecretStr
    account_number: SecretStr
    country: Literal["CA", "US"]
    metadata: dict[str, str] = {}


class Deposits(BaseModel):
    metadata: dict[str, str] = {}


class Amounts(BaseModel):
    amounts: tuple[int, int]


@router.post("")
async def create(request: Request, body: NewAccount) -> dict[str, str]:
    paying = _paying(request)
    key = request.headers.get("idempotency-key", secrets.token_hex(8))
    number = re.sub(r"[\s-]", "", body.account_number.get_secret_value())
    routing = re.sub(r"[\s-]", "", body.routing_number.get_secret_value())
    if not re.fullmatch(r"[0-9]{4,17}", number):
        raise Refusal(422, "invalid_account_number", "The account number is not valid.")
    if not is_routed(routing, body.country):
        raise Refusal(422, "invalid_routing_number", "The routing number is not valid.")
    earlier = paying.find("account_key", key)
    token = earlier["token"] if earlier else f"ba_{secrets.token_hex(12)}"
    if earlier is None:
        paying.put("account_key", {"id": key, "token": token})
        behaves = BEHAVIOURS.get(number, "good")
        account = _account(token, behaves, number[-4:], body.account_type)
        paying.put("account", account | {"fingerprint": fingerprint_of(f"{routing} {number}")})
    account = _needed(paying, token)
    return {name: account[name] for name in ("token", "last4", "bank_name", "fingerprint")}


@router.post("/{token}/deposits")
async def deposit(request: Request, token: str, body: Deposits) -> dict[str, str]:
    paying = _paying(request)
    account = _needed(paying, token)
    if account["behaves"] == "no_deposits":
        raise Refusal(422, "deposits_refused", "The bank does not know this account.")
    if paying.find("deposit", token) is None:
        paying.put("deposit", {"id": token, "amounts": amounts_of(account), "at": time.time()})
        if account["behaves"] == "deposits_return":
            event = {
                "id": f"gev_{secrets.token_hex(12)}",
                "type": "deposit.returned",
                "created": int(time.time()),
                "reference": token,
                "reason": "R03 No account, or unable to locate it",
                "metadata": body.metadata,
            }
            paying.queue_event(event, token, after=paying.knobs().bank_days)
    return {"status": "sent"}


@router.post("/{token}/verify")
async def verify(request: Request, token: str, sent: Amounts) -> dict[str, bool]:
    paying = _paying(request)
    account = _needed(paying, token)
    if paying.find("deposit", token) is None:
        raise Refusal(422, "no_deposits", "No deposits were sent to this account.")
    right = sorted(sent.amounts) == sorted(amounts_of(account))
    if right:
        paying.put("account", account | {"verified": True})
    return {"verified": right}


@router.delete("/{token}")
async def forget(request: Request, token: str) -> dict[str, str]:
    paying = _paying(request)
    account = account_of(paying, token)
    if account is not None:
        paying.put("account", account | {"forgotten": True})
    return {"status": "forgotten"}


def account_of(paying: Paying, token: str) -> dict[str, Any] | None:
    found = paying.find("account", token)
    if found is None and (demo := _DEMO.match(token)):
        return _account(token, demo[1], "6789", "checking") | {"verified": True}
    return found


def amounts_of(account: dict[str, Any]) -> list[int]:
    """Cents."""
    last4 = str(account["last4"])
    return [max(int(last4[:2]), 1), max(int(last4[2:]), 1)]


def _account(token: str, behaves: str, last4: str, account_type: str) -> dict[str, Any]:
    return {
        "id": token,
        "token": token,
        "behaves": behaves,
        "last4": last4,
        "bank_name": "Simulated Bank",
        "fingerprint": token,
        "account_type": account_type,
        "verified": False,
        "forgotten": False,
    }


def is_routed(routing: str, country: str) -> bool:
    """Nine digits with the check digit of the ABA in the U.S.; eight, or nine that begin with 0, in Canada."""
    if country == "CA":
        return re.fullmatch(r"0?[0-9]{8}", routing) is not None
    if not re.fullmatch(r"[0-9]{9}", routing):
        return False
    return sum(int(d) * (3, 7, 1)[n % 3] for n, d in enumerate(routing)) % 10 == 0


def _paying(request: Request) -> Paying:
    sent = request.headers.get("authorization", "").removeprefix("Bearer ")
    if sent != request.app.state.gateway_key:
        raise HTTPException(401, "This key is not known.")
    paying: Paying = request.app.state.gateway
    if paying.knobs().outage:
        raise HTTPException(503, "Service Unavailable")
    return paying


def _needed(paying: Paying, token: str) -> dict[str, Any]:
    account = account_of(paying, token)
    if account is None or account["forgotten"]:
        raise Refusal(404, "unknown_account", "No such bank account.")
    return account
