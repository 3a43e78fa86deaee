"""Vehicles."""
