"""The ERP, in the shape of SAP Business One's Service Layer."""

from providers.erp.orders import ORDER_UNKNOWN, Erp, ErpOrders, ErpReceipt

__all__ = ["ORDER_UNKNOWN", "Erp", "ErpOrders", "ErpReceipt"]
