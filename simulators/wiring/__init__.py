"""Two vendors of vehicle wiring, each in its own words. Every value is invented."""
