"""The program form: what a kernel does, as bound statements, and what they are lowered to."""
