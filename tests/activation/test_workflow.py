"""The activation on a real worker and a real server."""

from tests.stage import Stage, a_device_key


async def test_a_new_device_is_activated_from_the_first_step_to_the_last(stage: Stage):
    key = a_device_key()
    run = await stage.open(key)
    assert run.reply.state == "power-on-device"

    await run.walk_to("device-testing")
    await run.act("arm")
    await run.until(lambda flow: flow.view["facts"]["commands"][-1]["state"] == "confirmed")
    ended = await run.walk_to("completed")

    assert ended.ended
    effects = await stage.effects(key)
    assert (effects["activate"], effects["install"], effects["welcome"]) == (1, 1, 1)
    assert effects["command:arm"] == 1
