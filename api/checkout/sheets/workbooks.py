"""The first sheet of an XLSX as texts, in time and memory that its size bounds, whatever stands in it.

Only the parts that say what the cells hold are opened, each once, and only so many of their elements are looked at. A general
reader builds every cell, style, range and formula first, of which a small file may have any number.
"""

import posixpath
import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format

from domain.errors import Invalid

MOST_PART = 4 * 1024 * 1024
"""Bytes of one part, unpacked."""
MOST_ELEMENTS = 120_000
"""Of all parts together. A full list in twenty columns of different texts has 82,000."""
_CHUNK = 64 * 1024
MOST_COLUMNS = 20
_LONGEST_STRING = 1_000
"""Any number of cells may name one string; nothing that is ordered is called so long."""
_LONGEST_FORMAT = 255
_DEEPEST = 100
_CONTENT_TYPES = "[Content_Types].xml"
_WORKBOOK = ".main+xml"
_FIRST_DAY = datetime(1899, 12, 30)  # noqa: DTZ001 (a sheet knows no zones)
_PLACE = re.compile(r"([A-Z]{1,3})[0-9]{1,9}")


class UnreadableFile(Invalid):
    code = "unreadable_file"
    detail = "This file cannot be read. Please save it as CSV or XLSX and try again."


def first_sheet(archive: zipfile.ZipFile) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each row that there is, from 1 on and in order; formulas are the texts that they are. Raises
    UnreadableFile, or what the archive and the parser raise."""
    parts = _Parts(archive)
    workbook = parts.workbook()
    links = parts.links_of(workbook)
    sheets = [links[id_] for id_ in parts.sheet_ids(workbook) if id_ in links]
    sheet = next((target for kind, target in sheets if kind == "worksheet"), None)
    if sheet is None:
        raise UnreadableFile
    by_kind = dict(links.values())
    texts = list(parts.strings(by_kind.get("sharedStrings")))
    dates = list(parts.date_styles(by_kind.get("styles")))
    last = 0
    for row in parts.all_of(sheet, "row"):
        number = int(row.get("r") or last + 1)
        if number <= last:
            raise UnreadableFile
        last = number
        yield number, _cells(row, texts, dates)
        row.clear()


class _Parts:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._elements = 0

    def all_of(self, part: str, *names: str) -> Iterator[Element]:
        """The elements of these names, whatever their namespace, each when it is whole."""
        if self._archive.getinfo(part).file_size > MOST_PART:
            raise UnreadableFile
        tree = _Tree()
        with self._archive.open(part) as opened:
            while chunk := opened.read(_CHUNK):
                for element in tree.whole(chunk):
                    self._elements += 1
                    if self._elements > MOST_ELEMENTS:
                        raise UnreadableFile
                    if element.tag in names:
                        yield element
        tree.close()

    def workbook(self) -> str:
        for one in self.all_of(_CONTENT_TYPES, "Override", "Default"):
            if one.get("ContentType", "").endswith(_WORKBOOK):
                return one.get("PartName", "/xl/workbook.xml").removeprefix("/")
        raise UnreadableFile

    def links_of(self, part: str) -> dict[str, tuple[str, str]]:
        """Id → last word of the kind, and part."""
        folder, name = posixpath.split(part)
        return {
            one.get("Id", ""): (
                one.get("Type", "").rpartition("/")[2],
                posixpath.normpath(posixpath.join("/", folder, one.get("Target", ""))).lstrip("/"),
            )
            for one in self.all_of(posixpath.join(folder, "_rels", f"{name}.rels"), "Relationship")
        }

    def sheet_ids(self, workbook: str) -> Iterator[str]:
        for sheet in self.all_of(workbook, "sheet"):
            yield next((value for key, value in sheet.items() if key.endswith(":id")), "")

    def strings(self, part: str | None) -> Iterator[str]:
        for one in self.all_of(part, "si") if part else ():
            yield _string(one)[:_LONGEST_STRING]
            one.clear()

    def date_styles(self, part: str | None) -> Iterator[bool]:
        """Whether the cells of each style show a number as a date."""
        if part is None:
            return
        shows_date = {id_: _is_date(code) for id_, code in BUILTIN_FORMATS.items()}
        for one in self.all_of(part, "numFmt", "cellXfs"):
            if one.tag == "numFmt":
                shows_date[int(one.get("numFmtId", "0"))] = _is_date(one.get("formatCode", ""))
                continue
            for style in one:
                yield shows_date.get(int(style.get("numFmtId", "0")), False)


def _is_date(code: str) -> bool:
    return len(code) <= _LONGEST_FORMAT and bool(is_date_format(code))


class _Tree:
    """Elements by their local names. Namespaces are not looked up, and nothing is declared: a name or an attribute is never
    longer than it is written."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = _refuse
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._builder = TreeBuilder()
        self._whole: list[Element] = []
        self._open = 0

    def whole(self, chunk: bytes) -> list[Element]:
        """Those that end in this chunk."""
        self._whole = []
        self._parser.Parse(chunk, False)
        return self._whole

    def close(self) -> None:
        self._parser.Parse(b"", True)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._open += 1
        if self._open > _DEEPEST:
            raise UnreadableFile
        self._builder.start(name.rpartition(":")[2], attributes)

    def _end(self, name: str) -> None:
        self._open -= 1
        self._whole.append(self._builder.end(name.rpartition(":")[2]))

    def _text(self, text: str) -> None:
        self._builder.data(text)


def _refuse(*_: object) -> None:
    raise UnreadableFile


def _cells(row: Element, texts: Sequence[str], dates: Sequence[bool]) -> list[str]:
    """Up to the last one that is there; cells that are left out are empty."""
    cells: list[str] = []
    column = 0
    for cell in row:
        if cell.tag != "c":
            continue
        place = cell.get("r")
        column = _column(place) if place else column + 1
        if column <= MOST_COLUMNS:
            cells.extend([""] * (column - len(cells)))
            cells[column - 1] = _text(cell, texts, dates)
    return cells


def _column(place: str) -> int:
    """1 for `A7`. Raises UnreadableFile."""
    found = _PLACE.fullmatch(place.upper())
    if found is None:
        raise UnreadableFile
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return column


def _text(cell: Element, texts: Sequence[str], dates: Sequence[bool]) -> str:
    held = {one.tag: one for one in cell}
    if "f" in held:
        return f"={held['f'].text or ''}"
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return _string(held["is"]) if "is" in held else ""
    value = (held["v"].text or "") if "v" in held else ""
    if not value:
        return ""
    match kind:
        case "s":
            return texts[int(value)]
        case "b":
            return str(bool(int(value)))
        case "n":
            style = int(cell.get("s", "0"))
            return _number(value, is_date=style < len(dates) and dates[style])
        case _:
            return value


def _number(written: str, *, is_date: bool) -> str:
    """A number without a fraction is written without one."""
    number = float(written) if any(sign in written for sign in ".eE") else int(written)
    if is_date:
        try:
            return str(_FIRST_DAY + timedelta(days=number))
        except OverflowError:
            return written
    if isinstance(number, float) and number.is_integer():
        return str(int(number))
    return str(number)


def _string(held: Element) -> str:
    """The text, or those of its runs; how it is to be spoken is left out."""
    runs = [held, *(one for one in held if one.tag == "r")]
    return "".join(one.text or "" for run in runs for one in run if one.tag == "t")
