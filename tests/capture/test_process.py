"""The worker process and its ways to fail, with a compiler that only seems to be installed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from smemdsl.compilers.capture.process import run
from smemdsl.compilers.capture.request import Failure, Request
from smemdsl.compilers.capture.worker import answer

Ask = Callable[..., list[Failure]]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Asks for captures of files of some texts, a version of TileLang being installed."""

    def asking(
        *texts: str, version: str = "0.1.15", name: str = "kernel", limit: float = 60
    ) -> list[Failure]:
        info = tmp_path / f"tilelang-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tilelang\nVersion: {version}\n")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        requests = []
        for i, text in enumerate(texts):
            file = tmp_path / f"user_{i}.py"
            file.write_text(text)
            requests.append(Request("tilelang", str(file), name, (), "sm_80"))
        found = list(run(requests, limit))
        assert all(isinstance(each, Failure) for each in found), found
        return [each for each in found if isinstance(each, Failure)]

    return asking


def test_unknown_version(ask: Ask) -> None:
    """A compiler of a version that is not known is refused, by name, before anybody's code runs."""
    (failure,) = ask("raise SystemExit('it ran')", version="9.9.9")
    assert failure.code == "compiler-version"
    assert "9.9.9" in failure.message
    assert "0.1.15" in failure.message


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        (
            "import no_such_module_anywhere",
            "ModuleNotFoundError: No module named 'no_such_module_anywhere'",
            1,
        ),
        ("x = 1\ndef f(:", "SyntaxError: invalid syntax", 2),
        ("\nraise SystemExit('the script ends')", "SystemExit: the script ends", 2),
        ("def f():\n    raise RuntimeError('one\\ntwo')\n\nf()", "RuntimeError: one\ntwo", 2),
    ],
)
def test_import_fails(ask: Ask, text: str, words: str, line: int) -> None:
    """A file that cannot be imported says so in its own words, at the last of its lines that ran."""
    (failure,) = ask(text)
    assert (failure.line, failure.source) == (line, text.splitlines()[line - 1])
    assert "(user_0.py" not in failure.message
    assert failure.code == "capture-import"
    assert words in failure.message


def test_name_is_missing(ask: Ask) -> None:
    """The nearest name is a hint."""
    (failure,) = ask("from importlib import metadata as tilelang\nkernels = 1")
    assert (failure.code, failure.hint) == ("capture-name", "did you mean kernels?")


def test_no_file(tmp_path: Path) -> None:
    """A file that is not there is an error of whatever compiler is asked for."""
    (failure,) = run([Request("tilelang", str(tmp_path / "none.py"), "kernel", (), "sm_80")])
    assert isinstance(failure, Failure)
    assert failure.code in ("no-file", "compiler-missing")


def test_time_limit(ask: Ask) -> None:
    """A file that never ends is stopped, and what comes after it is still served.

    The second is served within the same limit, in which a new process may have to load a real compiler.
    """
    first, second = ask("while True: pass", "kernels = 1", limit=20)
    assert (first.code, second.code) == ("capture-timeout", "capture-name")


def test_a_crash_takes_one_kernel(ask: Ask) -> None:
    """A file that kills its process costs that one capture; its last words are kept."""
    first, second = ask("import os\nprint('last words', flush=True)\nos._exit(7)", "kernels = 1")
    assert (first.code, second.code) == ("capture-crash", "capture-name")
    assert "exit code 7\nlast words" in first.message


def test_an_abort(ask: Ask) -> None:
    """The signal, what native code printed while it was read along, and the line; no frame of the worker."""
    text = """import os
from smemdsl.compilers.capture.stderr import with_stderr

def boom():
    os.write(2, b"no such layout\\n")
    os.abort()

with_stderr(boom)
"""
    (failure,) = ask(text)
    assert failure.code == "capture-crash"
    first, second, *frames = failure.message.splitlines()
    assert (first, second) == ("the worker ended with signal 6 (SIGABRT)", "no such layout")
    assert "Fatal Python error: Aborted" in frames
    assert len([line for line in frames if "user_0.py" in line]) == 2
    assert "capture/" not in failure.message.replace("user_0.py", "")
    assert "Extension modules" not in failure.message
    assert (failure.line, failure.column, failure.source) == (6, 5, "    os.abort()")


def test_capture_itself_fails() -> None:
    """An error of capture's own is an answer too, with what it was."""
    failure = answer({"compiler": "none_such", "file": "user.py"})["error"]
    assert failure["code"] == "capture-internal"
    assert "none_such" in failure["message"]


def test_what_the_code_prints_is_no_answer(ask: Ask) -> None:
    """Output of the user's code, JSON included, does not reach the parent as an answer."""
    (failure,) = ask("print('{\"error\": 1}')\nimport sys\nprint('x', file=sys.stderr)")
    assert failure.code == "capture-name"


def test_helpers_beside_the_file(ask: Ask, tmp_path: Path) -> None:
    """A file may import its neighbours, and two folders may have helpers of one name."""
    (tmp_path / "helper.py").write_text("kernels = 1")
    (failure,) = ask("from helper import kernels")
    assert failure.hint == "did you mean kernels?"


def test_a_file_in_a_package(ask: Ask, tmp_path: Path) -> None:
    """A file may import its neighbours relatively, from its package and from the one around that."""
    inner = tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    for folder in (inner, inner.parent):
        (folder / "__init__.py").touch()
    (inner.parent / "sizes.py").write_text("kernels = 1")
    (inner / "gemm.py").write_text("from ..sizes import kernels\nfrom . import gemm")
    (plain,) = ask("kernels = 1")
    (failure,) = run([Request("tilelang", str(inner / "gemm.py"), "kernel", (), "sm_80")])
    assert isinstance(failure, Failure)
    assert (failure.code, plain.code) == ("capture-name", "capture-name")


def test_names_of_files_beside(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies in the folder that the command runs in is not taken for a module of the worker."""
    (tmp_path / "here").mkdir()
    for name in ("json", "ast"):
        (tmp_path / "here" / f"{name}.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path / "here")
    (failure,) = ask("from importlib import metadata as tilelang\nkernels = 1")
    assert (failure.code, failure.hint) == ("capture-name", "did you mean kernels?")


def test_no_process_is_left(ask: Ask, tmp_path: Path) -> None:
    """The worker of a file that never ends is gone afterwards; a busy machine starts one within the limit."""
    file = tmp_path / "pid"
    ask(f"import os\nopen({str(file)!r}, 'w').write(str(os.getpid()))\nwhile True: pass", limit=12)
    pid = int(file.read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
