"""Tests of policy optimal: its bounds, its search, its proofs."""
