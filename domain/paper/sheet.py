"""Documents as PDF, for printing and for the books: whom they are from and for, facts, a table that goes on from page to
page, sums."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal

from fpdf import FPDF
from fpdf.enums import XPos, YPos

from domain.paper.seller import Seller
from domain.paper.words import money, written

_FONT = "Helvetica"
_WIDE = 180
_NAMES = 44
_LINE = 5.0
_SIZE = 9.0
_DENSE_LINE = 3.2
_DENSE_SIZE = 7.5
ROOMY = 20
"""So many rows stand roomily; a table of more is set densely, so that forty long ones are on two pages."""
_INK = (14, 31, 36)
_SOFT = (90, 107, 112)
_RULE = (201, 212, 215)
_TINT = (238, 243, 244)
_WORD = re.compile(r"\S+")
_UP_TO_HYPHEN = re.compile(r"[^-]*-|[^-]+")


class Sheet(FPDF):
    """Letter paper. `widths` of columns add up to 180 mm; columns from `figures` on stand at the right."""

    def __init__(self, title: str, at: datetime, seller: Seller | None = None) -> None:
        """`at` is the time of what is told: the same document is the same text."""
        super().__init__(format="letter")
        self._heads: tuple[Sequence[str], Sequence[float], int] | None = None
        self._dense = False
        self._heading = title
        self.set_creation_date(at)
        self.set_title(title)
        self.set_margin(18)
        self.set_auto_page_break(auto=True, margin=20)
        self.set_text_color(*_INK)
        self.set_draw_color(*_RULE)
        self.add_page()
        self._head(title, seller)

    def header(self) -> None:
        """Every page after the first names the document and begins with the heads of the table that goes on there."""
        if self.page_no() == 1:
            return
        self.set_font(_FONT, size=9)
        self.set_text_color(*_SOFT)
        self.write_line(self._heading)
        self.set_text_color(*_INK)
        self.ln(2)
        if self._heads is not None:
            self._head_row()

    def footer(self) -> None:
        self.set_y(-14)
        self.set_font(_FONT, size=8)
        self.set_text_color(*_SOFT)
        # At the left: how wide the last number is, is not known yet.
        self.cell(0, 6, f"Page {self.page_no()} of {{nb}}")
        self.set_text_color(*_INK)
        self.set_font(_FONT, size=9)

    def write_line(self, text: str, height: float = _LINE) -> None:
        self.cell(0, height, plain(text), new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def _paragraph(self, text: str, height: float) -> None:
        self.multi_cell(0, height, plain(text), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def note(self, text: str) -> None:
        """What is said beside the matter."""
        self.set_font(_FONT, size=8)
        self.set_text_color(*_SOFT)
        self._paragraph(text, 4)
        self.set_text_color(*_INK)
        self.set_font(_FONT, size=9)

    def facts(self, facts: Iterable[tuple[str, str | None]]) -> None:
        """Names and values below each other; what is not known is left out."""
        for name, value in facts:
            if value:
                self.set_text_color(*_SOFT)
                self.cell(_NAMES, _LINE, plain(name))
                self.set_text_color(*_INK)
                if self._fits(value, _WIDE - _NAMES):
                    self.write_line(value)
                else:
                    self._paragraph(value, _LINE)
        self.ln(4)

    def blocks(self, *blocks: tuple[str, Sequence[str]]) -> None:
        """Headed lines beside each other, as addresses are; one without lines is left out. A line that is wider than its block
        goes on in a second one: the name of a business is never cut."""
        shown = [(head, lines) for head, lines in blocks if lines]
        top, lowest = self.get_y(), self.get_y()
        for place, (head, lines) in enumerate(shown):
            width = _WIDE / len(shown)
            left = self.l_margin + place * width
            self.set_xy(left, top)
            self.set_font(_FONT, "B", 8)
            self.set_text_color(*_SOFT)
            self.cell(width, _LINE, plain(head.upper()))
            self.set_text_color(*_INK)
            self.set_font(_FONT, size=9)
            for line in (part for text in lines for part in self.parted(width - 4, text)):
                self.set_xy(left, self.get_y() + _LINE)
                self.cell(width - 4, _LINE, line)
            lowest = max(lowest, self.get_y() + _LINE)
        self.set_xy(self.l_margin, lowest + 4)

    def rows(
        self,
        heads: Sequence[str],
        widths: Sequence[float],
        rows: Iterable[Sequence[str]],
        *,
        figures: int,
    ) -> None:
        """A text that is wider than its column goes on in a second line; a row is never parted."""
        all_rows = tuple(rows)
        self._heads = (heads, widths, figures)
        self._dense = len(all_rows) > ROOMY
        self._head_row()
        for row in all_rows:
            self._row(row, widths, figures)
        self._heads, self._dense = None, False
        self.set_font(_FONT, size=_SIZE)
        self.ln(4)

    def sums(self, sums: Iterable[tuple[str, Decimal]], *, due: str = "Total") -> None:
        """Each below the other; the totals are heavier, and what begins with `due`, which is what a reader looks for."""
        for name, amount in sums:
            self.set_font(_FONT, "B" if name.startswith(("Total", due)) else "", 9)
            self.cell(_WIDE - 40, 6, plain(name), align="R")
            self.cell(40, 6, money(amount), align="R", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.set_font(_FONT, size=9)

    def written(self) -> bytes:
        return bytes(self.output())

    def _head(self, title: str, seller: Seller | None) -> None:
        top = self.get_y()
        self.set_font(_FONT, "B", 18)
        self.write_line("Turnkey", 9)
        self.set_font(_FONT, size=9)
        if seller is not None:
            self.set_text_color(*_SOFT)
            numbers = (f"{name} no. {number}" for name, number in seller.tax_numbers.items())
            contact = " · ".join(one for one in (seller.phone, seller.email) if one)
            for line in (*written(seller), contact, *numbers):
                if line:
                    self.write_line(line, 4.2)
            self.set_text_color(*_INK)
        bottom = self.get_y()
        self.set_xy(self.l_margin + 80, top)
        self.set_font(_FONT, "B", 14)
        self.cell(_WIDE - 80, 9, plain(title), align="R")
        self.set_xy(self.l_margin, bottom + 2)
        self.line(self.l_margin, self.get_y(), self.l_margin + _WIDE, self.get_y())
        self.set_font(_FONT, size=9)
        self.ln(4)

    def _head_row(self) -> None:
        assert self._heads is not None
        heads, widths, figures = self._heads
        self.set_font(_FONT, "B", 8.5)
        self.set_fill_color(*_TINT)
        for place, (width, text) in enumerate(zip(widths, heads, strict=True)):
            align = "R" if place >= figures else "L"
            self.cell(width, 6.5, plain(text), align=align, fill=True)
        self.ln(7)
        self.set_font(_FONT, size=_DENSE_SIZE if self._dense else _SIZE)

    def _row(self, cells: Sequence[str], widths: Sequence[float], figures: int) -> None:
        parted = [self.parted(width, text) for width, text in zip(widths, cells, strict=True)]
        line_height, gap = (_DENSE_LINE, 0.3) if self._dense else (_LINE, 0.6)
        height = max(len(lines) for lines in parted) * line_height
        if self.get_y() + height > self.page_break_trigger:
            self.add_page()
        top, left = self.get_y(), self.l_margin
        for place, (width, lines) in enumerate(zip(widths, parted, strict=True)):
            for number, line in enumerate(lines):
                self.set_xy(left, top + number * line_height)
                self.cell(width, line_height, line, align="R" if place >= figures else "L")
            left += width
        self.line(self.l_margin, top + height + gap, self.l_margin + _WIDE, top + height + gap)
        self.set_xy(self.l_margin, top + height + 2 * gap)

    def parted(self, width: float, text: str) -> list[str]:
        """The lines of a text in so wide a column. What fits is one line; asking fpdf where to part it costs ten times as much."""
        plain_text = plain(text)
        room = width - 2 * self.c_margin
        if self._fits(text, width):
            return [plain_text]
        broken = _WORD.sub(lambda word: self._at_hyphens(word[0], room), plain_text)
        lines = self.multi_cell(width, _LINE, broken, dry_run=True, output="LINES")
        assert isinstance(lines, list)
        return lines

    def _fits(self, text: str, width: float) -> bool:
        plain_text = plain(text)
        return (
            "\n" not in plain_text
            and self.get_string_width(plain_text) <= width - 2 * self.c_margin
        )

    def _at_hyphens(self, word: str, room: float) -> str:
        """A number that is wider than its column goes on after one of its hyphens: fpdf parts at spaces alone, and then
        anywhere."""
        if self.get_string_width(word) <= room:
            return word
        lines = [""]
        for part in _UP_TO_HYPHEN.findall(word):
            if lines[-1] and self.get_string_width(lines[-1] + part) > room:
                lines.append("")
            lines[-1] += part
        return "\n".join(lines)


def plain(text: str) -> str:
    """The fonts that every reader has know Western European letters alone."""
    return text.replace("•", "*").encode("latin-1", "replace").decode("latin-1")
