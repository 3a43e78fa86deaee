"""Makes and models of the demo."""
