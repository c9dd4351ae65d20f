"""What the words of a message give away: the intent of a question, a teaching, an utterance."""
