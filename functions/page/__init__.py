"""The page to look at, as static files."""
