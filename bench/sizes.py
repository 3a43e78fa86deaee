"""How much of each is measured."""

from argparse import ArgumentParser, Namespace
from dataclasses import asdict, dataclass, field, fields


def _size(usual: int, what: str) -> int:
    return field(default=usual, metadata={"what": what})


@dataclass(frozen=True)
class Sizes:
    """The usual ones take a quiet machine two hours or so; every field is an option of `python -m bench.run`."""

    rounds: int = _size(3, "blocks of each kind that take turns")
    activations: int = _size(16, "in one block")
    placements: int = _size(40, "in one block; purchases and payments of invoices likewise")
    at_once: int = _size(8, "runs of one block")
    products: int = _size(100_000, "in the catalogue that is loaded and searched")
    cart_lines: int = _size(200, "of the cart that is changed")
    crowd: int = _size(1000, "activations that begin together")
    crowd_within: int = _size(60, "seconds in which they begin")
    count: int = _size(30, "activations, orders and purchases each, whose cost is told")
    data: int = _size(
        10_000,
        "products of the first look, with businesses and orders; the second has ten times of all",
    )
    streams: int = _size(300, "people who only look")
    idle: int = _size(60, "seconds of doing nothing")
    peer_products: int = _size(10_000, "in both shops")
    peer_clients: int = _size(8, "customers of the peer's load")
    peer_seconds: int = _size(20, "of each operation beside the peer")


SMALL = Sizes(
    rounds=1,
    activations=2,
    placements=2,
    at_once=2,
    products=1_000,
    cart_lines=20,
    crowd=4,
    crowd_within=1,
    count=1,
    data=500,
    streams=5,
    idle=2,
    peer_products=200,
    peer_clients=2,
    peer_seconds=2,
)
"""To see that everything ends and is told; such figures say nothing, and their goals mean nothing."""


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--small", action="store_true", help="to see that all ends; its figures say nothing"
    )
    for size in fields(Sizes):
        name = f"--{size.name.replace('_', '-')}"
        parser.add_argument(name, type=int, help=f"{size.metadata['what']} ({size.default})")


def chosen(options: Namespace) -> Sizes:
    """The usual or the small ones, with those that were given in their place."""
    given = {name: value for name, value in vars(options).items() if value is not None}
    usual = asdict(SMALL if options.small else Sizes())
    return Sizes(**{name: given.get(name, size) for name, size in usual.items()})
