"""What a module does in a car (devices spec 3, "Product features")."""

from domain.base import Frozen


class Feature(Frozen):
    name: str
    supported: bool


class ProductFeatures(Frozen):
    """`klon` is whether it clones a key; keys are those needed once to install and to program it. `accessories` are
    SKUs."""

    product_id: str
    name: str
    klon: bool
    keys_for_install: int
    keys_for_programming: int
    features: tuple[Feature, ...]
    accessories: tuple[str, ...]
