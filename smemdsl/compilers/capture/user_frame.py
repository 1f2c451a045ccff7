"""Where in the user's file an exception comes from. Runs in the worker."""

from __future__ import annotations

import linecache
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

from smemdsl.compilers.capture.request import Failure

_DEEPEST = 20
"""Exceptions of a chain that are looked at."""


def in_file(error: BaseException | None, file: str) -> bool:
    """Whether a line of the file was being run when an exception, or one that it comes from, was raised."""
    return any(_frames(each, str(Path(file).resolve())) for each in _chain(error))


def placed(failure: Failure, error: BaseException | None, file: str) -> Failure:
    """The failure at the last line of the file that ran, or that cannot be read, if there is one."""
    path = str(Path(file).resolve())
    for each in _chain(error):
        if isinstance(each, SyntaxError) and each.filename == path and each.lineno:
            said = failure.message.replace(str(each), each.msg)
            same = each.end_lineno == each.lineno
            length = (each.end_offset or 0) - (each.offset or 0) if same else 1
            return at_line(failure._replace(message=said), path, each.lineno, each.offset, length)
        if frames := _frames(each, path):
            last, code = frames[-1]
            own = _is_of_file(code, path)
            begin, end = (_characters(last, path, name) if own else None for name in ("colno", "end_colno"))
            same = getattr(last, "end_lineno", None) == last.lineno
            length = end - begin if same and begin is not None and end is not None else 1
            return at_line(failure, path, last.lineno or 1, None if begin is None else begin + 1, length)
    return failure


def at_line(failure: Failure, path: str, line: int, column: int | None, length: int = 1) -> Failure:
    """The failure at a line of a file; where the column is not known, at the first sign on it."""
    source = linecache.getline(path, line).rstrip("\r\n")
    first = len(source) - len(source.lstrip()) + 1
    return failure._replace(line=line, column=column or first, length=max(1, length), source=source)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An exception, and those that it comes from."""
    for _ in range(_DEEPEST):
        if error is None:
            return
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _frames(error: BaseException, path: str) -> list[tuple[traceback.FrameSummary, CodeType]]:
    """The lines of a file that were being run, outermost first, and the code that each is of."""
    codes = [frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)]
    summaries = traceback.extract_tb(error.__traceback__)
    return [(frame, code) for frame, code in zip(summaries, codes, strict=True) if frame.filename == path]


def _is_of_file(code: CodeType, path: str) -> bool:
    """Whether code is what Python makes of the file; what TileLang makes of it has its lines, no columns."""
    try:
        left = [compile("".join(linecache.getlines(path)), path, "exec", dont_inherit=True)]
    except (SyntaxError, ValueError):
        return False
    while left:
        each = left.pop()
        if each == code:
            return True
        left += [const for const in each.co_consts if isinstance(const, CodeType)]
    return False


def _characters(frame: traceback.FrameSummary, path: str, name: str) -> int | None:
    """A frame's column, which Python knows from version 3.11 on."""
    offset = getattr(frame, name, None)
    return None if offset is None else characters(linecache.getline(path, frame.lineno or 1), offset)


def characters(line: str, offset: int) -> int:
    """Characters in so many bytes of a line, which is what Python counts columns in."""
    return len(line.encode()[:offset].decode("utf-8", "replace"))
