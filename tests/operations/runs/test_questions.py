"""Questions to a slow network outlive the call that asked them (shell spec 9: a call ends after 4 s)."""

import asyncio
from datetime import timedelta

import pytest

from api.platform.errands import QUESTION_WITHIN, Questions, StillAsking

SOON = timedelta(milliseconds=20)


async def test_whoever_asks_again_has_the_answer_of_the_first_question() -> None:
    questions, asked, may_answer = Questions(), list[int](), asyncio.Event()

    async def ask() -> str:
        asked.append(1)
        await may_answer.wait()
        return "answer"

    for _ in range(2):
        with pytest.raises(StillAsking):
            await questions.answer("key", ask, SOON)
    may_answer.set()
    assert await questions.answer("key", ask) == "answer"
    assert len(asked) == 1
    assert await questions.answer("key", ask) == "answer"
    assert len(asked) == 2  # an answer is given once


async def test_a_refusal_is_told_and_another_question_is_asked_by_itself() -> None:
    questions = Questions()

    async def refuse() -> str:
        raise LookupError

    async def ask() -> str:
        return "other"

    with pytest.raises(LookupError):
        await questions.answer("one", refuse)
    assert await questions.answer("other", ask) == "other"


def test_two_questions_in_a_row_fit_into_a_call() -> None:
    assert timedelta(seconds=4) > QUESTION_WITHIN * 2
