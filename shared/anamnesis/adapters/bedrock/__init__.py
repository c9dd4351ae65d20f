"""Models on Amazon Bedrock: the concept reader, the wiki's writer and the embedder, and what their calls share (SV-4)."""
