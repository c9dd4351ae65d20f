"""The HTTP shapes of 04-service.md as pydantic models, a module for each group of routes.

The served OpenAPI document is generated from them. Requests refuse unknown fields, so that a typo is named instead of
ignored. Sizes stated here are enforced before any store is touched.
"""
