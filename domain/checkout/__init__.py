"""From the cart to an order."""
