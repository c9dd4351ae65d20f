"""What words give away: folded text, and per-language cue tables for questions, teachings and utterances."""
