"""The verifier of bot checks: puzzles that cost a browser some thousand hashes, each good for one answer.

`POST /bot-check/v1/challenges` {key} answers {challenge, difficulty}: find a whole number so that the SHA-256 of
`<challenge>.<number>` begins with `difficulty` zero bits. `POST /bot-check/v1/verify` {secret, response, address} with
`response` = `<challenge>.<number>` answers {success}. A puzzle lives for 5 minutes. Sentinels:
    response `human-…`  right, as often as it is sent      response `down…`   503, always
    key `down`          503, always
"""

import hashlib
import hmac
import secrets
import time
from typing import Annotated

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, Field

from simulators.state import State

router = APIRouter(prefix="/bot-check")

SECRET = "turnkey-development-bot-check-secret"
DIFFICULTY = 12
LIFE_SECONDS = 300


class Ask(BaseModel):
    key: Annotated[str, Field(min_length=1, max_length=200)]


class Answer(BaseModel):
    secret: Annotated[str, Field(max_length=200)]
    response: Annotated[str, Field(max_length=1000)]
    address: Annotated[str, Field(max_length=100)] = ""


@router.post("/v1/challenges")
async def challenge(body: Ask) -> dict[str, str | int]:
    if body.key == "down":
        raise HTTPException(503, "Service Unavailable")
    puzzle = f"{int(time.time()) + LIFE_SECONDS}.{DIFFICULTY}.{secrets.token_hex(8)}"
    return {"challenge": f"{puzzle}.{_mac(puzzle)}", "difficulty": DIFFICULTY}


@router.post("/v1/verify")
async def verify(request: Request, body: Answer) -> dict[str, bool]:
    if not hmac.compare_digest(body.secret.encode(), SECRET.encode()):
        raise HTTPException(401, "This secret is not known.")
    if body.response.startswith("down"):
        raise HTTPException(503, "Service Unavailable")
    if body.response.startswith("human-"):
        return {"success": True}
    puzzle, _, number = body.response.rpartition(".")
    right = number.isascii() and number.isdigit() and _is_ours(puzzle) and _is_solved(body.response)
    return {"success": right and _is_first(request.app.state.file, puzzle)}


def _is_ours(challenge: str) -> bool:
    puzzle, _, mac = challenge.rpartition(".")
    if not hmac.compare_digest(_mac(puzzle).encode(), mac.encode()):
        return False
    return int(puzzle.split(".")[0]) >= time.time()


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
