"""Products and their prices."""
