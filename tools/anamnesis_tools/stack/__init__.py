"""The local stack: template.yaml deployed, as it is, to an AWS emulator on this machine's loopback."""
