"""What it costs in time, requests, memory and money: a turn, an append, a night, a book, a map (EV-7, SV-10)."""
