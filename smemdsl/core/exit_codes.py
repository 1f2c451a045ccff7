"""What the process's exit code says, in one place."""

OK = 0
"""Everything fits, or is expected not to, and every promise holds."""
OVER = 1
"""Something is over budget, or a constraint or an expectation does not hold."""
INVALID = 2
"""Wrong usage, or an input that cannot be read or is not valid."""
INTERNAL = 3
"""An error of smemdsl itself."""
