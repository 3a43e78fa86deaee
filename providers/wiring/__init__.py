"""Outside sources of wiring: one client for each, all answer in the normalised table of `domain.vehicles.wiring`."""
