"""Traces from a click to the statement that it has run, on when there is somewhere to send them. Off, nothing is imported."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import httpx
from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from sqlalchemy.ext.asyncio import AsyncEngine

from providers.instrumentation import Tally

if TYPE_CHECKING:
    from temporalio.contrib.opentelemetry import TracingInterceptor


class Tracing:
    """Off: leaves everything as it is. `interceptors` are for the Temporal client, and with it for its workers; `telemetry` is
    for FastAPI."""

    interceptors: "Sequence[TracingInterceptor]" = ()
    telemetry: TelemetryConfig = TelemetryConfig(
        tracing=False, metrics=False, logs=False, auto_configure=False
    )

    def watch_app(self, app: FastAPI) -> None:
        """Once it has all its middleware."""

    def watch_client(self, client: httpx.AsyncClient, systems: dict[str, str]) -> None:
        """`systems` are base addresses by name, as calls are called."""

    def watch_tally(self, tally: Tally) -> None:
        """The calls that it counts and no HTTP client makes."""

    def watch_engine(self, engine: AsyncEngine) -> None: ...

    def end(self) -> None:
        """Sends what was kept back; takes a second at most."""


UNTRACED = Tracing()


def tracing_of(endpoint: str, process: str, *, release: str = "", share: float = 1.0) -> Tracing:
    """`endpoint` takes OTLP over HTTP; none: off. `process` is what this one is called, `share` how much of all is traced, 0
    to 1."""
    if not endpoint:
        return UNTRACED
    from observing.spans import Spans

    return Spans(endpoint, process, release=release, share=share)
