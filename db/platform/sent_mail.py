"""Which mails are out, by their key: no mail server knows one again."""

from datetime import datetime

import structlog
from sqlalchemy import Index, Text, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Sessions, one_statement

log = structlog.stdlib.get_logger()


class SentMailRow(Base):
    """A mail that a server has taken."""

    __tablename__ = "sent_mail"
    __table_args__ = (Index("ix_sent_mail_sent_at", "sent_at"),)

    key: Mapped[str] = mapped_column(Text, primary_key=True)
    sent_at: Mapped[datetime] = mapped_column(server_default=func.now())


class SentMail:
    """Asked before a mail goes out and told after, each in a transaction of its own."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def holds(self, key: str) -> bool:
        async with one_statement(self._sessions) as session:
            found = await session.scalar(select(SentMailRow.key).where(SentMailRow.key == key))
        return found is not None

    async def add(self, key: str) -> None:
        """What cannot be written down is logged: the mail is out, and trying it again would send a second one."""
        try:
            async with one_statement(self._sessions) as session:
                await session.execute(insert(SentMailRow).values(key=key).on_conflict_do_nothing())
        except (SQLAlchemyError, OSError) as error:
            log.warning("a sent mail was not written down", kind=type(error).__name__)
