"""What a system offers to be measured. Each timed method is one user action, however many requests it takes."""

import uuid
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import httpx

from bench.peer.catalogue import Record

PAGE = 24


class Failed(Exception):
    """The system answered, but did not do what was asked."""


@dataclass
class Session:
    """One customer, signed in. `cart` and `method` are what the driver remembers of the cart."""

    token: str
    customer: Record
    cart: str | None = None
    method: str | None = None


class Driver(ABC):
    """`round_trips` counts the requests. A handle is what the system calls a product, and its article."""

    def __init__(self, browser: httpx.AsyncClient) -> None:
        self.browser = browser
        self.round_trips = 0

    async def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        self.round_trips += 1
        answer = await self.browser.request(method, path, **options)
        if answer.status_code >= 400:
            raise Failed(f"{answer.status_code} {answer.text[:200]}")
        return answer

    @abstractmethod
    async def handles(self, count: int, total: int) -> list[tuple[str, str]]:
        """Some `count` products, spread over all `total`."""

    @abstractmethod
    async def sign_in(self, customer: Record) -> Session: ...

    @abstractmethod
    async def clear_cart(self, session: Session) -> None: ...

    @abstractmethod
    async def search(self, term: str) -> int:
        """The first page with name, SKU, price and address of each product; answers how many there are."""

    @abstractmethod
    async def product(self, handle: tuple[str, str]) -> Any: ...

    @abstractmethod
    async def add_to_cart(self, session: Session, handle: tuple[str, str], pieces: int) -> int:
        """Answers the number of lines of the cart, which comes back whole."""

    @abstractmethod
    async def place_order(self, session: Session) -> str:
        """From a filled cart to an order that is durable, with its stock reserved and its payment settled: its code."""


class Vendure(Driver):
    """Its shop API; an order in one document of five mutations, the fewest requests that it allows."""

    async def ask(
        self, query: str, variables: dict[str, Any] | None = None, session: Session | None = None
    ) -> tuple[dict[str, Any], httpx.Response]:
        headers = {"Authorization": f"Bearer {session.token}"} if session else {}
        answer = await self.request(
            "POST", "/shop-api", json={"query": query, "variables": variables or {}}, headers=headers
        )  # fmt: skip
        body = answer.json()
        if body.get("errors"):
            raise Failed(body["errors"][0]["message"])
        for value in body["data"].values():
            if isinstance(value, dict) and "errorCode" in value:
                raise Failed(str(value))  # pyright: ignore[reportUnknownArgumentType]
        return body["data"], answer

    async def handles(self, count: int, total: int) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        pages = max(1, min(count, total) // 50)
        for page in range(pages):
            data, _ = await self.ask(_PAGE, {"o": {"take": 50, "skip": page * total // pages}})
            found += [(one["id"], one["variants"][0]["id"]) for one in data["products"]["items"]]
        return found

    async def sign_in(self, customer: Record) -> Session:
        _, answer = await self.ask(_LOGIN, {"u": customer["email"], "p": customer["password"]})
        return Session(answer.headers["vendure-auth-token"], customer)

    async def clear_cart(self, session: Session) -> None:
        try:
            await self.ask(_CLEAR, session=session)
        except Failed as error:
            if "NO_ACTIVE_ORDER" not in str(error):
                raise

    async def search(self, term: str) -> int:
        wanted = {"input": {"term": term, "take": PAGE, "groupByProduct": True}}
        data, _ = await self.ask(_SEARCH, wanted)
        return data["search"]["totalItems"]

    async def product(self, handle: tuple[str, str]) -> Any:
        data, _ = await self.ask(_PRODUCT, {"id": handle[0]})
        if not data["product"]["variants"]:
            raise Failed("no such product")
        return data["product"]

    async def add_to_cart(self, session: Session, handle: tuple[str, str], pieces: int) -> int:
        data, _ = await self.ask(_ADD, {"id": handle[1], "q": pieces}, session)
        return len(data["addItemToOrder"]["lines"])

    async def place_order(self, session: Session) -> str:
        who = session.customer
        address = {
            "fullName": f"{who['first_name']} {who['last_name']}",
            "company": who["company"],
            "streetLine1": who["street"],
            "city": who["city"],
            "postalCode": who["postal_code"],
            "countryCode": who["country"],
            "phoneNumber": who["phone"],
        }
        if session.method is None:  # which ways there are depends on the address
            await self.ask(_ADDRESS, {"a": address}, session)
            methods, _ = await self.ask(
                "query { eligibleShippingMethods { id name priceWithTax } }", session=session
            )
            session.method = methods["eligibleShippingMethods"][0]["id"]
        pay: dict[str, Any] = {"method": "dealer-account", "metadata": {}}
        data, _ = await self.ask(_BATCH, {"a": address, "m": [session.method], "p": pay}, session)
        order = data["addPaymentToOrder"]
        if order.get("state") != "PaymentSettled":
            raise Failed(f"order ended as {order.get('state')}")
        return order["code"]


class Turnkey(Driver):
    """The portal. An order on the dealer's account is one request, and the run's own word that it is placed."""

    async def handles(self, count: int, total: int) -> list[tuple[str, str]]:
        step = max(total // count, 1)
        return [(f"b{number}", f"b{number}") for number in range(1, total + 1, step)]

    async def sign_in(self, customer: Record) -> Session:
        body = {"username": customer["email"], "password": customer["password"]}
        answer = await self.request("POST", "/v1/auth/sign-in", json=body)
        return Session(answer.json()["access_token"], customer)

    async def clear_cart(self, session: Session) -> None:
        body = {"startNew": True}
        answer = await self._as(session, "POST", "/api/products-checkout/create-b2b", body)
        session.cart = answer.json()["token"]

    async def search(self, term: str) -> int:
        body = {"searchTerm": term, "limit": PAGE}
        answer = await self.request("POST", "/api/search-products", json=body)
        return answer.json()["totalCount"]

    async def product(self, handle: tuple[str, str]) -> Any:
        return (await self.request("GET", f"/api/product-by-id/{handle[0]}")).json()

    async def add_to_cart(self, session: Session, handle: tuple[str, str], pieces: int) -> int:
        body = {"lines": [{"variantId": handle[1], "quantity": pieces}]}
        path = (
            f"/api/products-checkout/{session.cart}/add-lines"
            if session.cart
            else "/api/products-checkout/create-b2b"
        )
        cart = (await self._as(session, "POST", path, body)).json()
        session.cart = cart["token"]
        return len(cart["lines"])

    async def place_order(self, session: Session) -> str:
        path = f"/api/products-checkout/{session.cart}/complete-b2b-checkout"
        placed = (
            await self._as(session, "POST", path, {"selectedPayment": {"type": "TERMS"}})
        ).json()
        run = placed["placement"]
        while not run["ended"]:
            run = (await self._as(session, "GET", f"/v1/placements/{session.cart}", None)).json()
        session.cart = None
        if run["state"] != "confirmed":
            raise Failed(f"order ended as {run['state']}")
        return run["view"]["order"]["number"]

    async def _as(self, session: Session, method: str, path: str, body: Any) -> httpx.Response:
        headers = {"X-Access-Token": session.token, "Idempotency-Key": uuid.uuid4().hex}
        return await self.request(method, path, json=body, headers=headers)


_SEARCH = """query($input: SearchInput!) { search(input: $input) { totalItems items { productId productVariantId
 productName slug sku currencyCode priceWithTax { ... on SinglePrice { value } ... on PriceRange { min max } } } } }"""
_PRODUCT = """query($id: ID!) { product(id: $id) { id name slug description facetValues { name facet { name } }
 variants { id sku name price priceWithTax currencyCode stockLevel } } }"""
_PAGE = "query($o: ProductListOptions!) { products(options: $o) { items { id variants { id } } } }"
_LOGIN = """mutation($u: String!, $p: String!) { login(username: $u, password: $p) { __typename
 ... on ErrorResult { errorCode message } } }"""
_ADD = """mutation($id: ID!, $q: Int!) { addItemToOrder(productVariantId: $id, quantity: $q) { __typename
 ... on Order { id code state totalQuantity subTotalWithTax totalWithTax
   lines { id quantity linePriceWithTax productVariant { id sku name } } }
 ... on ErrorResult { errorCode message } } }"""
_CLEAR = "mutation { removeAllOrderLines { __typename ... on ErrorResult { errorCode message } } }"
_ORDER = (
    "{ __typename ... on Order { id code state totalWithTax } ... on ErrorResult { errorCode message } }"
)  # fmt: skip
_ADDRESS = f"mutation($a: CreateAddressInput!) {{ setOrderShippingAddress(input: $a) {_ORDER} }}"
_BATCH = f"""mutation($a: CreateAddressInput!, $m: [ID!]!, $p: PaymentInput!) {{
 setOrderShippingAddress(input: $a) {_ORDER} setOrderShippingMethod(shippingMethodId: $m) {_ORDER}
 transitionOrderToState(state: "ArrangingPayment") {_ORDER} addPaymentToOrder(input: $p) {_ORDER} }}"""
