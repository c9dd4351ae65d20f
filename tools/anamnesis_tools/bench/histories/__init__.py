"""Histories to measure memories on: generated from real material that the caller names, or people's own exports."""
