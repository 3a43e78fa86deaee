"""Card and bank numbers on every way that takes them, and on every way that they are refused."""

from typing import Any

import httpx

from tests.portal import said

GOOD_CARD = "4916338506082832"
DECLINED_CARD = "4000000000009995"
SECURITY_CODE = "7391"
GOOD_ACCOUNT = "73019264518"
REFUSED_ACCOUNT = "000444444440"

NUMBERS = {
    "card number": GOOD_CARD,
    "card number in groups": " ".join(GOOD_CARD[n : n + 4] for n in range(0, 16, 4)),
    "declined card number": DECLINED_CARD,
    "bank account number": GOOD_ACCOUNT,
    "refused bank account number": REFUSED_ACCOUNT,
}


async def walk(browser: httpx.AsyncClient, simulators_url: str) -> None:
    """As a signed-in owner: cards and accounts that are taken, refused, malformed, and sent while the provider is away."""
    groups = NUMBERS["card number in groups"]
    for path in ("/v1/card", "/api/create-credit-card"):
        for number, status in ((GOOD_CARD, 200), (groups, 200), (DECLINED_CARD, 409)):
            await _send(browser, path, _card(number), status)
        await _send(browser, path, _card(f"{GOOD_CARD[:-1]}x"), 422)
        await _send(browser, path, _card(GOOD_CARD) | {"cvv": f"{SECURITY_CODE}x"}, 422)
        await _send(browser, path, _card(GOOD_CARD) | {"number": [GOOD_CARD]}, 422)
        await _turn(simulators_url, "cards", outage=True)
        await _send(browser, path, _card(GOOD_CARD), 503)
        await _turn(simulators_url, "cards", outage=False, lose_replies=1, lost_reply_seconds=0)
        await _send(browser, path, _card(GOOD_CARD), 503)
    await _send(browser, "/api/create-bank-account", _account(GOOD_ACCOUNT), 200)
    await _send(browser, "/api/create-bank-account", _account(f"{GOOD_ACCOUNT}x"), 422)
    refused = await browser.post("/api/create-bank-account", json=_account(REFUSED_ACCOUNT))
    assert REFUSED_ACCOUNT not in refused.text
    await _turn(simulators_url, "gateway", outage=True)
    await _send(browser, "/api/create-bank-account", _account(GOOD_ACCOUNT), 503)
    await _turn(simulators_url, "gateway", outage=False)


async def _send(browser: httpx.AsyncClient, path: str, body: dict[str, Any], status: int) -> None:
    answer = await browser.post(path, json=body)
    assert answer.status_code == status, f"{path}: {answer.status_code} {answer.text}"
    assert not any(number in answer.text for number in NUMBERS.values())
    assert SECURITY_CODE not in said(answer)


async def _turn(simulators_url: str, system: str, **knobs: Any) -> None:
    async with httpx.AsyncClient(trust_env=False, timeout=20) as http:
        answer = await http.post(f"{simulators_url}/{system}/_control", json=knobs)
    assert answer.is_success


def _card(number: str) -> dict[str, Any]:
    return {
        "number": number,
        "cvv": SECURITY_CODE,
        "expMonth": 12,
        "expYear": 2031,
        "name": "Olivia Marchand",
    }


def _account(number: str) -> dict[str, Any]:
    return {
        "name": "Harbour Car Audio",
        "holderType": "Company",
        "accountType": "Checking",
        "routingNumber": "110000000",
        "accountNumber": number,
        "countryCode": "US",
    }
