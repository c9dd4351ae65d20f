"""What is kept in S3: long content, uploaded files and checkpoints."""
