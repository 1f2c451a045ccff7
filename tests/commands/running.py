"""Running the command line inside this process."""

from __future__ import annotations

import io
import sys
from typing import NamedTuple

import pytest

from smemdsl.__main__ import main


class Done(NamedTuple):
    """What a run left: its exit code and its two streams."""

    code: int
    out: str
    err: str


def run(*arguments: str, stdin: bytes = b"") -> Done:
    """Run `smemdsl` with these arguments, as the shell would."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["smemdsl", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as leaving:
            main()
    code = leaving.value.code
    assert isinstance(code, int)
    return Done(code, _written(out), _written(err))


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return bytes(stream.buffer.read()).decode("utf-8")
