"""What every area stands on."""
