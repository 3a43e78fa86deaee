"""Set-up and start-up of the portal on one machine."""
