"""Records of the ERP's stand-in, as tests give them to it."""

from typing import Any

import httpx

from domain.billing.invoices.documents import CreditMemo, Invoice
from providers.erp.service_layer import ServiceLayer
from settings import DEVELOPMENT_ERP_PASSWORD

NAMES: dict[str, list[dict[str, Any]]] = {
    "ItemGroups": [{"Number": 101, "GroupName": "Remote Start"}],
    "Manufacturers": [{"Code": 7, "ManufacturerName": "Compustar"}],
    "PriceLists": [
        {"PriceListNo": 1, "PriceListName": "msrp"},
        {"PriceListNo": 2, "PriceListName": "dealer-1"},
        {"PriceListNo": 3, "PriceListName": "dealer-2"},
    ],
}


def a_service_layer(
    client: httpx.AsyncClient,
    password: str = DEVELOPMENT_ERP_PASSWORD,
    *,
    seconds: float = 5.0,
    at_once: int = 32,
) -> ServiceLayer:
    """A session of its own at the stand-in that `client` reaches."""
    return ServiceLayer(
        client,
        base_url="http://erp/erp",
        company="TURNKEY",
        user="portal",
        password=password,
        seconds=seconds,
        at_once=at_once,
    )


async def issue(erp: httpx.AsyncClient, *documents: Invoice | CreditMemo, at: str = "/erp") -> None:
    """At the stand-in that `erp` reaches there; nobody is told."""
    for one in documents:
        kind = "invoice" if isinstance(one, Invoice) else "credit_memo"
        body = {"kind": kind, "document": one.model_dump(mode="json"), "is_told": False}
        (await erp.post(f"{at}/_documents", json=body)).raise_for_status()


def an_entered_order(reference: str | None, partner_code: str, **more: Any) -> dict[str, Any]:
    """An order as somebody enters it at the ERP by hand."""
    address = {"city": "Montréal"}
    return {
        "reference": reference,
        "business_partner": partner_code,
        "po_number": "ERP-STUCK",
        "currency": "USD",
        "payment": "TERMS",
        "shipping_method": "ground",
        "ship_to": address,
        "bill_to": address,
        "lines": [{"sku": "T-1", "quantity": 1, "now": 1, "later": 0, "unit_price": 10.0}],
        "subtotal": 10.0,
        "freight": 0.0,
        "tax": 0.0,
        "total": 10.0,
        **more,
    }


def an_item(code: str, *, price: float = 100.0, in_stock: int = 5, **more: Any) -> dict[str, Any]:
    """As the Service Layer shows it."""
    return {
        "ItemCode": code,
        "ItemName": f"Remote Start {code}",
        "ItemsGroupCode": 101,
        "Manufacturer": 7,
        "Picture": "",
        "SalesItem": "tYES",
        "Frozen": "tNO",
        "SalesQtyPerPackUnit": 1.0,
        "ItemPrices": [
            {"PriceList": 1, "Price": price, "Currency": "USD"},
            {"PriceList": 2, "Price": round(price * 0.8, 2), "Currency": "USD"},
        ],
        "ItemWarehouseInfoCollection": [
            {"WarehouseCode": "01", "InStock": float(in_stock), "Committed": 0.0, "Ordered": 0.0}
        ],
        "U_ProductId": code.lower(),
        "U_VariantName": "",
        "U_Position": 0,
        "U_RestockOn": None,
        **more,
    }


def a_business(code: str, **more: Any) -> dict[str, Any]:
    return {
        "CardCode": code,
        "CardName": f"Business {code}",
        "CardType": "cCustomer",
        "PriceListNum": 2,
        "Country": "CA",
        "Frozen": "tNO",
        "U_PORequired": "tNO",
        "U_Subdistributor": "tNO",
        "U_ApprovedBrands": "Compustar,FTX",
        **more,
    }


def an_address_there(name: str, type_: str = "bo_ShipTo", **more: Any) -> dict[str, Any]:
    """One of the `BPAddresses` of a business."""
    return {
        "AddressName": name,
        "AddressType": type_,
        "AddressName2": f"Dock of {name}",
        "Street": "12 Example Street",
        "City": "Vancouver",
        "State": "BC",
        "ZipCode": "V5K 0A1",
        "Country": "CA",
        **more,
    }


class ErpDesk:
    """The hands of a test at the ERP."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        """`client` knows the stand-ins' address."""
        self._client = client

    async def name_numbers(self) -> None:
        for entity, records in NAMES.items():
            await self.put(entity, *records)

    async def put(self, entity: str, *records: dict[str, Any]) -> None:
        """Adds them, or changes what is given of them."""
        body = {"entity": entity, "records": list(records)}
        (await self._client.post("/erp/_records", json=body)).raise_for_status()

    async def forget(self, entity: str, code: str) -> None:
        (await self._client.delete(f"/erp/_records/{entity}/{code}")).raise_for_status()

    async def turn(self, **knobs: Any) -> None:
        (await self._client.post("/erp/_service_layer", json=knobs)).raise_for_status()

    async def asked(self, operation: str) -> list[dict[str, Any]]:
        """What stands in the ledger of such calls."""
        answer = await self._client.get(
            "/device-cloud/_ledger", params={"operation": f"erp:{operation}"}
        )
        return answer.raise_for_status().json()["results"]
