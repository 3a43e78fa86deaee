"""The activation of a device, step by step."""
