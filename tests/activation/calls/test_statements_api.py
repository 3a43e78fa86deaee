"""What a look at a run and a step ask of the database: each is made all day."""

from tests.drivers.database.statements import statements_of, uses_of
from tests.drivers.factories import an_owner
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Whole


async def test_a_look_and_a_step_ask_little(whole: Whole) -> None:
    """Who asks, the run and whose it is, whose its device is; a step its key, the answer and that kept under it besides. No
    connection is held while the run is told: what is asked before goes over one, and what is asked after it over another."""
    owner = await an_owner(whole.sessions)
    key = a_device_key()
    await whole.stage.control(key, owner_dealer_id=owner.dealer_id)
    async with whole.signed_in(owner) as home:
        run = await home.started(key)
        with statements_of(whole.app) as asked, uses_of(whole.app) as used:
            await home.look(run["id"])
            looking, looked = len(asked), len(used)
            answer = await home.submit(run)
            stepping, stepped = len(asked) - looking, len(used) - looked
        assert answer.status_code == 200, answer.text
        assert answer.json()["moved"]["event"] == "SUBMIT"
    assert (looking, stepping) == (3, 6), asked
    assert (looked, stepped) == (2, 3)
