"""Capture from Triton: the modules here run in the worker; `dump_text` and `signature` are pure."""
