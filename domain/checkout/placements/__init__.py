"""What a placement may do where: the versions of its table."""
