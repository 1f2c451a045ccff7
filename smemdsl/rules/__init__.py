"""What every code means: a page each. Lints are pages that also look for what they describe.

`catalogue` reads the pages, `lints` has one module a rule (its docstring is its page), and the folder `pages`
one text for each other code.
"""
