"""The commands, one module each; `smemdsl.cli` loads the one that is asked for."""
