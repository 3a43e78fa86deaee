"""The processes that run workflows and activities, and relay what devices report."""
