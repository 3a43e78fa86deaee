"""The device network."""
