"""One request and its answer, with the faults that were asked for around it."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

import orjson
from fastapi import Depends, Header, Request, Response

from simulators.device_network.network import DeviceNetwork
from simulators.device_network.webhooks import Webhooks
from simulators.ledger import KeyReused, Ledger
from simulators.refusal import Refusal

Work = Callable[[], dict[str, Any]]


class Exchange:
    """Runs an operation: waits as asked, then effect, answer and ledger line in one transaction."""

    def __init__(
        self, network: DeviceNetwork, ledger: Ledger, webhooks: Webhooks, key: str | None
    ) -> None:
        self.network = network
        self._ledger = ledger
        self._webhooks = webhooks
        self._key = key

    def keyed(self, key: str) -> "Exchange":
        """The same exchange under a key that stands in the body."""
        return Exchange(self.network, self._ledger, self._webhooks, key)

    async def read(self, operation: str, device_key: str, work: Work) -> Response:
        """An operation without effect."""
        try:
            await self._enter(operation, device_key)
            answer = orjson.dumps(work())
        except Refusal as refusal:
            return self._refuse(operation, device_key, refusal)
        self._ledger.record(operation, device_key, self._key, status=200)
        return _answer(200, answer)

    async def change(
        self, operation: str, device_key: str, body: dict[str, Any], work: Work
    ) -> Response:
        """An operation with an effect: done once per idempotency key, and then answered alike."""
        try:
            await self._enter(operation, device_key)
            with self.network.state.transaction():
                earlier = self._ledger.earlier_answer(operation, self._key, body)
                if earlier is not None:
                    self._ledger.record(operation, device_key, self._key, status=200, replayed=True)
                    return _answer(200, earlier)
                answer = orjson.dumps(work())
                self._ledger.remember(operation, self._key, body, answer)
                lost = self._loses_reply(device_key, operation)
                self._ledger.record(
                    operation,
                    device_key,
                    self._key,
                    status=504 if lost else 200,
                    effect=True,
                    detail="reply lost" if lost else "",
                )
        except KeyReused:
            text = "This idempotency key was used with another body."
            refusal = Refusal(422, "idempotency_key_reused", text)
            return self._refuse(operation, device_key, refusal)
        except Refusal as refusal:
            return self._refuse(operation, device_key, refusal)
        self._webhooks.wake()
        if lost:
            await asyncio.sleep(self.network.knobs().lost_reply_seconds)
            return _answer(504, b'{"code":"gateway_timeout","detail":"Gateway Timeout"}')
        return _answer(200, answer)

    async def _enter(self, operation: str, device_key: str) -> None:
        knobs = self.network.knobs()
        device = self.network.device(device_key)
        slow = knobs.slow_seconds if device is not None and device.is_slow(operation) else 0.0
        if knobs.latency + slow > 0:
            await asyncio.sleep(knobs.latency + slow)
        if knobs.outage:
            raise Refusal(503, "unavailable", "Service Unavailable")
        device = self.network.device(device_key)
        if device is not None and device.outages > 0:
            device.outages -= 1
            self.network.save(device)
            raise Refusal(503, "unavailable", "Service Unavailable")

    def _loses_reply(self, device_key: str, operation: str) -> bool:
        device = self.network.device(device_key)
        if device is None:
            return False
        if device.lose_replies > 0:
            device.lose_replies -= 1
        elif device.loses_first_replies and operation not in device.replies_lost:
            device.replies_lost = [*device.replies_lost, operation]
        else:
            return False
        self.network.save(device)
        return True

    def _refuse(self, operation: str, device_key: str, refusal: Refusal) -> Response:
        if refusal.counts_down is not None:
            self._count_down(device_key, refusal.counts_down)
        self._ledger.record(
            operation, device_key, self._key, status=refusal.status, detail=refusal.code
        )
        body = orjson.dumps({"code": refusal.code, "detail": refusal.detail})
        return _answer(refusal.status, body)

    def _count_down(self, device_key: str, counter: str) -> None:
        device = self.network.device(device_key)
        if device is not None:
            setattr(device, counter, max(0, getattr(device, counter) - 1))
            self.network.save(device)


def _answer(status: int, body: bytes) -> Response:
    return Response(body, status, media_type="application/json")


def exchange(
    request: Request, idempotency_key: Annotated[str | None, Header(max_length=200)] = None
) -> Exchange:
    state = request.app.state
    return Exchange(state.network, state.ledger, state.webhooks, idempotency_key)


InExchange = Annotated[Exchange, Depends(exchange)]
