"""From paths to texts, and from texts to values that know their line and column."""
