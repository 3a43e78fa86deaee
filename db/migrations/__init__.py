"""Alembic's migrations: `python -m alembic upgrade head`."""
