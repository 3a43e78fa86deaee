"""Uploaded spreadsheets, read as rows (decision 25)."""
