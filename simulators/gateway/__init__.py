"""The ACH/COD gateway."""
