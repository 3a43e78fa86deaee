"""Cases of chargebacks whose bank decides while it is asked."""

from domain.billing.disputes import Dispute, DisputeStatus
from providers.errors import Refused
from tests.drivers.stage import Stage
from tests.operations.cases.factories import Handle, send_command
from tests.operations.cases.stories import Story, charged_back, decided, ended, until


async def decided_while_it_was_asked(stage: Stage) -> Handle:
    """The bank's word comes when its older answer is on the way: it is asked again at once."""
    handle, dispute_id = await charged_back(stage)
    cards = stage.systems.cards
    ask = cards.dispute

    async def ask_late(id_: str) -> Dispute:
        answer = await ask(id_)
        if id_ == dispute_id and answer.status is DisputeStatus.OPEN:
            await decided(stage, dispute_id, "won")
            await handle.signal("dispute_heard", answer)
        return answer

    cards.dispute = ask_late  # pyright: ignore[reportAttributeAccessIssue]
    try:
        assert await send_command(handle, "retry", note="The evidence was sent.") is None
        return await ended(stage, handle, "solved", cents=10_499)
    finally:
        cards.dispute = ask  # pyright: ignore[reportAttributeAccessIssue]


async def decided_while_it_waited(stage: Stage) -> Handle:
    """The bank's word comes when the case waits for its next try, as nobody could be asked: it is asked at once."""
    handle, dispute_id = await charged_back(stage)
    cards = stage.systems.cards
    ask = cards.dispute

    async def ask_in_vain(id_: str) -> Dispute:
        if id_ == dispute_id:
            raise Refused("unknown_dispute", "It is not to be had.", system="cards")
        return await ask(id_)

    cards.dispute = ask_in_vain  # pyright: ignore[reportAttributeAccessIssue]
    try:
        assert await send_command(handle, "retry", note="The evidence was sent.") is None
        await until(stage, handle, "waiting")
    finally:
        cards.dispute = ask  # pyright: ignore[reportAttributeAccessIssue]
    await decided(stage, dispute_id, "won")
    await handle.signal("dispute_heard", await ask(dispute_id))
    return await ended(stage, handle, "solved", cents=10_499)


DECIDED: dict[str, Story] = {
    "decided-while-it-was-asked": decided_while_it_was_asked,
    "decided-while-it-waited": decided_while_it_waited,
}
