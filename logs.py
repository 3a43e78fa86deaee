"""Structured logs: JSON lines, or coloured ones on a terminal. One record is one line: nobody forges another by a text
with line breaks in it."""

import logging
import sys

import structlog
from structlog.typing import EventDict, WrappedLogger

_BREAKS = {ord(sign): repr(sign)[1:-1] for sign in "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"}
"""Each character at which a reader of lines may begin another one, as it is written in a text."""

_TO_JSON = structlog.processors.JSONRenderer()


def set_up_logs() -> None:
    """Once per process. Libraries log warnings only: at lower levels some write bodies and addresses."""
    logging.basicConfig(format="%(message)s", stream=sys.stdout, level=logging.INFO, force=True)
    if not sys.stdout.isatty():
        for handler in logging.getLogger().handlers:
            handler.setFormatter(_OneLine())
    for chatty in ("httpx", "httpcore", "stripe", "sqlalchemy.engine", "uvicorn.access"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.dev.ConsoleRenderer() if sys.stdout.isatty() else _as_json,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


class _Json(str):
    """One of our own records, with its traceback inside."""


def _as_json(_: WrappedLogger, __: str, event: EventDict) -> str:
    return _Json(_TO_JSON(_, __, event))


class _OneLine(logging.Formatter):
    """A record of a library stays on its line, with its traceback."""

    def format(self, record: logging.LogRecord) -> str:
        if isinstance(record.msg, _Json):
            return record.msg
        return super().format(record).translate(_BREAKS)
