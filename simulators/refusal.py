"""How the simulators say no, and what a proxy before them says where it finds nobody."""

from fastapi import Request, Response


class Refusal(Exception):
    """An answer without effect, in the device network's words."""

    def __init__(
        self, status: int, code: str, detail: str, *, counts_down: str | None = None
    ) -> None:
        """`counts_down` names a counter of the device that this refusal uses up by one."""
        super().__init__(detail)
        self.status, self.code, self.detail = status, code, detail
        self.counts_down = counts_down


class NotReached(Exception):
    """A proxy on the way answers in the system's place: 404, with a page of its own."""


_PAGE = b"<html><head><title>404 Not Found</title></head><body><h1>404 Not Found</h1></body></html>"


async def answered_by_proxy(_: Request, __: Exception) -> Response:
    return Response(_PAGE, 404, media_type="text/html")
