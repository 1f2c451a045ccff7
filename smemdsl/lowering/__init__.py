"""From a bound scenario to the interval model."""
