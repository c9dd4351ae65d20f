"""Use cases, one a module: load through the ports, ask the domain, save."""
