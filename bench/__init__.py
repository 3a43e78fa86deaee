"""Measurements beside a bare workflow. Not tests: they print figures and judge by goals."""
