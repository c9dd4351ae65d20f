"""Files of text that are not prose: notebooks, LaTeX, tables of values, subtitles; programs and data."""
