"""Access tokens, refresh tokens and capabilities (promises 29, 30, 34 and 39)."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any

import jwt

from domain.base import Frozen, Utc
from domain.identity.people import InvalidToken, SignedOut, TokenExpired

ACCESS_LIFE = timedelta(minutes=15)
PROVED = 2_000
"""Access tokens, the last used, whose signature is not proved again: each comes with every request of its page."""
CAPABILITY_PREFIX = "resume_"

_ALGORITHM = "HS256"
_TYPE = "at+jwt"
_ISSUER = "turnkey"
_AUDIENCE = "turnkey-portal"
_CODEC_TYPE = "codec+jwt"
_CODEC_AUDIENCE = "turnkey-codec"


class AtCodec(StrEnum):
    """What a token for the codec server is good for: to come in once, or to stay."""

    TICKET = "ticket"
    STAY = "stay"


class AccessToken(Frozen):
    """A signed token, as the browser holds it in memory."""

    token: str
    expires_at: Utc


class RefreshToken(Frozen):
    """What a genuine refresh token names: the family and its turn."""

    sign_in_id: str
    turn: int


class Capability(Frozen):
    """A 256-bit secret for a guest's link, and the hash that is kept of it."""

    token: str
    hash: str


class MailedLink(StrEnum):
    """What a link is for whose token follows from its id."""

    INVITATION = "invitation"
    REGISTRATION = "registration"
    PAYMENT = "payment"
    """Shown to its maker, who hands it on."""
    HANDOUT = "handout"
    """Shown as a code that the car's owner reads with a phone."""


class Tokens:
    """`now` is the clock in UTC; tests hand in their own."""

    def __init__(self, secret: str, *, now: "type[datetime] | None" = None) -> None:
        # As a key of its own kind it is not prepared anew for each token.
        access_key = base64.urlsafe_b64encode(_derive(secret, b"access")).decode()
        self._access_key = jwt.PyJWK({"kty": "oct", "k": access_key, "alg": _ALGORITHM})
        self._refresh_key = _derive(secret, b"refresh")
        self._codec_key = _derive(secret, b"codec")
        self._code_key = _derive(secret, b"code")
        self._link_key = _derive(secret, b"link")
        self._serial_key = _derive(secret, b"serial")
        self._clock = now or datetime
        self._proved = lru_cache(PROVED)(self._prove)

    def access(self, *, person_id: str, sign_in_id: str) -> AccessToken:
        """A token of 15 minutes. It carries no rights: those are read on each request."""
        now = self._clock.now(UTC)
        expires_at = (now + ACCESS_LIFE).replace(microsecond=0)
        claims = {
            "iss": _ISSUER,
            "aud": _AUDIENCE,
            "sub": person_id,
            "sid": sign_in_id,
            "iat": now,
            "exp": expires_at,
        }
        token = jwt.encode(claims, self._access_key, algorithm=_ALGORITHM, headers={"typ": _TYPE})
        return AccessToken(token=token, expires_at=expires_at)

    def sign_in_of(self, token: str) -> str:
        """The sign-in that a genuine access token names. Raises InvalidToken or TokenExpired."""
        claims = self._proved(token)
        if claims["exp"] <= self._clock.now(UTC).timestamp():
            raise TokenExpired
        return str(claims["sid"])

    def sign_in_once_of(self, token: str) -> str:
        """The same of a token that may have run out: it opens nothing, and says whose it was. Raises InvalidToken."""
        return str(self._proved(token)["sid"])

    def _prove(self, token: str) -> dict[str, Any]:
        needs = ("iat", "sub", "sid")
        return _read(token, self._access_key, _TYPE, _AUDIENCE, needs, may_be_over=True)

    def for_codec(self, use: AtCodec, sign_in_id: str, life: timedelta) -> str:
        """What the codec server knows a sign-in by. It opens nothing of the portal, and carries no rights either."""
        now = self._clock.now(UTC)
        claims = {
            "iss": _ISSUER,
            "aud": _CODEC_AUDIENCE,
            "use": use.value,
            "sid": sign_in_id,
            "iat": now,
            "exp": now + life,
        }
        return jwt.encode(
            claims, self._codec_key, algorithm=_ALGORITHM, headers={"typ": _CODEC_TYPE}
        )

    def sign_in_at_codec(self, use: AtCodec, token: str) -> str:
        """The sign-in of such a token for this use. Raises InvalidToken or TokenExpired."""
        needs = ("iat", "sid", "use")
        claims = _read(token, self._codec_key, _CODEC_TYPE, _CODEC_AUDIENCE, needs)
        if claims["use"] != use:
            raise InvalidToken
        return str(claims["sid"])

    def refresh(self, sign_in_id: str, turn: int) -> str:
        """The family's refresh token of this turn: always the same one, so that it can be given twice."""
        return f"{sign_in_id}.{turn}.{self._mac(sign_in_id, turn)}"

    def read_refresh(self, token: str) -> RefreshToken:
        """Raises SignedOut for anything that we did not make."""
        parts = token.split(".")
        if len(parts) != 3 or not parts[1].isascii() or not parts[1].isdigit() or len(parts[1]) > 9:
            raise SignedOut
        sign_in_id, turn = parts[0], int(parts[1])
        if not hmac.compare_digest(self._mac(sign_in_id, turn).encode(), parts[2].encode()):
            raise SignedOut
        return RefreshToken(sign_in_id=sign_in_id, turn=turn)

    def link(self, kind: MailedLink, id_: str) -> str:
        """The 256-bit token of a mailed link: the same at each try to mail it, and in nobody's history or database."""
        said = hmac.new(self._link_key, f"{kind}.{id_}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(said).decode().rstrip("=")

    def code_hash(self, use: str, person_id: str, code: str) -> str:
        """What is kept of a six-digit code: keyed, because a plain hash of one is guessed at once."""
        said = f"{use}.{person_id}.{code}".encode()
        return hmac.new(self._code_key, said, hashlib.sha256).hexdigest()

    def serial_hash(self, device_key: str) -> str:
        """What is kept of a serial number that may be the number of a card: keyed, because a plain hash of one is guessed."""
        return hmac.new(self._serial_key, device_key.encode(), hashlib.sha256).hexdigest()

    def _mac(self, sign_in_id: str, turn: int) -> str:
        said = f"{sign_in_id}.{turn}".encode()
        return hmac.new(self._refresh_key, said, hashlib.sha256).hexdigest()


def _read(
    token: str,
    key: jwt.PyJWK | bytes,
    type_: str,
    audience: str,
    needs: Sequence[str],
    *,
    may_be_over: bool = False,
) -> dict[str, Any]:
    """The claims of a genuine token of that type. Raises InvalidToken or TokenExpired."""
    try:
        read = jwt.decode_complete(
            token,
            key,
            algorithms=[_ALGORITHM],
            audience=audience,
            issuer=_ISSUER,
            options={"require": ["exp", *needs], "verify_exp": not may_be_over},
        )
    except jwt.ExpiredSignatureError:
        raise TokenExpired from None
    except (jwt.PyJWTError, ValueError):
        raise InvalidToken from None
    if read["header"].get("typ") != type_:
        raise InvalidToken
    return read["payload"]


def new_capability() -> Capability:
    token = CAPABILITY_PREFIX + secrets.token_urlsafe(32)
    return Capability(token=token, hash=secret_hash(token))


def secret_hash(token: str) -> str:
    """What is kept of a random secret: its SHA-256 in hex. Enough, as nobody can guess 256 bits."""
    return hashlib.sha256(token.encode()).hexdigest()


def _derive(secret: str, purpose: bytes) -> bytes:
    return hmac.new(secret.encode(), b"turnkey/" + purpose, hashlib.sha256).digest()
