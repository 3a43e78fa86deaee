"""One person, one guest and one car that use every kind of secret there is; what they used comes back as canaries."""

import re
import uuid
from typing import Any

import httpx
from pyotp.totp import TOTP

from db.demo.people import PASSWORD
from tests.canary import payments
from tests.canary.scan import Canary
from tests.drivers.portal import use_token
from tests.drivers.until import until
from tests.drivers.whole_portal import Caller, iccid_of

PINS = {"master": "48270163", "secondary": "95130627"}
KEYLOCKER = "FT-X1-05077001"
REFUSES_PINS = "FT-X1-05099022"
GUESTS = "FT-X1-00077003"
VINS = {"2HGFC2F55KA512345": 200, "4T1B11HK9NA000500": 404, "4T1B11HK4NA000503": 503}
NEW_PASSWORD, WRONG_PASSWORD = "Canary+Flew/Home-71!", "Canary?Was=Wrong&72!"


class Walk:
    """Everything is done over HTTP against a running portal and its messenger."""

    def __init__(self, portal_url: str, simulators_url: str, run: str) -> None:
        self._portal_url = portal_url
        self._simulators_url = simulators_url
        self._canaries: dict[str, Canary] = {}
        self._phone = f"+1604{int(run, 16) % 8_000_000 + 1_000_000}"

    @property
    def canaries(self) -> list[Canary]:
        return list(self._canaries.values())

    def _note(
        self, name: str, value: str, *, is_short: bool = False, of_digits: bool = False
    ) -> str:
        assert value
        self._canaries[name] = Canary(name, value, is_short=is_short, of_digits=of_digits)
        return value

    def browser(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            base_url=self._portal_url,
            headers={"Origin": self._portal_url, "X-Bot-Check": "human-who-tests"},
            timeout=20,
            trust_env=False,
        )

    async def go(self) -> None:
        for name, pin in PINS.items():
            self._note(f"{name} pin", pin, is_short=True, of_digits=True)
        async with self.browser() as browser:
            await self._identity(browser)
            await self._pins(Caller(browser, None))
            await self._vins(browser)
            await self._payments(browser)
            await self._invitation(browser)
        await self._guest()

    async def messages(self, to: str) -> str:
        async with httpx.AsyncClient(trust_env=False, timeout=20) as http:
            answer = await http.get(f"{self._simulators_url}/messenger/_outbox", params={"to": to})
        return "\n".join(message["text"] for message in answer.json()["results"])

    async def _code(self, name: str, to: str) -> str:
        codes = re.findall(r"\b(\d{6})\b", await self.messages(to))
        return self._note(name, codes[-1], is_short=True, of_digits=True)

    async def _identity(self, browser: httpx.AsyncClient) -> None:
        """A forgotten password, a wrong one, a phone and an authenticator."""
        email = "olivia.marchand@turnkey.example"
        self._note("old password", PASSWORD, is_short=True)
        self._note("new password", NEW_PASSWORD, is_short=True)
        self._note("wrong password", WRONG_PASSWORD, is_short=True)
        await self._post(browser, "/v1/auth/forgot-password", {"username": email})
        code = await self._code("reset code", email)
        body = {"username": email, "code": code, "password": NEW_PASSWORD}
        await self._post(browser, "/v1/auth/reset-password", body)
        wrong = {"username": email, "password": WRONG_PASSWORD, "remember_me": True}
        answer = await browser.post("/v1/auth/sign-in", json=wrong)
        assert answer.status_code in (400, 401), answer.text
        right = {**wrong, "password": NEW_PASSWORD}
        signed_in = (await self._post(browser, "/v1/auth/sign-in", right)).json()
        use_token(browser, self._note("access token", signed_in["access_token"]))
        for name, value in browser.cookies.items():
            if len(value) > 16:
                self._note(f"cookie {name}", value)
        phone = {"phone_number": self._phone}
        await self._post(browser, "/v1/auth/phone/update", phone)
        code = await self._code("phone code", self._phone)
        await self._post(browser, "/v1/auth/phone/verify", {**phone, "code": code})
        secret = (await self._post(browser, "/v1/auth/totp/setup", {})).json()["secret"]
        self._note("authenticator secret", secret, is_short=True)
        code = self._note("authenticator code", TOTP(secret).now(), of_digits=True)
        await self._post(browser, "/v1/auth/totp/verify", {"code": code})

    async def _pins(self, caller: Caller) -> None:
        """Pins set, refused and removed: in an activation, and of a device that is in use."""
        for key in (KEYLOCKER, REFUSES_PINS):
            flow = await caller.walk_to(await caller.started(key), "keylocker-pin-codes")
            for slot, pin in PINS.items():
                body: dict[str, Any] = {"slot": slot, "pin": pin, "duration": 2}
                flow = await self._settled(caller, flow["id"], "pins", body)
            flow = await self._settled(
                caller, flow["id"], "pins/delete", {"master_pin": PINS["master"]}
            )
        malformed = f"{PINS['master'][:-1]}x"
        answer = await caller.send(
            flow["id"], "pins", seq=flow["seq"], slot="master", pin=malformed, duration=2
        )
        assert answer.status_code == 422
        assert malformed not in answer.text
        for key, removed in ((KEYLOCKER, 1), (REFUSES_PINS, 0)):
            effects = await self._effects(key)
            assert (effects.get("pin", 0), effects.get("pin-delete", 0)) == (1 + removed, removed)

    async def _vins(self, browser: httpx.AsyncClient) -> None:
        """One that is decoded, and others that are not."""
        for vin, status in VINS.items():
            self._note(f"VIN answered {status}", vin, is_short=True)
            answer = await browser.post("/api/dot-vehicle-by-vin", json={"vin": vin})
            assert answer.status_code == status
            assert vin not in answer.text

    async def _payments(self, browser: httpx.AsyncClient) -> None:
        for name, number in payments.NUMBERS.items():
            self._note(name, number, is_short=True, of_digits=True)
        self._canaries["security code"] = Canary(
            "security code", payments.SECURITY_CODE, of_digits=True, beside="cv[vc]"
        )
        await payments.walk(browser, self._simulators_url)
        await payments.type_everywhere(browser)

    async def _effects(self, device_key: str) -> dict[str, int]:
        """By the device network's own record."""
        async with httpx.AsyncClient(trust_env=False, timeout=20) as http:
            answer = await http.get(
                f"{self._simulators_url}/device-cloud/_ledger", params={"device_key": device_key}
            )
        return answer.json()["effects"]

    async def _settled(
        self, caller: Caller, flow_id: str, call: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        flow = await caller.until(flow_id, lambda seen: "ACT" in seen["allowed"], within=60)
        answer = await caller.send(flow_id, call, seq=flow["seq"], **body)
        assert answer.status_code in (200, 202, 409), answer.text
        return await caller.until(flow_id, lambda seen: "ACT" in seen["allowed"], within=60)

    async def _invitation(self, browser: httpx.AsyncClient) -> None:
        """The link in the mail, and the password that the invited person chooses."""
        email = f"canary-{uuid.uuid4().hex[:8]}@people.example"
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        answer = await browser.post("/v1/user/invite", json={"email": email}, headers=headers)
        assert answer.is_success, answer.text
        token = await self._mailed(email, "accept-invite")
        self._note("invitation token", token)
        names = {"token": token, "first_name": "Nia", "last_name": "Newcomer"}
        accepted = await self._post(browser, "/v1/auth/invitations/accept", names)
        registration = self._note("registration token", accepted.json()["registration_token"])
        chosen = {"password": NEW_PASSWORD, "confirm_password": NEW_PASSWORD}
        async with self.browser() as newcomer:
            await self._post(newcomer, "/v1/user/set-password", {"token": registration, **chosen})

    async def _mailed(self, to: str, page: str) -> str:
        link = re.compile(rf"/{page}\?token=([\w-]+)")
        messages = await until(lambda: self.messages(to), link.search, within=60)
        return link.findall(messages)[-1]

    async def _guest(self) -> None:
        async with self.browser() as browser:
            guest = Caller(browser, None)
            begun = await guest.started(GUESTS, iccid_last_digits=iccid_of(GUESTS))
            use_token(browser, self._note("guest's token", begun["resume_token"]))
            await guest.look(begun["id"])

    async def _post(
        self, browser: httpx.AsyncClient, path: str, body: dict[str, Any]
    ) -> httpx.Response:
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        answer = await browser.post(path, json=body, headers=headers)
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"
        return answer
