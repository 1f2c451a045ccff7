"""Policies that no compiler has, and what all policies share: lives, peak, layout, the validator."""
