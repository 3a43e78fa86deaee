"""Writes down what installers earned, once for each activation that ended completed (docs/decisions/0043)."""

import asyncio
from datetime import timedelta

import structlog
from sqlalchemy.exc import SQLAlchemyError

from db.base import Sessions
from db.dealers.rewards import save_rewards, take_unrewarded
from domain.dealers.rewards import RewardPolicy, rewards_for

log = structlog.stdlib.get_logger()

REWARD_EVERY = timedelta(seconds=5)


class Rewarding:
    """Reads the projection of ended runs, so no run waits for it and no history knows of it. Any number of workers may
    reward: a run that one holds is passed by, and what is kept is kept once."""

    def __init__(self, sessions: Sessions, policy: RewardPolicy) -> None:
        self._sessions = sessions
        self._policy = policy

    async def run(self) -> None:
        """Until cancelled; an outage of the database is waited out."""
        while True:
            try:
                while await self.reward():
                    pass
            except (SQLAlchemyError, OSError) as error:
                log.warning("rewarding was interrupted", kind=type(error).__name__)
            await asyncio.sleep(REWARD_EVERY.total_seconds())

    async def reward(self) -> int:
        """Judges a batch of completed activations; answers how many."""
        async with self._sessions.begin() as session:
            runs = await take_unrewarded(session)
            for run in runs:
                await save_rewards(session, run, rewards_for(run, self._policy))
        return len(runs)
