"""Connected-service plans and their purchase."""
