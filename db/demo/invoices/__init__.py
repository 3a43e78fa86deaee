"""The invented invoices and credit memos."""
