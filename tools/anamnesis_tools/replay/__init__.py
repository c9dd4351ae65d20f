"""`anamnesis replay`: what failed for good, listed and put back."""
