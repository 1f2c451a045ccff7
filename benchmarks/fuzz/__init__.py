"""Mutated scenarios, tables and command lines, and what must hold for each: `python -m benchmarks.fuzz`."""
