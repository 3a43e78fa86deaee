"""Debits of the card provider are compared with its ledger, and missed at no gateway (decision 84)."""

from dataclasses import replace

from domain.billing.payments import PaymentRef, PaymentStatus, Provider
from domain.billing.reconciliation.differences import DifferenceKind
from providers.gateway import Gateway
from tests.billing.reconciliation.faults import Made, a_plan
from tests.billing.reconciliation.rounds import a_round, compared, found
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.until import until


async def test_without_a_gateway_every_part_is_compared(stage: Stage) -> None:
    books = Made(stage, (), ())
    request = await books.request(bank="good", bank_at=Provider.CARDS)
    await books.pay.authorise(request)
    await a_plan(stage, request.flow_id)
    without = replace(stage.systems, gateway=Gateway(stage.http, base_url=None, api_key=""))
    assert await compared(stage.client, without, stage.sessions) == set()


async def test_what_agrees_is_nothing_and_another_amount_is_found(stage: Stage) -> None:
    await stage.http.post(f"{SIMULATED}/cards/_control", json={"bank_days": 0.1})
    books = Made(stage, (), ())
    request = await books.request(bank="good", bank_at=Provider.CARDS)
    await books.pay.authorise(request)
    await until(
        lambda: books.pay.look_up(PaymentRef.of(request)),
        lambda outcome: outcome.status is PaymentStatus.CAPTURED,
    )
    await a_plan(stage, request.flow_id)
    done = await a_round(stage)
    assert (done.is_done, done.failed) == (True, ())
    assert await found(stage) | await found(stage, "repaired") == set()

    cents = int(request.amount * 100) - 1
    books.rewrite(books.intent_of(request.payment_id), amount_received=cents)
    await a_round(stage)
    assert await found(stage) == {(DifferenceKind.AMOUNT_DIFFERS, request.payment_id)}
