"""Models on Amazon Bedrock: concept reader, writer of the wiki, embedder, and what their calls share (SV-4)."""
