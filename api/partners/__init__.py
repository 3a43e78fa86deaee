"""Business partners, and acting for one."""
