"""A scenario bound, packed and held against a budget; why, and what would fit."""
