"""Many machines on one, without Docker: `make cluster`."""
