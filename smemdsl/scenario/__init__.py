"""The scenario file: its format, expressions, parameters; unbound, then bound."""
