"""The cookies of a sign-in, and the question whether our own page sent a request (promise 30)."""

from datetime import datetime
from urllib.parse import urlsplit

from fastapi import Request, Response

from domain.errors import Forbidden

REFRESH = "turnkey_refresh"
HINT = "turnkey_session"
"""Tells our scripts, which cannot see the token, that asking for a session is worth it. Holds nothing."""

DEVICE = "turnkey_device"
PATH = "/v1/auth"


class ForeignOrigin(Forbidden):
    code = "foreign_origin"


class SignInCookie:
    """Kept from scripts and from other sites' pages. Behind TLS it carries the `__Host-` prefix, and with it Secure
    and the path `/`."""

    def __init__(self, name: str, *, behind_tls: bool) -> None:
        self._behind_tls = behind_tls
        self.name = f"__Host-{name}" if behind_tls else name
        self._path = "/" if behind_tls else PATH

    def read(self, request: Request) -> str | None:
        """The token in the cookie. Raises ForeignOrigin when another site's page sent it."""
        token = request.cookies.get(self.name)
        if token is not None:
            refuse_foreign_origin(request)
        return token

    def set(self, response: Response, token: str, expires_at: datetime) -> None:
        response.set_cookie(
            self.name,
            token,
            expires=expires_at,
            path=self._path,
            secure=self._behind_tls,
            httponly=True,
            samesite="strict",
        )

    def clear(self, response: Response) -> None:
        response.delete_cookie(
            self.name,
            path=self._path,
            secure=self._behind_tls,
            httponly=True,
            samesite="strict",
        )


class RefreshCookie(SignInCookie):
    """Comes and goes with the hint beside it."""

    def __init__(self, *, behind_tls: bool) -> None:
        super().__init__(REFRESH, behind_tls=behind_tls)

    def set(self, response: Response, token: str, expires_at: datetime) -> None:
        super().set(response, token, expires_at)
        response.set_cookie(
            HINT, "1", expires=expires_at, secure=self._behind_tls, samesite="strict"
        )

    def clear(self, response: Response) -> None:
        super().clear(response)
        response.delete_cookie(HINT, secure=self._behind_tls, samesite="strict")


def refuse_foreign_origin(request: Request) -> None:
    """Browsers name the origin of every POST; one that names none, or another host, is not our page."""
    origin = request.headers.get("origin")
    if origin is not None:
        if urlsplit(origin).netloc != request.headers.get("host"):
            raise ForeignOrigin
    elif request.headers.get("sec-fetch-site") != "same-origin":
        raise ForeignOrigin
