"""Looks for secrets in everything that the portal leaves behind (promises 28, 43, 44 and 49).

A canary is a secret that one run used. It is looked for as it was typed, URL-encoded, in base64 and in hexadecimal; short
ones (pins, codes, passwords), which a hash does not hide, as their SHA-256 too.
"""

import base64
import hashlib
import re
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, quote_plus

import psycopg
from psycopg import sql
from temporalio.client import Client

Part = tuple[str, bytes]
"""Where something was found, and the bytes."""


@dataclass(frozen=True)
class Form:
    """`within` is what stands in every match, in small letters: most parts are told from it that they hold none, many times
    faster than by the pattern."""

    within: bytes
    pattern: re.Pattern[bytes]

    def is_in(self, data: bytes, small: bytes) -> bool:
        """`small` is `data` in small letters."""
        return self.within in small and self.pattern.search(data) is not None


@dataclass(frozen=True)
class Canary:
    """`is_short`: its plain hash could be guessed back. `of_digits`: only whole numbers count, as any digits are found in
    times and random ids. `beside`: so few digits that they count only after such a word (a pattern)."""

    name: str
    value: str
    is_short: bool = False
    of_digits: bool = False
    beside: str = ""

    def forms(self) -> Mapping[str, Form]:
        """Name of a form → what to look for."""
        raw = self.value.encode()
        plain = re.escape(raw)
        if self.of_digits:
            plain = rb"(?<![0-9A-Za-z.+-])" + plain + rb"(?![0-9A-Za-z])"
        if self.beside:
            plain = rb"(?i)(?:" + self.beside.encode() + rb")\W{0,12}" + plain
        found = {"plain": Form(raw.lower(), re.compile(plain, re.S))}
        for name, encoded in (
            ("quoted", quote(self.value, safe="")),
            ("form", quote_plus(self.value)),
        ):
            if encoded != self.value:
                found[name] = _as_it_is(encoded.encode())
        for shift in range(0 if self.beside else 3):
            shown = _base64_inside(raw, shift)
            found[f"base64+{shift}"] = _as_it_is(shown)
            found[f"base64url+{shift}"] = _as_it_is(shown.replace(b"+", b"-").replace(b"/", b"_"))
        if len(raw) >= 6:
            found["hex"] = _in_any_case(raw.hex().encode())
        if self.is_short:
            digest = hashlib.sha256(raw)
            found["sha256"] = _in_any_case(digest.hexdigest().encode())
            found["sha256 in base64"] = _as_it_is(base64.b64encode(digest.digest()).rstrip(b"="))
            found["sha256 in bytes"] = _as_it_is(digest.digest())
        return found


def _as_it_is(text: bytes) -> Form:
    return Form(text.lower(), re.compile(re.escape(text)))


def _in_any_case(text: bytes) -> Form:
    return Form(text.lower(), re.compile(re.escape(text), re.I))


def _base64_inside(raw: bytes, shift: int) -> bytes:
    """What base64 shows of these bytes wherever they stand in a longer text; the ends depend on their neighbours."""
    shown = base64.b64encode(b"\0" * shift + raw).rstrip(b"=")
    first = (0, 2, 3)[shift]
    last = len(shown) if (shift + len(raw)) % 3 == 0 else len(shown) - 1
    return shown[first:last]


def search(canaries: Iterable[Canary], parts: Iterable[Part]) -> list[str]:
    """Where which canary was found in which form; no value is shown."""
    wanted = [(canary.name, canary.forms()) for canary in canaries]
    return [
        f"{name} ({kind}) in {where}"
        for where, data in parts
        for small in (data.lower(),)
        for name, forms in wanted
        for kind, form in forms.items()
        if form.is_in(data, small)
    ]


def tables(database_url: str) -> Iterable[Part]:
    """Every row of every table, as COPY writes it; bytes also as they are."""
    with psycopg.connect(database_url) as connection:
        names = connection.execute(
            "select schemaname, tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema')"
        ).fetchall()
        assert len(names) > 20
        for schema, table in names:
            statement = sql.SQL("copy {}.{} to stdout").format(
                sql.Identifier(schema), sql.Identifier(table)
            )
            with connection.cursor().copy(statement) as copied:
                data = b"".join(bytes(chunk) for chunk in copied)
            yield f"table {table}", data
            yield f"bytes of table {table}", _unescaped(data)


def _unescaped(data: bytes) -> bytes:
    """bytea columns out of their `\\x…`."""
    hexes = re.findall(rb"\\\\x([0-9a-f]{8,})", data)
    return b"\n".join(bytes.fromhex(each.decode()) for each in hexes if len(each) % 2 == 0)


async def histories(client: Client) -> AsyncIterator[Part]:
    """Every event of every run, its payloads as they are; what is shown beside it, too."""
    async for run in client.list_workflows():
        handle = client.get_workflow_handle(run.id, run_id=run.run_id)
        history = await handle.fetch_history()
        events = b"\n".join(event.SerializeToString() for event in history.events)
        yield f"history of {run.id}", events
        described = await handle.describe()
        yield f"description of {run.id}", described.raw_description.SerializeToString()


def files(folder: Path, *patterns: str) -> Iterable[Part]:
    """Whole files."""
    for pattern in patterns:
        for path in sorted(folder.glob(pattern)):
            if path.is_file():
                yield f"file {path.name}", path.read_bytes()
