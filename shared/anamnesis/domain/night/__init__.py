"""What the nightly cycle computes: consolidation, calibration, verification, and the self-model."""
