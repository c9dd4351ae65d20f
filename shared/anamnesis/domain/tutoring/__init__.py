"""What a tutor's model is told in one turn of a chat, and how far its answer has come."""
