"""Four designs of a tutor's prompt on questions that a history's own record answers (EV-3), and ablations (EV-5)."""
