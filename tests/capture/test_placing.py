"""At which line of the user's file a failure is shown, and what is told of a worker that died."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from smemdsl.compilers.capture.request import Failure
from smemdsl.compilers.capture.user_frame import in_file, placed
from smemdsl.compilers.capture.worker_crash import death

FAILURE = Failure("capture-import", "the file cannot be imported")
DUMP = """\
LLVM ERROR: no such layout
Fatal Python error: Aborted

Thread 0x00007f1 (most recent call first):
  File "/lib/python3.11/threading.py", line 324 in wait

Current thread 0x00007f2 (most recent call first):
  File "/lib/triton/compiler.py", line 9 in make_ttgir
  File "{file}", line 4 in boom
  File "{file}", line 5 in <module>
  File "/site/smemdsl/compilers/capture/loading.py", line 85 in _run
  ...

Extension modules: numpy._core._multiarray_umath, torch._C (total: 2)
"""
"""The form of what `faulthandler` of Python 3.11 writes."""


def raised(text: str, file: Path) -> BaseException:
    """What running a file raises."""
    file.write_text(text)
    with pytest.raises((Exception, SystemExit)) as caught:
        exec(compile(text, str(file), "exec", dont_inherit=True), {})
    return caught.value


@pytest.mark.parametrize(
    ("text", "line", "column", "length"),
    [
        ("x = 1\ndef f(:\n", 2, 7, 1),
        ("def f():\n    return 1 + {}\n\nf()\n", 2, 12, 6),
        ("é = 'é'; 1 / 0\n", 1, 10, 5),
        ("import json\n\njson.loads('{')\n", 3, 1, 15),
        ("try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise SystemExit(3) from e\n", 4, 5, 26),
    ],
    ids=["syntax", "called", "characters", "library", "cause"],
)
def test_place(tmp_path: Path, text: str, line: int, column: int, length: int) -> None:
    """The last line of the file that ran, in characters as an editor counts them."""
    file = tmp_path / "user.py"
    found = placed(FAILURE, raised(text, file), str(file))
    assert (found.line, found.source) == (line, text.splitlines()[line - 1])
    if sys.version_info >= (3, 11) or line == column:
        assert (found.column, found.length) == (column, length)


def test_no_place(tmp_path: Path) -> None:
    """An error of another file, or of none, has no line of this one."""
    error = raised("1 / 0", tmp_path / "other.py")
    assert placed(FAILURE, error, str(tmp_path / "user.py")) == placed(FAILURE, None, "user.py") == FAILURE
    assert in_file(error, str(tmp_path / "other.py"))
    assert not in_file(error, str(tmp_path / "user.py"))


def test_code_that_is_not_the_files(tmp_path: Path) -> None:
    """Code that a compiler makes of a file has its lines alone: the first sign stands for the column."""
    file = tmp_path / "user.py"
    file.write_text("def f():\n    return 1 + nowhere\n")
    with pytest.raises(NameError) as caught:
        exec(compile("\n" + "x = [print(y) for y in nowhere]", str(file), "exec"), {})
    found = placed(FAILURE, caught.value, str(file))
    assert (found.line, found.column, found.length) == (2, 5, 1)


def test_the_message_has_no_place_twice(tmp_path: Path) -> None:
    """Python's own `(user.py, line 1)` goes where the line is shown."""
    error = raised("(", tmp_path / "user.py")
    found = placed(FAILURE._replace(message=f"SyntaxError: {error}"), error, str(tmp_path / "user.py"))
    assert found.message == "SyntaxError: '(' was never closed"


def test_death(tmp_path: Path) -> None:
    """The signal by name, the compiler's words, the frames of the file: no other frame, no modules."""
    file = tmp_path / "user.py"
    file.write_text("import os\n\ndef boom():\n    os.abort()\nboom()\n")
    found = death(-6, DUMP.format(file=file), str(file))
    assert found.message.splitlines() == [
        "the worker ended with signal 6 (SIGABRT)",
        "LLVM ERROR: no such layout",
        "Fatal Python error: Aborted",
        f'  File "{file}", line 4 in boom',
        f'  File "{file}", line 5 in <module>',
    ]
    assert (found.line, found.column, found.source) == (4, 5, "    os.abort()")


def test_death_without_a_dump() -> None:
    """An exit says its code, and no line."""
    assert death(7, "bye\n", "user.py") == Failure("capture-crash", "the worker ended with exit code 7\nbye")
