"""What Triton says of a kernel that does not compile, at the line of the user's file. Runs in the worker."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from smemdsl.compilers.capture.failing import CaptureError, described
from smemdsl.compilers.capture.user_frame import at_line, characters
from smemdsl.compilers.triton.capture.compiler import module


def at_its_line(error: CaptureError, kernel: Any, file: str) -> CaptureError:
    """The error at the innermost line of the file that Triton was compiling, where it says so.

    Triton counts lines from the function's `def`, and quotes the function instead.
    """
    raised = list(_raised(error.__cause__))
    if not raised:
        return error
    last = raised[-1]
    kind, words = type(last).__name__, last.error_message
    if not words and last.__cause__ is not None:
        kind, words = "", described(last.__cause__)
    said = f"the kernel does not compile: {kind}{': ' if kind and words else ''}{words or ''}"
    path = str(Path(file).resolve())
    for each in reversed(raised):
        for function in _functions(kernel):
            if each.src == function.src and (place := _place(each.node, function, path)):
                found = CaptureError(error.failure.code, said)
                found.failure = at_line(found.failure, path, *place)
                return found
    return error


def _raised(error: BaseException | None) -> Iterator[Any]:
    """Triton's own errors, that of the kernel first, then those of the functions that it calls."""
    kind = module("triton.compiler.errors").CompilationError
    while isinstance(error, kind):
        yield error
        error = error.__cause__


def _functions(kernel: Any) -> Iterator[Any]:
    """The kernel, and the functions under @triton.jit that its file knows by name."""
    yield kernel
    jit = module("triton").JITFunction
    yield from (value for value in list(kernel.fn.__globals__.values()) if isinstance(value, jit))


def _place(node: Any, function: Any, path: str) -> tuple[int, int, int] | None:
    """Line, column and length of a node of a function's source, if the line is one of the file."""
    if function.fn.__code__.co_filename != path or not hasattr(node, "lineno"):
        return None
    line = function.def_file_line_number + node.lineno - 1
    text = function.src.split("\n")[node.lineno - 1]
    there = linecache.getline(path, line).rstrip("\r\n")
    if not there.endswith(text):
        return None
    begin, end = (characters(text, offset) for offset in (node.col_offset, node.end_col_offset))
    length = end - begin if node.end_lineno == node.lineno else len(text.rstrip()) - begin
    return line, len(there) - len(text) + begin + 1, length
