"""What no JSON body may be."""

import json

import pytest
from pydantic import TypeAdapter, ValidationError

from api.platform.border.bodies import MAX_DEPTH, MAX_LIST, MalformedBody, check_json
from domain.base import Utc

FINE = {
    "an object": '{"a": [1, 2.5, null, true, "text"]}',
    "as deep as allowed": "[" * MAX_DEPTH + "]" * MAX_DEPTH,
    "as long as allowed": json.dumps(list(range(MAX_LIST))),
    "brackets in text": json.dumps("[" * 50 + '\\"' + "{" * 50),
    "a pair of surrogates": '"\\ud83d\\ude97"',
    "eighteen digits": "-" + "9" * 18,
}
MALFORMED = {
    "nothing closed": "{",
    "no JSON": "hello",
    "bytes that are no text": b'"\xff"',
    "a key twice": '{"a": 1, "a": 2}',
    "a key twice inside": '[{"b": {"a": 1, "a": 1}}]',
    "NaN": '{"a": NaN}',
    "infinity": "[-Infinity]",
    "a number beyond doubles": "[1e309]",
    "nineteen digits": "[" + "9" * 20 + "]",
    "more digits than Python reads": "9" * 5000,
    "NUL": '"a\\u0000b"',
    "NUL in a key": '{"a\\u0000": 1}',
    "half a pair of surrogates": '["\\ud83d"]',
    "one level too deep": "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
    "deeper than any parser": "[" * 60_000,
    "a text that is never closed": '"' + '\\"' * 128_000,
    "nor its last sign": '"' + '\\"' * 128_000 + "\\",
    "texts of which the last is never closed": '["a",' * 10 + '"' + '\\"' * 128_000,
    "one entry too many": json.dumps(list(range(MAX_LIST + 1))),
}


@pytest.mark.parametrize("name", FINE)
def test_ordinary_json_passes(name: str) -> None:
    check_json(FINE[name].encode())


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_json_is_refused(name: str) -> None:
    """However large it is: what is read more than once would take minutes here."""
    body = MALFORMED[name]
    with pytest.raises(MalformedBody):
        check_json(body if isinstance(body, bytes) else body.encode())


@pytest.mark.parametrize("written", [0, 0.5, "0.5", "1700000000", " 17 ", True])
def test_a_number_is_no_time(written: object) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Utc).validate_python(written)


def test_a_written_time_is_taken_in_its_zone() -> None:
    taken = TypeAdapter(Utc).validate_python("2026-11-21T10:00:00-05:00")
    assert taken.isoformat() == "2026-11-21T15:00:00+00:00"
