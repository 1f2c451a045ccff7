"""What everything stands on: errors, units, element types, the interval model."""
