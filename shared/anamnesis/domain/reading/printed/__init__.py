"""Printed pages: glyphs with their places into text in reading order."""
