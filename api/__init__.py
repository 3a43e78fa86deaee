"""The HTTP border: who asks, may they, and in which shape the answer goes back."""
