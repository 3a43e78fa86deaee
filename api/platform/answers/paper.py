"""Documents as PDF on their way to a browser."""

from typing import Any

from fastapi import Response

PDF: dict[int | str, dict[str, Any]] = {200: {"content": {"application/pdf": {}}}}
"""What a call that answers with paper tells of its answers."""


def as_pdf(content: bytes, name: str) -> Response:
    """Opened by the browser, and kept under the name if somebody keeps it."""
    headers = {"Content-Disposition": f'inline; filename="{name}.pdf"', "Cache-Control": "no-store"}
    return Response(content, media_type="application/pdf", headers=headers)
