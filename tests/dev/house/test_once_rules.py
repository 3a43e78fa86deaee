"""What the house has one of: a second one is found where it is written."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dev.house.test_layout_rules import LAYERS, ROOT, modules, name_of

TESTS = sorted((ROOT / "tests").rglob("*.py"))


def parsed(paths: list[Path]) -> dict[str, ast.Module]:
    return {name_of(path): ast.parse(path.read_text()) for path in paths}


def writes_address(tree: ast.Module) -> bool:
    """Whether a class of it has the lines of an address without being `AddressLines`."""
    return any(
        {"street", "city"} <= set(_fields(node))
        and "AddressLines" not in {base.id for base in node.bases if isinstance(base, ast.Name)}
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    )


def _fields(node: ast.ClassDef) -> Iterator[str]:
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            yield one.target.id


def polls(tree: ast.Module) -> bool:
    """Whether it asks again and again, with a pause of its own. Who goes through what comes asks nothing again, and who only
    gives way measures no time."""
    return any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "sleep"
        and not (call.args and isinstance(call.args[0], ast.Constant) and call.args[0].value == 0)
        for loop in ast.walk(tree)
        if isinstance(loop, ast.While) and not isinstance(loop.test, ast.NamedExpr)
        for call in ast.walk(loop)
    )


def opens_session(tree: ast.Module) -> bool:
    """Whether it calls `sessions()`, which says neither."""
    return any(
        isinstance(call, ast.Call) and re.search(r"(^|\.)_?sessions$", ast.unparse(call.func))
        for call in ast.walk(tree)
    )


def knows_email(tree: ast.Module) -> bool:
    """Whether it has an expression for what is before and after the `@` of an address."""
    return any(
        isinstance(call, ast.Call)
        and re.search(r"(^|\.)(compile|match|fullmatch|search)$", ast.unparse(call.func))
        and any(
            isinstance(part, ast.Constant)
            and isinstance(part.value, str)
            and re.search(r"[\]})+*]@", part.value)
            for part in ast.walk(call)
        )
        for call in ast.walk(tree)
    )


def defined_in(tree: ast.Module) -> Iterator[str]:
    """Names of classes, functions, fields and variables."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name
            case ast.AsyncFunctionDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                yield name
            case _:
                pass


def test_an_address_has_one_shape() -> None:
    """Beside the rows of the database, and the spec's own names of a card's address."""
    ours = [path for layer in ("domain", "providers", "api") for path in modules(layer)]
    found = {name for name, tree in parsed(ours).items() if writes_address(tree)}
    assert found == {"domain.address"}


def test_an_email_address_has_one_rule() -> None:
    """`providers/messages/mail.py` tells the address from the name before it, in what our own settings say."""
    ours = [path for layer in LAYERS if layer != "simulators" for path in modules(layer)]
    found = {name for name, tree in parsed(ours).items() if knows_email(tree)}
    assert found == {"domain.contact", "providers.messages.mail"}


FORMER = {
    "Wish": "a request",
    "Means": "PaymentSource",
    "Figure": "DisplayPrice",
    "Held": "Payment",
    "Moved": "a progress",
    "Moving": "a progress",
    "Wire": "HttpClient",
    "DeviceLine": "DeviceCloudBase",
    "CardLine": "StripeTransport",
    "TaskQueueLook": "BacklogMonitor",
    "HALF_FROZEN": "a snapshot",
    "ask_run": "send_command",
    "tell_run": "send_update",
    "unbeaten": "retry_lost_update",
    "in_time": "within_deadline",
    "once_or_joined": "run_idempotently",
    "learn": "record_provider_state",
    "land": "resolve_target",
    "eyes": "viewer",
    "Fact": "ProviderPayment",
    "FactRow": "ProviderRecordRow",
    "Kept": "a retention",
    "keep": "save, store",
    "_keep": "_save, _store",
    "_kept": "_stored",
    "Unsettled": "OpenEffect",
    "settle": "complete, resolve, publish, record_outcome",
    "_settle": "_record_outcome",
    "once_settled": "once_at_rest",
    "tell": "notify",
    "_tell": "_notify",
    "_told": "what it makes",
    "told_of": "recipients_of",
    "to_tell": "cases_to_notify",
    "Reach": "DeviceAccess",
    "Reached": "AuthorizedDevice",
    "reach_device": "authorize_call",
    "check_reach": "authorize_device",
    "may_reach": "is_authorized",
    "check_reaches": "check_dealer_access",
    "reached_dealer": "authorize_dealer",
    "OrderCard": "OrderSummary",
    "OrderCardOut": "OrderSummaryOut",
    "PartnerCard": "PartnerSummary",
    "InvoiceCardOut": "InvoiceSummaryOut",
    "CardOut": "ProductSummaryOut",
    "as_card": "as_summary",
    "cards_of": "summaries_of",
    "card_out": "summary_out",
    "hear": "record_event",
    "heard": "what came: changed, received, responses",
    "hear_invoice": "record_invoice",
    "hear_document": "record_document",
    "hear_shipment": "record_shipment",
    "hear_cancelled": "record_cancelled",
    "unheard": "what is missing of it",
    "HEARD": "CONDITION_MET",
}
"""What was called so → what it is called. A `Wire` is one of a car."""


def test_one_thing_has_one_word() -> None:
    ours = [path for layer in LAYERS for path in modules(layer)]
    found = {
        f"{module}.{name}"
        for module, tree in parsed(ours).items()
        for name in FORMER.keys() & set(defined_in(tree))
    }
    assert found == {"domain.vehicles.wiring.Wire"}


def test_a_test_waits_by_one_until() -> None:
    """Those under faults are no tests but people: they think, look and rest."""
    waiting = [
        path for path in TESTS if "faults" not in path.parts or path.stem.startswith("test_")
    ]
    found = {name for name, tree in parsed(waiting).items() if polls(tree)}
    assert found == {"tests.drivers.until"}


@pytest.mark.parametrize(
    ("word", "home"),
    [("alias_generator", "api.platform.schemas"), ("to_camel", "api.platform.schemas")],
)
def test_names_become_those_of_the_spec_in_one_base(word: str, home: str) -> None:
    ours = [path for layer in LAYERS for path in modules(layer)]
    assert {name_of(path) for path in ours if word in path.read_text()} == {home}


@pytest.mark.parametrize("layer", ["api", "activities", "workers"])
def test_whoever_asks_the_database_reads_or_begins_a_transaction(layer: str) -> None:
    """`reading(sessions)`, or `sessions.begin()` for what is written, locked or set for a transaction."""
    found = {name for name, tree in parsed(modules(layer)).items() if opens_session(tree)}
    assert found == set()


def test_cannot_is_one_word() -> None:
    split = re.compile(r"\bcan_not\b|_can_not_|\bcan not\b")
    sources = [path for layer in LAYERS for path in modules(layer)] + TESTS
    found = {name_of(path) for path in sources if split.search(path.read_text())}
    assert found - {name_of(Path(__file__))} == set()


def test_no_comment_is_a_banner() -> None:
    """What wants a headline within a module wants a module."""
    banner = re.compile(r"^\s*(?:#|//) ?[-=*#]{5,}", re.M)
    web = [path for kind in ("ts", "tsx") for path in (ROOT / "web" / "src").rglob(f"*.{kind}")]
    sources = [path for layer in LAYERS for path in modules(layer)] + TESTS + web
    assert len(web) > 900
    assert [str(path) for path in sources if banner.search(path.read_text())] == []


def test_a_second_one_is_found() -> None:
    address = "class To(Frozen):\n    street: str\n    city: str\n"
    assert writes_address(ast.parse(address))
    assert not writes_address(ast.parse(address.replace("Frozen", "AddressLines")))
    assert opens_session(ast.parse("with portal.sessions() as session:\n    pass\n"))
    assert not opens_session(
        ast.parse("with reading(portal.sessions), portal.sessions.begin():\n    pass\n")
    )
    assert knows_email(ast.parse("ADDRESS = re.compile(r'[^@]+@[^@]+')"))
    assert not knows_email(ast.parse("re.search('user@host', text)"))
    assert polls(ast.parse("while not is_up():\n    time.sleep(0.1)\n"))
    assert not polls(ast.parse("while piece := source.read():\n    time.sleep(0.1)\n"))
