"""The ERP."""
