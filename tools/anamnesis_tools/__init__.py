"""The command line tool, the local stack, the demo and the benchmarks. Nothing here ships to Lambda."""
