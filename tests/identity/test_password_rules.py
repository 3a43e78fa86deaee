"""What a password, a name and an address must be."""

import subprocess
import sys

import pytest

from dev.places import ROOT
from domain.contact import is_email
from domain.identity.passwords import (
    PasswordInvalid,
    PasswordsDiffer,
    Weakness,
    check_new_password,
    follows_rule,
    weakness_of,
)

GOOD = [
    "Garage-Lantern-26",
    "Winter-Tyre-58?",
    "xT7!vq92Lm",
    "aA1!aA1!",
    "Aa1!" + "x" * 95,
    "Aé1 long enough!",
]
BAD = {
    "too short": "aA1!aA1",
    "a hundred characters": "Aa1!" + "x" * 96,
    "no lowercase": "GARAGE-26!",
    "no uppercase": "garage-26!",
    "no digit": "Garage-Lantern!",
    "no special": "GarageLantern26",
    "a space is not special": "Garage Lantern 26",
    "empty": "",
}


@pytest.mark.parametrize("password", GOOD)
def test_a_good_password_passes(password: str) -> None:
    check_new_password(password, password)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_password_is_told_so(name: str) -> None:
    assert not follows_rule(BAD[name])
    with pytest.raises(PasswordInvalid) as refusal:
        check_new_password(BAD[name], BAD[name], field="new_password")
    assert refusal.value.fields == (("new_password", "Password invalid"),)


@pytest.mark.parametrize(
    "password",
    [
        "Password1!",
        "P@ssw0rd!",
        "Welcome2026!",
        "!Qwerty123",
        "L3tm31n!!",
        "Adm1n$2026",
        "1qaz@WSX",
        "Aa123456!",
        "Zxcvbnm1!",
        "Liverpool1!",
        "Jordan23!",
        "L1verp00l#7",
        "Qweasdzxc1!",
        "!QAZxsw2",
        "Abcdefg1!",
    ],
)
def test_a_common_password_in_disguise_is_refused(password: str) -> None:
    assert follows_rule(password)
    assert weakness_of(password) is Weakness.COMMON


OFFLINE = """
import sys

def refuse(event, _):
    if event.startswith(("socket.", "urllib.")):
        raise RuntimeError(event)

sys.addaudithook(refuse)
from domain.identity.passwords import Weakness, weakness_of
print(weakness_of("Liverpool1!"))
"""


def test_the_list_of_common_passwords_is_asked_of_nobody() -> None:
    """It comes with the package: where there is no network a common one is still refused."""
    told = subprocess.run(
        [sys.executable, "-c", OFFLINE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (told.stdout.strip(), told.stderr) == (Weakness.COMMON, "")


def test_a_walk_over_the_keyboard_is_told_apart() -> None:
    assert weakness_of("Wertsdfg1!") is Weakness.WALK


def test_ones_own_name_is_refused_and_somebody_elses_is_not() -> None:
    about = ("Robin", "Okafor", "robin@shop.example")
    assert weakness_of("Okafor2026!", about) is Weakness.OWN_NAME
    assert weakness_of("Sh0pfront2026!", ("a@shopfront.example",)) is Weakness.OWN_DOMAIN
    assert weakness_of("Lindqvist2026!", about) is None


OLIVIA = ("Olivia", "Marchand", "o.marchand+portal@garage-nord.example")


@pytest.mark.parametrize(
    ("password", "about"),
    [
        ("OliviaMarchand1!", OLIVIA),
        ("Marchand-Olivia7", OLIVIA),
        ("0l1via.Marchand1", OLIVIA),
        ("OMarchand2026!", OLIVIA),
        ("Ivan.Petrov1", ("Ivan", "Petrov", "ivan@shop.example")),
        ("Ivan.Petrov1", ("I", "P", "ivan.petrov@shop.example")),
        ("EricCote-2026", ("Éric", "Côté", "ec@shop.example")),
        ("Éric.Côté-2026", ("Eric", "Cote", "ec@shop.example")),
        ("AnneMarie-2026", ("Anne-Marie", "Roy", "amr@shop.example")),
    ],
)
def test_names_are_refused_as_one_too(password: str, about: tuple[str, ...]) -> None:
    assert weakness_of(password, about) is Weakness.OWN_NAME


def test_and_a_domain_is_without_its_hyphen() -> None:
    assert weakness_of("GarageNord-2026", OLIVIA) is Weakness.OWN_DOMAIN
    assert weakness_of("GarageLantern-2026", OLIVIA) is None


def test_the_two_must_be_alike() -> None:
    with pytest.raises(PasswordsDiffer):
        check_new_password("Garage-Lantern-26", "Garage-Lantern-27")


@pytest.mark.parametrize(
    "address",
    [
        "a@b.co",
        "robin.test+car@shop-one.example",
        "R_O@shop.example",
        "a@sub.shop.com",
        "o'neil@x.ca",
    ],
)
def test_ordinary_addresses_pass(address: str) -> None:
    assert is_email(address)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "a",
        "a@b",
        "@shop.example",
        "a@@shop.example",
        "a b@shop.example",
        ".a@shop.example",
        "a.@shop.example",
        "a..b@shop.example",
        "a@shop_one.example",
        "a@shop.com.com",
        "a@-shop.example",
        "a@shop.example.",
        "a" * 65 + "@shop.example",
        "a@" + "shop." * 60 + "com",
        "a@shop.example\n",
    ],
)
def test_malformed_addresses_do_not(address: str) -> None:
    assert not is_email(address)
