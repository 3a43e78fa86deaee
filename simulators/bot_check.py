"""The verifier of bot checks after Turnstile (https://developers.cloudflare.com/turnstile/get-started/server-side-validation).

`POST /bot-check/siteverify` takes {secret, response, remoteip} as a form or as JSON and answers {success, error-codes,
challenge_ts, hostname}. In the place of Turnstile's widget stands a puzzle: `POST /bot-check/challenges` {key} answers
{challenge, difficulty}; find a whole number so that the SHA-256 of `<challenge>.<number>` begins with `difficulty` zero
bits, and `<challenge>.<number>` is the token. It is good once, for 5 minutes. Sentinels:
    response `human-…`    right, as often as it is sent     response `down…`   503, always
    key `down`            503, always
    response `slow…`      judged after four seconds
    response `misled…`    a proxy answers 404, with a page of its own
    response `bad…`       400 with the fault `bad-request`
Each verdict stands in the ledger, with its fault and without the token (`GET /bot-check/_ledger?after=`). Known are
Turnstile's own secrets for tests: `1x0000000000000000000000000000000AA` passes everything,
`2x0000000000000000000000000000000AA` nothing, and for `3x0000000000000000000000000000000AA` each token was used before.
"""

import asyncio
import hashlib
import hmac
import secrets
import time
from datetime import UTC, datetime
from typing import Annotated, Any
from urllib.parse import parse_qsl

import orjson
from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from simulators.ledger import Ledger
from simulators.refusal import NotReached
from simulators.state import State

router = APIRouter(prefix="/bot-check")

SECRET = "turnkey-development-bot-check-secret"
PASSES, FAILS, SPENT = (f"{kind}x0000000000000000000000000000000AA" for kind in "123")
DIFFICULTY = 12
LIFE_SECONDS = 300
KIND = "bot-check"
SLOW_SECONDS = 4.0


class Ask(BaseModel):
    key: Annotated[str, Field(min_length=1, max_length=200)]


@router.post("/challenges")
async def challenge(body: Ask) -> dict[str, str | int]:
    if body.key == "down":
        raise HTTPException(503, "Service Unavailable")
    puzzle = f"{int(time.time()) + LIFE_SECONDS}.{DIFFICULTY}.{secrets.token_hex(8)}"
    return {"challenge": f"{puzzle}.{_mac(puzzle)}", "difficulty": DIFFICULTY}


@router.post("/siteverify")
async def siteverify(request: Request) -> Any:
    form = await _form_of(request)
    secret, response = form.get("secret", ""), form.get("response", "")
    if response.startswith("down"):
        raise HTTPException(503, "Service Unavailable")
    if response.startswith("misled"):
        raise NotReached
    if response.startswith("bad"):
        return JSONResponse({"success": False, "error-codes": ["bad-request"]}, 400)
    if response.startswith("slow"):
        await asyncio.sleep(SLOW_SECONDS)
    fault = _fault(request.app.state.file, secret, response)
    ledger: Ledger = request.app.state.ledger
    ledger.record(KIND, "", None, status=200, detail=fault or "")
    return {
        "success": fault is None,
        "error-codes": [] if fault is None else [fault],
        "challenge_ts": datetime.now(UTC).isoformat(),
        "hostname": "localhost",
        "action": "",
        "cdata": "",
    }


@router.get("/_ledger")
async def read_ledger(request: Request, after: Annotated[int, Query(ge=0)] = 0) -> dict[str, Any]:
    ledger: Ledger = request.app.state.ledger
    return ledger.read(None, KIND, after)


async def _form_of(request: Request) -> dict[str, str]:
    body = await request.body()
    if request.headers.get("content-type", "").startswith("application/json"):
        return {name: str(value) for name, value in orjson.loads(body).items()}
    return dict(parse_qsl(body.decode()))


def _fault(state: State, secret: str, response: str) -> str | None:
    match secret, response:
        case "", _:
            return "missing-input-secret"
        case _, "":
            return "missing-input-response"
        case _ if secret == PASSES:
            return None
        case _ if secret == FAILS:
            return "invalid-input-response"
        case _ if secret == SPENT:
            return "timeout-or-duplicate"
        case _ if not hmac.compare_digest(secret.encode(), SECRET.encode()):
            return "invalid-input-secret"
        case _ if response.startswith("human-"):
            return None
        case _:
            return _fault_of_puzzle(state, response)


def _fault_of_puzzle(state: State, response: str) -> str | None:
    puzzle, _, number = response.rpartition(".")
    if not (number.isascii() and number.isdigit() and _is_ours(puzzle) and _is_solved(response)):
        return "invalid-input-response"
    is_late = int(puzzle.split(".")[0]) < time.time()
    return "timeout-or-duplicate" if is_late or not _is_first(state, puzzle) else None


def _is_ours(challenge: str) -> bool:
    puzzle, _, mac = challenge.rpartition(".")
    return hmac.compare_digest(_mac(puzzle).encode(), mac.encode())


def _is_solved(response: str) -> bool:
    digest = int.from_bytes(hashlib.sha256(response.encode()).digest(), "big")
    return digest >> (256 - DIFFICULTY) == 0


def _is_first(state: State, challenge: str) -> bool:
    with state.transaction() as db:
        return bool(
            db.execute(
                "insert or ignore into solved_puzzle (challenge) values (?)", (challenge,)
            ).rowcount
        )


def _mac(puzzle: str) -> str:
    return hmac.new(SECRET.encode(), puzzle.encode(), hashlib.sha256).hexdigest()
