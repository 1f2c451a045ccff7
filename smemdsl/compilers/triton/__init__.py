"""All that is known about Triton: its rules, its packer, its capture."""
