"""Documents as PDF, for printing and for the books: a title, facts, a table that goes on from page to page, sums."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from fastapi import Response
from fpdf import FPDF
from fpdf.enums import XPos, YPos

_FONT = "Helvetica"
_WIDE = 180
_LINE = 5.5


class Paper(FPDF):
    """Letter paper. `widths` of columns add up to 180 mm; columns from `figures` on stand at the right."""

    def __init__(self, title: str, at: datetime) -> None:
        super().__init__(format="letter")
        self._heads: tuple[Sequence[str], Sequence[float], int] | None = None
        self.set_creation_date(at)
        self.set_title(title)
        self.set_margin(18)
        self.set_auto_page_break(auto=True, margin=18)
        self.add_page()
        self.set_font(_FONT, "B", 18)
        self.told("Turnkey", 9)
        self.set_font(_FONT, size=11)
        self.told(title)
        self.ln(3)
        self.set_font(_FONT, size=9)

    def header(self) -> None:
        """Every page after the first begins with the heads of the table that goes on there."""
        if self._heads is not None:
            self._head_row()

    def footer(self) -> None:
        self.set_y(-14)
        self.set_font(_FONT, size=8)
        self.cell(0, 6, f"Page {self.page_no()} of {{nb}}", align="R")
        self.set_font(_FONT, size=9)

    def told(self, text: str, height: float = _LINE) -> None:
        self.cell(0, height, plain(text), new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def facts(self, facts: Iterable[tuple[str, str | None]]) -> None:
        """Names and values below each other; what is not known is left out."""
        for name, value in facts:
            if value:
                self.cell(44, _LINE, plain(name))
                self.told(value)
        self.ln(4)

    def rows(
        self,
        heads: Sequence[str],
        widths: Sequence[float],
        rows: Iterable[Sequence[str]],
        *,
        figures: int,
    ) -> None:
        self._heads = (heads, widths, figures)
        self._head_row()
        for row in rows:
            self._row(row, widths, figures)
        self._heads = None
        self.ln(4)

    def sums(self, sums: Iterable[tuple[str, Decimal]]) -> None:
        for name, amount in sums:
            self.cell(_WIDE - 40, 6, plain(name), align="R")
            self.cell(40, 6, money(amount), align="R", new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def written(self) -> bytes:
        return bytes(self.output())

    def _head_row(self) -> None:
        assert self._heads is not None
        heads, widths, figures = self._heads
        self.set_font(_FONT, "B", 9)
        self._row(heads, widths, figures)
        self.set_font(_FONT, size=9)

    def _row(self, cells: Sequence[str], widths: Sequence[float], figures: int) -> None:
        for place, (width, text) in enumerate(zip(widths, cells, strict=True)):
            most = int(width / 1.75)
            shown = text if len(text) <= most else f"{text[: most - 3]}..."
            self.cell(width, _LINE, plain(shown), align="R" if place >= figures else "L")
        self.ln(_LINE)


PDF: dict[int | str, dict[str, Any]] = {200: {"content": {"application/pdf": {}}}}
"""What a call that answers with paper tells of its answers."""


def as_pdf(content: bytes, name: str) -> Response:
    """Opened by the browser, and kept under the name if somebody keeps it."""
    headers = {"Content-Disposition": f'inline; filename="{name}.pdf"', "Cache-Control": "no-store"}
    return Response(content, media_type="application/pdf", headers=headers)


def money(amount: Decimal) -> str:
    return f"{amount:,.2f}"


def plain(text: str) -> str:
    """The fonts that every reader has know Western European letters alone."""
    return text.replace("•", "*").encode("latin-1", "replace").decode("latin-1")
