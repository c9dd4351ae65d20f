"""Wikis as git repositories in the content bucket (WK-5, WK-6)."""
