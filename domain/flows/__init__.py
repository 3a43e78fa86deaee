"""The flows: one declarative table for each flow and version, and the engine that reads them."""
