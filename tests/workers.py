"""How many processes run the tests where nobody says so."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

MOST = 8
"""More would wait for the longest group of tests."""
LOOKING = "maxfail keyword usepdb trace lf failedfirst stepwise setupshow showfixtures show_fixtures_per_test"
"""Options of somebody who looks at a few tests: these run in one process, in order, with their output."""


def processes(option: Namespace, arguments: Sequence[str], cores: int) -> int:
    """One for each core for folders and several files; 0, for none beside pytest's own, else.

    Also 0 where the user said how many, or where there is no xdist.
    """
    if getattr(option, "numprocesses", 0) is not None or option.dist != "no" or option.capture == "no":
        return 0
    looks = any(getattr(option, name, None) for name in LOOKING.split())
    return 0 if looks or cores < 2 or not _several(arguments) else min(cores, MOST)


def _several(arguments: Sequence[str]) -> bool:
    """Whether a folder or more than one file is asked for."""
    files = {argument.split("::")[0] for argument in arguments}
    return len(files) > 1 or not all(Path(file).is_file() for file in files)
