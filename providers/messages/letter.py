"""A mail as it is sent: its text, the same as HTML under our mark, and papers that come with it (RFC 5322, 2387)."""

import hashlib
import re
from collections.abc import Collection, Sequence
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import localtime, parseaddr
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from domain.base import Frozen
from domain.letters.language import Language

_HERE = Path(__file__).parent
_MARK = "mark@turnkey"
_LINK = re.compile(r"^(?P<before>(?:.*[.!?] )?)(?P<label>[^.!?]*[:?]?) ?(?P<url>https?://\S+)$")


class Paper(Frozen):
    """A PDF that comes with a mail."""

    name: str
    content: bytes


class Line(Frozen):
    """What a line of the text is in HTML: words, and an address under the words that lead to it."""

    words: str
    label: str = ""
    url: str = ""


def letter(
    sender: str,
    to: str,
    subject: str,
    text: str,
    key: str,
    papers: Sequence[Paper] = (),
    *,
    portal_urls: Collection[str],
    language: Language = Language.EN,
) -> EmailMessage:
    """Asked again with the same `key` it has the same Message-ID, by which a repeat is known. `sender` as in a header:
    `Turnkey <portal@turnkey.example>`; `portal_urls` are where our own addresses begin."""
    name, address = parseaddr(sender)
    mail = EmailMessage()
    mail["From"] = Address(name, addr_spec=address)
    mail["To"] = to
    mail["Subject"] = " ".join(subject.split())
    mail["Date"] = localtime()
    mail["Message-ID"] = message_id(key, address)
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(text)
    mail.add_alternative(as_html(subject, text, portal_urls, language), subtype="html")
    html = mail.get_payload(1)
    assert isinstance(html, EmailMessage)
    html.add_related(_mark(), "image", "png", cid=f"<{_MARK}>", disposition="inline")
    for paper in papers:
        mail.add_attachment(
            paper.content, maintype="application", subtype="pdf", filename=f"{paper.name}.pdf"
        )
    # Last: what a mail says of its content goes with it into a part, where it becomes one of several.
    mail["Content-Language"] = language
    return mail


def message_id(key: str, sender: str) -> str:
    """The same for the same key: a hash, because a key may name what the reader of a mail has no business to know."""
    digest = hashlib.sha256(key.encode()).hexdigest()[:40]
    return f"<{digest}@{sender.rpartition('@')[2]}>"


def as_html(
    subject: str, text: str, portal_urls: Collection[str], language: Language = Language.EN
) -> str:
    """Paragraphs are parted by empty lines; an address of ours at the end of a line, whichever the site, is a link under the words
    before it. Any other is shown as it is: a mail may have words of somebody else, and they choose no name for where a link leads."""
    ours = tuple(f"{url.rstrip('/')}/" for url in portal_urls)
    paragraphs = [
        [_line(line, ours) for line in paragraph.splitlines()] for paragraph in text.split("\n\n")
    ]
    template = _templates().get_template("letter.html.jinja")
    return template.render(subject=subject, paragraphs=paragraphs, mark=_MARK, language=language)


def _line(line: str, ours: tuple[str, ...]) -> Line:
    found = _LINK.match(line.strip())
    if found is None:
        return Line(words=line)
    url, label = found["url"], found["label"].strip().rstrip(":").rstrip()
    if not url.startswith(ours):
        return Line(words=line.strip().removesuffix(url).strip(), label=url, url=url)
    return Line(words=found["before"].strip(), label=label or url, url=url)


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _mark() -> bytes:
    return (_HERE / "mark.png").read_bytes()
