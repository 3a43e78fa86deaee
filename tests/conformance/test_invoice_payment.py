"""The transitions of a payment of invoices: the chart holds its edges and no others, and real runs take every one of them."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import Client, WorkflowHandle

from db.base import Sessions
from domain.billing import invoice_payment_v1
from domain.billing import invoice_payment_v2 as transitions
from tests.billing.invoice_payments.stories import INVOICE_PAYMENT, INVOICE_PAYMENT_V2
from tests.conformance.transitions import (
    Edge,
    assert_chart_is,
    edges,
    events,
    events_named_in,
    recorded_edges,
    taken_by,
    updates_of,
)
from tests.drivers.stage import a_stage
from workflows.billing import invoice_payment
from workflows.billing.invoice_payment import InvoicePaymentWorkflow

AT_ONCE = 5
UPDATES = {transitions.PAY: "choose_payment", transitions.CANCEL: "cancel"}
"""What a person asks → the update that brings it."""


def test_the_chart_is_the_table_in_xstate() -> None:
    assert_chart_is(transitions.INVOICE_PAYMENT, "invoice_payment_v2")
    assert_chart_is(invoice_payment_v1.INVOICE_PAYMENT, "invoice_payment_v1")


def test_version_1_is_the_part_of_version_2_that_waits_for_its_provider() -> None:
    for state, to in invoice_payment_v1.INVOICE_PAYMENT.items():
        assert to.items() <= transitions.INVOICE_PAYMENT[state].items()


def test_every_state_has_its_name_and_its_part_of_the_workflow() -> None:
    assert set(transitions.LABELS) == set(transitions.INVOICE_PAYMENT)
    source = inspect.getsource(InvoicePaymentWorkflow.execute)
    for name, to in transitions.INVOICE_PAYMENT.items():
        assert (f'"{name}":' in source) is bool(to), name


def test_every_event_of_the_table_is_sent_by_its_workflow_and_the_reverse() -> None:
    assert events_named_in(invoice_payment, transitions) == events(transitions.INVOICE_PAYMENT)


def test_whatever_a_person_asks_has_its_update() -> None:
    assert set(UPDATES) == set(transitions.USER_EVENTS)
    assert set(UPDATES.values()) <= updates_of(InvoicePaymentWorkflow)


@pytest.mark.whole  # each story is recorded, and its history replayed in every run
@pytest.mark.timeout(300)
async def test_real_runs_take_every_edge(
    temporal: Client,
    sessions: Sessions,
    database_url: str,
    task_queue: str,
    tmp_path: Path,
    say: Callable[[str], None],
) -> None:
    async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:

        async def edges_of(handle: WorkflowHandle[Any, Any]) -> set[Edge]:
            return await recorded_edges(stage, handle.id.removeprefix("invpay-"))

        stories = {**INVOICE_PAYMENT, **INVOICE_PAYMENT_V2}
        every = await taken_by(stage, stories.values(), edges_of, at_once=AT_ONCE)
    assert every == edges(transitions.INVOICE_PAYMENT)
    say(f"invoice payment: {len(stories)} stories take all {len(every)} edges")
