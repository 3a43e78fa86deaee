"""Dealers, their people and what those earn."""
