"""From a kernel's source to a scenario, by compiling it with the compiler that is installed.

The user's code and the compiler run in a worker process; this one only reads JSON. Modules under `tilelang`
and `triton` that import a compiler are loaded in the worker alone.
"""
