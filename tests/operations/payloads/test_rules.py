"""The seal of a payload, and the keys it is made of."""

import base64
from itertools import pairwise

import pytest
from pydantic import SecretStr, ValidationError
from temporalio.api.common.v1 import Payload

from assembly import payload_codec_of
from providers.security.payload_keys import read_keys
from providers.security.payloads import KEY_ID, SealBroken, SealedPayloads, UnknownKey
from settings import Settings

OLD, NEW = b"o" * 32, b"n" * 32
PLAIN = Payload(metadata={"encoding": b"json/plain"}, data=b'"Ina Installer"')


def written(**keys: bytes) -> str:
    return ",".join(f"{id_}:{base64.b64encode(key).decode()}" for id_, key in keys.items())


async def test_a_payload_is_sealed_each_time_anew_and_names_its_key() -> None:
    codec = SealedPayloads({"new": NEW, "old": OLD})
    one, other = await codec.encode([PLAIN, PLAIN])
    assert one.metadata[KEY_ID] == b"new"
    assert one.data != other.data
    assert b"Installer" not in one.SerializeToString()
    assert await codec.decode([one, other]) == [PLAIN, PLAIN]


async def test_after_a_rotation_the_older_key_still_opens() -> None:
    (sealed,) = await SealedPayloads({"old": OLD}).encode([PLAIN])
    assert await SealedPayloads({"new": NEW, "old": OLD}).decode([sealed]) == [PLAIN]
    with pytest.raises(UnknownKey):
        await SealedPayloads({"new": NEW}).decode([sealed])


async def test_what_was_changed_or_moved_under_another_key_is_refused() -> None:
    codec = SealedPayloads({"new": NEW, "old": NEW})
    (sealed,) = await codec.encode([PLAIN])
    for broken in (
        Payload(metadata=sealed.metadata, data=sealed.data[:-1] + bytes([sealed.data[-1] ^ 1])),
        Payload(metadata=sealed.metadata, data=b""),
        Payload(metadata={**sealed.metadata, KEY_ID: b"old"}, data=sealed.data),
    ):
        with pytest.raises(SealBroken):
            await codec.decode([broken])


async def test_what_was_written_in_clear_is_read_as_it_is() -> None:
    assert await SealedPayloads({"new": NEW}).decode([PLAIN]) == [PLAIN]


def test_keys_are_read_in_their_order() -> None:
    read = read_keys(written(b=NEW, a=OLD))
    assert list(read.by_id.items()) == [("b", NEW), ("a", OLD)]
    assert read.seal
    for text in ("", "none"):
        assert not read_keys(text).by_id


@pytest.mark.parametrize(
    "text",
    [
        "secretly",
        "a:c2VjcmV0bHk=",
        f"{written(a=OLD)},{written(a=NEW)}",
        f":{written(a=OLD)}",
        f"{written(a=OLD)},none",
        f"none,none,{written(a=OLD)}",
        "none,",
    ],
)
def test_malformed_keys_are_refused_without_being_shown(text: str) -> None:
    with pytest.raises(ValidationError, match="PAYLOAD_KEYS") as refused:
        Settings(payload_keys=SecretStr(text))
    assert text not in str(refused.value)


@pytest.mark.parametrize("said", ["", "none"])
def test_without_keys_payloads_are_kept_as_they_are(said: str) -> None:
    assert payload_codec_of(Settings(payload_keys=SecretStr(said))) is None


WRITTEN_DOWN = {
    "switching on": ("none", f"none,{written(a=OLD)}", written(a=OLD)),
    "rotating": (written(a=OLD), written(a=OLD, b=NEW), written(b=NEW, a=OLD)),
    "switching off": (written(a=OLD), f"none,{written(a=OLD)}"),
}


@pytest.mark.parametrize("steps", WRITTEN_DOWN.values(), ids=WRITTEN_DOWN)
async def test_at_each_step_those_before_it_and_those_behind_it_read_each_other(
    steps: tuple[str, ...],
) -> None:
    """Nobody is at a step before everybody is at the one before (docs/going-live.md). What the first ones wrote stays."""
    codecs = [payload_codec_of(Settings(payload_keys=SecretStr(step))) for step in steps]
    first = await _encoded(codecs[0])
    for before, behind in pairwise(codecs):
        assert await _decoded(before, await _encoded(behind)) == PLAIN
        assert await _decoded(behind, await _encoded(before)) == PLAIN
        assert await _decoded(behind, first) == PLAIN


async def test_keys_behind_the_word_none_open_and_seal_nothing() -> None:
    codec = payload_codec_of(Settings(payload_keys=SecretStr(f"none,{written(a=OLD)}")))
    assert await _encoded(codec) == PLAIN
    assert await _decoded(codec, await _encoded(SealedPayloads({"a": OLD}))) == PLAIN


async def _encoded(codec: SealedPayloads | None) -> Payload:
    return PLAIN if codec is None else (await codec.encode([PLAIN]))[0]


async def _decoded(codec: SealedPayloads | None, payload: Payload) -> Payload:
    return payload if codec is None else (await codec.decode([payload]))[0]


def test_production_is_told_whether_payloads_are_sealed() -> None:
    for said, is_missed in (
        ("", True),
        ("none", False),
        (f"none,{written(a=NEW)}", False),
        (written(a=NEW), False),
    ):
        with pytest.raises(ValidationError) as refused:  # other settings are missing here
            Settings(environment="production", payload_keys=SecretStr(said))
        assert ("PAYLOAD_KEYS" in str(refused.value)) is is_missed
