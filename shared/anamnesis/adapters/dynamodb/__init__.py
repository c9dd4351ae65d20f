"""The memory's stores on DynamoDB, by PynamoDB models."""
