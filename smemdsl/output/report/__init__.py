"""One page with everything: verdicts, maps, what other parameters would give, what a baseline had.

`page_of` gathers the results of a run into data, `encode` writes the part of it that the page's script draws
from, `write` makes the HTML. Nothing here reads a file of the user's or judges a scenario but `cases`.
"""

from __future__ import annotations
