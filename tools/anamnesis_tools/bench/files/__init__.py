"""What files become: pages, letters, concepts and what comes before what, and one map of many (CM-1 … CM-4)."""
