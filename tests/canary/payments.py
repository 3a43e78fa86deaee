"""Card and bank numbers on every way that takes them, and on every way that they are refused."""

import uuid
from typing import Any

import httpx

from tests.drivers.portal import said

GOOD_CARD = "4916338506082832"
DECLINED_CARD = "4000000000009995"
SECURITY_CODE = "7391"
TYPED_CARD = "5105105105105100"
"""Typed where no card number belongs."""
PLAN = "premium_prepaid-1_year"
GOOD_ACCOUNT = "73019264518"
REFUSED_ACCOUNT = "000444444440"

NUMBERS = {
    "card number": GOOD_CARD,
    "card number in groups": " ".join(GOOD_CARD[n : n + 4] for n in range(0, 16, 4)),
    "declined card number": DECLINED_CARD,
    "typed card number": TYPED_CARD,
    "typed card number in groups": "5105 1051 0510 5100",
    "typed card number with dashes": "5105-1051-0510-5100",
    "bank account number": GOOD_ACCOUNT,
    "refused bank account number": REFUSED_ACCOUNT,
}
TYPED_SERIALS = {NUMBERS["typed card number"], NUMBERS["typed card number with dashes"]}
"""Those that look like a serial number: the device network is asked whether it knows them."""


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


async def type_everywhere(browser: httpx.AsyncClient) -> None:
    """As the same owner: a card number in names, lines, notes, searches and addresses of pages."""
    created = await _typed(browser, "/api/products-checkout/create-b2b", {"lines": []}, 200)
    cart = f"/api/products-checkout/{created.json()['token']}"
    typed = [number for name, number in NUMBERS.items() if name.startswith("typed")]
    for number in typed:
        for path in ("/v1/card", "/api/create-credit-card"):
            await _typed(browser, path, _card(GOOD_CARD) | {"name": number}, 422)
            lines = {"streetAddress1": f"{number} Quay Street", "city": number}
            await _typed(browser, path, _card(GOOD_CARD) | lines, 200)
        for kind in ("Company", "Individual"):
            account = _account(GOOD_ACCOUNT) | {"name": number, "holderType": kind}
            await _typed(browser, "/api/create-bank-account", account, 422)
        await _typed(browser, f"{cart}/set-b2b-po-number", {"poNumber": f"PO {number}"}, 200)
        bill_to = {
            "companyName": "Harbour Car Audio",
            "streetAddress1": number,
            "city": number,
            "countryArea": "NS",
            "postalCode": "B3J 1V7",
            "country": "CA",
        }
        billing = f"{cart}/update-b2b-billing-address"
        await _typed(browser, billing, {"billingAddress": bill_to}, 200)
        await _typed(browser, billing, {"billingAddress": bill_to | {"companyName": number}}, 422)
        plans = {
            "line_items": [{"device_key": "FT-X1-00077004", "plan_id": PLAN}],
            "address": {
                "name": "Harbour Car Audio",
                "street": number,
                "city": number,
                "country_area": "ON",
                "postal_code": "M5V 2T6",
                "country": "CA",
            },
        }
        await _typed(browser, "/v1/payments?validate=true", plans, 200, 202)
        await _typed(browser, f"/v1/payments?{number}=true", plans, 422)
        bought = plans | {"line_items": [{"device_key": number, "plan_id": PLAN}]}
        await _typed(browser, "/v1/payments?validate=true", bought, 404, 422)
        await _type_for_a_serial_number(browser, number)
        contact = {
            "name": "Olivia Marchand",
            "email": "olivia.marchand@turnkey.example",
            "role": "Owner",
            "message": f"My card is {number}, please charge it",
        }
        await _typed(browser, "/v1/contact-us", contact, 204)
        await _typed(browser, "/v1/contact-us", contact | {"name": number}, 422)
        for path in ("/api/search-products", "/api/search-products-cursor"):
            await _typed(browser, path, {"searchTerm": number}, 200)
        rows = {"text": f"{number}\t1\nABC-{number}\t{number}"}
        await _typed(browser, "/v1/quick-orders/check", rows, 200)
        wrong = {"username": number, "password": "Wrong-Password-1!"}
        await _typed(browser, "/v1/auth/sign-in", wrong, 400, 401)
        for path in ("/v1/", "/v1/card/", "/v1/payments/", "/search/", "/api/product-by-sku/"):
            answer = await browser.get(f"{path}{number}", params={"s": number})
            assert not any(one in answer.text for one in typed), f"{path}: {answer.text}"


async def _type_for_a_serial_number(browser: httpx.AsyncClient, number: str) -> None:
    """Signed in, and as a guest, who has to show the SIM's digits and sends no commands."""
    device = {"device_key": number, "iccid_last_digits": "00000"}
    opened = device | {"type": "new-device"}
    async with httpx.AsyncClient(base_url=browser.base_url, trust_env=False, timeout=20) as guest:
        guest.headers["Origin"] = browser.headers["Origin"]
        for caller, refused in ((browser, (404, 422)), (guest, (401,))):
            for path in ("/api/iot/device-check", "/api/iot/device-purchasing-check"):
                await _typed(caller, path, device, 404, 422)
            await _typed(caller, "/v1/activations", opened, 404, 422)
            command = device | {"command": "arm"}
            await _typed(caller, "/api/iot/send-command", command, *refused)
    await _typed(browser, "/v1/visits", device | {"reason": "the siren"}, 404, 422)
    for path in (f"/v1/devices/{number}", f"/v1/iot/logs?device_key={number}"):
        answer = await browser.get(path)
        assert answer.status_code in (404, 422), f"{path}: {answer.text}"
        assert number not in answer.text


async def _typed(
    browser: httpx.AsyncClient, path: str, body: dict[str, Any], *statuses: int
) -> httpx.Response:
    """With a key, so that what is answered is kept."""
    answer = await browser.post(path, json=body, headers={"Idempotency-Key": uuid.uuid4().hex})
    assert answer.status_code in statuses, f"{path}: {answer.status_code} {answer.text}"
    assert not any(number in answer.text for number in NUMBERS.values()), f"{path}: {answer.text}"
    return answer


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
