"""What writes the parts of the documentation that come from the program, and builds the site.

`python -m docs.tools` writes all of them anew; the tests in `tests/docs` hold each against what is there.
"""
