"""Capture from TileLang: the modules here run in the worker; `plan_text` is pure."""
