"""The ERP, in the shape of SAP Business One's Service Layer."""

from providers.erp.accounts import Erp
from providers.erp.orders import ErpOrders, ErpReceipt

__all__ = ["Erp", "ErpOrders", "ErpReceipt"]
