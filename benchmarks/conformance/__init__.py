"""How often scenarios of public kernels say what the compiler does: `python -m benchmarks.conformance`."""
