"""Invoices and credit memos, as the ERP issues them."""
