"""Demo vehicles at full size, with invented wiring and guides."""
