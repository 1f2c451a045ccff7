"""All that is known about TileLang: its rules, its packers, its capture."""
