"""The stories of all files together leave out no edge of the walk."""

from domain.firmware.firmware_v2 import FIRMWARE
from tests.firmware import test_weak_workflow, test_workflow
from tests.firmware.runs import WALKS, edges_of


def test_the_stories_take_every_edge_of_the_walk():
    assert {test_workflow.begin, test_weak_workflow.begin}, "both files have told their walks"
    every = {(state, event) for state, to in FIRMWARE.items() for event in to}
    taken = set[tuple[str, str]]().union(*(edges_of(events) for events in WALKS))
    assert sorted(every - taken) == []
