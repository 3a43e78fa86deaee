"""Stand-ins for the outside systems: they speak only HTTP and import nothing of the portal."""
