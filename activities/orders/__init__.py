"""Orders, once they are placed."""
