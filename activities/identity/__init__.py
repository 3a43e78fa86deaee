"""People, their roles and rights, and how they prove who they are."""
