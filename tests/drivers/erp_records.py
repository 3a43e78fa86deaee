"""Records of the ERP's stand-in, as tests give them to it."""

from typing import Any

import httpx

NAMES: dict[str, list[dict[str, Any]]] = {
    "ItemGroups": [{"Number": 101, "GroupName": "Remote Start"}],
    "Manufacturers": [{"Code": 7, "ManufacturerName": "Compustar"}],
    "PriceLists": [
        {"PriceListNo": 1, "PriceListName": "msrp"},
        {"PriceListNo": 2, "PriceListName": "dealer-1"},
        {"PriceListNo": 3, "PriceListName": "dealer-2"},
    ],
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
