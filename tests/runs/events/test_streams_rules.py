"""Which of a caller's streams give way."""

import asyncio

from api.platform.live import MOST_STREAMS, Live


def test_one_that_ends_long_after_it_gave_way_leaves_the_newer_ones_counted() -> None:
    live = Live("")
    opened = [live.stream_of("user:1", asyncio.Event()) for _ in range(MOST_STREAMS + 1)]
    streams = [one.__enter__() for one in opened]
    assert [stream.gave_way for stream in streams] == [True] + [False] * MOST_STREAMS
    for one in opened[1:]:
        one.__exit__(None, None, None)

    again = [live.stream_of("user:1", asyncio.Event()) for _ in range(MOST_STREAMS + 1)]
    newer = [one.__enter__() for one in again[:-1]]
    opened[0].__exit__(None, None, None)
    again[-1].__enter__()
    assert [stream.gave_way for stream in newer] == [True] + [False] * (MOST_STREAMS - 1)
