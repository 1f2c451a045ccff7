"""Where work runs: this process, several here, or those of a scheduler."""
