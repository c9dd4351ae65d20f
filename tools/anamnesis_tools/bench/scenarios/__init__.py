"""Scripted histories played through the public API and judged by stored ids (EV-1)."""
