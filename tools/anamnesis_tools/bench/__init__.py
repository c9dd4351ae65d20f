"""The evaluations behind `anamnesis bench` and `make bench`."""
