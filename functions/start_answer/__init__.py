"""Entry point of one Lambda."""
