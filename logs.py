"""Structured logs: JSON lines, or coloured ones on a terminal."""

import logging
import sys

import structlog


def set_up_logs() -> None:
    """Once per process. Libraries log warnings only: at lower levels some write bodies and addresses."""
    logging.basicConfig(format="%(message)s", stream=sys.stdout, level=logging.INFO)
    for chatty in ("httpx", "httpcore", "stripe", "sqlalchemy.engine", "uvicorn.access"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.dev.ConsoleRenderer()
            if sys.stdout.isatty()
            else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
