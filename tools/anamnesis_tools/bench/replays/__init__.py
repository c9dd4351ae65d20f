"""Recorded histories, rebuilt in isolated copies and asked as their student would ask (EV-2)."""
