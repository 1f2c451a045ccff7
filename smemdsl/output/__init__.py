"""Verdicts as people and programs read them."""
