"""What tests are built from: ports in memory, services on loopback, faults on demand, and values of the domain."""
