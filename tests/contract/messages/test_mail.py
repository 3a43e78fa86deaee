"""Mail by SMTP against a real server: what arrives, what a repeat is, and how each failure reads."""

import email
import email.policy
import ssl
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from domain.letters.language import Language, Reader
from domain.letters.text import Text, written
from providers.errors import Refused, Unavailable
from providers.messages.letter import Paper, as_html
from providers.messages.mail import Encryption, Mail
from settings import Settings
from simulators.messages.mail import PASSWORD, USER, listen, serving
from tests.simulators.harness import World, a_world

PAPER = Paper(name="order-1001", content=b"%PDF-1.7 \n.\r\n and so on")


def a_mail(url: str, **more: Any) -> Mail:
    known: dict[str, Any] = {
        "sender": "Turnkey <portal@turnkey.example>",
        "user": USER,
        "password": PASSWORD,
        "encryption": Encryption.NONE,
        "portal_urls": ("https://portal.test",),
    }
    return Mail(url=url, **(known | more))


def certificates() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server's own, for localhost, and what a client that trusts it alone has."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = made.public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "server.pem"
        file.write_bytes(private + pem)
        server.load_cert_chain(file)
    return server, ssl.create_default_context(cadata=pem.decode())


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World]:
    async with a_world(tmp_path_factory.mktemp("messenger") / "state.sqlite") as world:
        yield world


async def test_a_mail_arrives_and_a_repeat_arrives_again(world: World):
    for _ in range(2):
        await world.messenger.send_mail("ana@example.com", "Hello", "A text", key="mail-1")
    first, second = await world.outbox("ana@example.com")
    assert (first["kind"], first["subject"], first["text"]) == ("mail", "Hello", "A text")
    assert first["message_id"] == second["message_id"]


async def test_each_is_written_to_whoever_else_cannot_be(world: World):
    first, second, later = "ines@example.com", "omar@example.com", "pia@example.com"
    addresses = (first, "refused@example.com", second, "down@example.com", later)
    readers = [
        Reader(email=one, language=Language.FR if one == second else None) for one in addresses
    ]
    hello = written(Text("Hello", "Bonjour"), Text("A text", "Un texte"))
    with pytest.raises(Unavailable):
        await world.messenger.write_to_each(readers, hello, key="mail-each")
    for address in (first, second, later):
        (mail,) = await world.outbox(address)
        assert mail["subject"] == ("Bonjour" if address == second else "Hello")


@pytest.mark.parametrize("to", ["refused@example.com", "not an address"])
async def test_bad_recipient_is_refused_for_good(world: World, to: str):
    with pytest.raises(Refused):
        await world.messenger.send_mail(to, "Hello", "A text", key=f"bad-{to}")
    assert await world.outbox(to) == []


async def test_after_a_lost_reply_the_retry_has_the_same_message_id(world: World):
    with pytest.raises(Unavailable) as lost:
        await world.messenger.send_mail("lost@example.com", "Hello", "A text", key="mail-lost")
    assert lost.value.may_have_worked
    await world.messenger.send_mail("lost@example.com", "Hello", "A text", key="mail-lost")
    first, second = await world.outbox("lost@example.com")
    assert first["message_id"] == second["message_id"]


async def test_a_mail_has_text_and_html_with_our_mark_inside(world: World):
    text = (
        "Hello & welcome.\n\nChoose your password: https://portal.test/set?a=1&b=2\nÀ bientôt <b>"
    )
    await world.messenger.send_mail(
        "parts@example.com", "Bienvenue à Turnkey", text, key="parts", papers=[PAPER]
    )
    (kept,) = await world.outbox("parts@example.com")
    answer = await world.http.get(f"/messenger/mail/{kept['seq']}/raw")
    mail = email.message_from_bytes(answer.content, policy=email.policy.default)
    kinds = [part.get_content_type() for part in mail.walk()]
    assert kinds == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "application/pdf",
    ]
    assert (kept["subject"], kept["text"]) == ("Bienvenue à Turnkey", text)
    assert 'href="https://portal.test/set?a=1&amp;b=2"' in kept["html"]
    assert ">Choose your password</a>" in kept["html"]
    assert "<b>" not in kept["html"]
    assert "Hello &amp; welcome." in kept["html"]
    (picture,) = (part for part in mail.walk() if part.get_content_type() == "image/png")
    assert f"cid:{picture['Content-ID'].strip('<>')}" in kept["html"]
    page = await world.http.get("/messenger/", params={"to": "parts@example.com"})
    assert "Bienvenue à Turnkey" in page.text
    sent = await world.http.get(f"/messenger/mail/{kept['seq']}/papers/{PAPER.name}.pdf")
    assert sent.content == PAPER.content


async def test_a_text_with_accents_travels_in_seven_bits(world: World):
    await world.messenger.send_mail("accents@example.com", "Été", "À bientôt", key="accents")
    (kept,) = await world.outbox("accents@example.com")
    assert (kept["subject"], kept["text"]) == ("Été", "À bientôt")
    raw = (await world.http.get(f"/messenger/mail/{kept['seq']}/raw")).content
    assert raw.isascii()


def test_an_address_at_each_of_our_sites_is_under_the_words_before_it():
    named = {"ca": "portal.test", "us": "us.portal.test"}
    at_both = Settings(environment="test", portal_url="https://portal.test:8443", sites=named)
    assert at_both.portal_urls == {"https://portal.test:8443", "https://us.portal.test:8443"}
    for url in (f"{one}/set-password?token=1" for one in at_both.portal_urls):
        told = as_html("Hello", f"Choose your password: {url}", at_both.portal_urls)
        assert ">Choose your password</a>" in told
        assert f">{url}" not in told
    beside = Settings(environment="test", portal_url="https://elsewhere.test", sites=named)
    assert beside.portal_urls == {"https://elsewhere.test"}


def test_only_an_address_of_ours_is_under_other_words():
    for url in ("https://evil.example/x", "https://portal.test.evil.example/x"):
        told = as_html(
            "Hello", f"They write: Confirm your password: {url}", ["https://portal.test"]
        )
        assert f">{url}</a>" in told
        assert "password</a>" not in told


async def test_a_repeat_is_known_by_its_message_id_which_tells_nothing_of_the_key(world: World):
    await world.messenger.send_mail("id@example.com", "One", "A text", key="secret-key")
    await world.messenger.send_mail("id@example.com", "Two", "A text", key="another-key")
    ids = [mail["message_id"] for mail in await world.outbox("id@example.com")]
    assert len(set(ids)) == 2
    assert all(one.endswith("@turnkey.example>") and "key" not in one[:40] for one in ids)


@pytest.mark.parametrize("name", ["refused", "unnamed", "denied", "full"])
async def test_what_is_wrong_with_a_mailbox_is_for_good_and_told_in_our_words(
    world: World, name: str
):
    with pytest.raises(Refused) as refused:
        await world.messenger.send_mail(f"{name}@example.com", "Hello", "A text", key=name)
    assert refused.value.detail == "This address takes no mail."


@pytest.mark.parametrize("name", ["blocked", "rejected"])
async def test_what_is_wrong_with_our_sender_keeps_the_mail_waiting(world: World, name: str):
    with pytest.raises(Unavailable) as ours:
        await world.messenger.send_mail(f"{name}@example.com", "Hello", "A text", key=name)
    assert not ours.value.may_have_worked
    assert name not in str(ours.value)


async def test_a_flaky_recipient_is_reached_at_the_third_try(world: World):
    for _ in range(2):
        with pytest.raises(Unavailable) as later:
            await world.messenger.send_mail("flaky@example.com", "Hello", "A text", key="flaky")
        assert not later.value.may_have_worked
    await world.messenger.send_mail("flaky@example.com", "Hello", "A text", key="flaky")
    assert len(await world.outbox("flaky@example.com")) == 1


async def test_a_server_that_takes_long_is_waited_for_within_bounds(world: World):
    quick = a_mail(world.mail_url, seconds=0.5)
    with pytest.raises(Unavailable) as slow:
        await quick.send("slow@example.com", "Hello", "A text", key="slow")
    assert slow.value.may_have_worked


async def test_whom_the_server_does_not_let_in_is_unavailable_not_refused(world: World):
    with pytest.raises(Unavailable) as shut:
        await a_mail(world.mail_url, password="wrong").greeting()
    assert shut.value.answered == 535


async def test_nobody_at_the_address_is_told_apart_from_a_mail_that_may_be_out():
    with pytest.raises(Unavailable) as away:
        await a_mail("smtp://127.0.0.1:9").send("ana@example.com", "Hello", "A text", key="away")
    assert not away.value.may_have_worked


async def test_a_recipient_and_a_subject_smuggle_nothing_in(world: World):
    for to in ("a@b.example\r\nBcc: x@y.example", "a@b.example, x@y.example", "<a@b.example>"):
        with pytest.raises(Refused):
            await world.messenger.send_mail(to, "Hello", "A text", key="smuggled")
    subject = "Hello\r\nBcc: x@y.example"
    await world.messenger.send_mail("only@example.com", subject, "A text", key="subject")
    (mail,) = await world.outbox("only@example.com")
    assert mail["subject"] == "Hello Bcc: x@y.example"


async def test_a_line_that_is_a_dot_does_not_end_the_mail(world: World):
    text = "Before\n.\nAfter"
    await world.messenger.send_mail("dot@example.com", "Hello", text, key="dot")
    (mail,) = await world.outbox("dot@example.com")
    assert mail["text"] == text


async def test_an_address_of_other_letters_is_reached(world: World):
    await world.messenger.send_mail("rené@example.com", "Hello", "A text", key="utf8")
    assert len(await world.outbox("rené@example.com")) == 1


async def test_starttls_is_insisted_on_and_the_certificate_is_looked_at(world: World):
    plain = a_mail(world.mail_url, encryption=Encryption.STARTTLS)
    with pytest.raises(Unavailable):
        await plain.send("tls@example.com", "Hello", "A text", key="plain")
    server, trusted = certificates()
    listening = listen("127.0.0.1", 0)
    async with serving(lambda: world.app.state.file, listening, certificate=server) as port:
        url = f"smtp://localhost:{port}"
        stranger = a_mail(url, encryption=Encryption.STARTTLS)
        with pytest.raises(Unavailable):
            await stranger.send("tls@example.com", "Hello", "A text", key="stranger")
        known = a_mail(url, encryption=Encryption.STARTTLS, trusted=trusted)
        await known.send("tls@example.com", "Hello", "A text", key="tls")
    assert len(await world.outbox("tls@example.com")) == 1


async def test_messenger_may_be_down(world: World):
    with pytest.raises(Unavailable):
        await world.messenger.send_mail("down@example.com", "Hello", "A text", key="mail-down")
