"""What is kept of evaluations, so that a change is judged by its effect on sets that it was not tuned on (EV-6)."""
