"""Entry point: compile the wiki of a student."""
