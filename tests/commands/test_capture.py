"""`capture`: what goes where, and the exit codes, with a compiler that answers at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from smemdsl.api import loads
from smemdsl.cli.commands import capture as command
from smemdsl.compilers.capture.request import Capture, Failure, Request
from tests.capture.captures import CAPTURE, TILES
from tests.commands.running import run

Answer = Callable[[Capture | Failure], list[Request]]
TILELANG = ("capture", "tilelang", "gemm.py::matmul", "--target", "sm_90a")


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Answer:
    """Makes the worker answer this; the requests that it gets are listed."""

    def answering(found: Capture | Failure) -> list[Request]:
        asked: list[Request] = []

        def instead(requests: list[Request], limit: float) -> Iterator[Capture | Failure]:
            asked.extend(requests)
            yield found

        monkeypatch.setattr(command, "run", instead)
        return asked

    return answering


def test_scenario_goes_to_stdout(answer: Answer) -> None:
    """Without --output the scenario is the answer, and it is one that loads."""
    answer(CAPTURE)
    done = run(*TILELANG)
    assert (done.code, done.err) == (0, "")
    assert loads(done.out).plan().packing.arena == 98304


@pytest.mark.parametrize("form", ["explicit", "program"])
def test_verify(answer: Answer, form: str) -> None:
    """--verify prints the comparison instead of the scenario; exit code 0 where nothing differs."""
    answer(CAPTURE)
    done = run(*TILELANG, "--form", form, "--verify")
    assert done.code == 0
    assert "exact: 3 buffers" in done.out
    assert "smemdsl: 1" not in done.out


def test_verify_finds_a_difference(answer: Answer) -> None:
    """Exit code 1, and the row says which buffer, where both sides put it."""
    answer(CAPTURE._replace(buffers=(*TILES[:2], TILES[2]._replace(offset=1024))))
    done = run(*TILELANG, "--verify")
    assert done.code == 1
    (row,) = [line for line in done.out.splitlines() if line.startswith("C_s")]
    assert row.split() == ["C_s", "0", "1024", "32768", "1", "16", "DIFFERS"]


def test_output_file(answer: Answer, tmp_path: Path) -> None:
    """With --output the scenario is in the file and stdout is empty; --verify changes nothing of that."""
    answer(CAPTURE)
    out = tmp_path / "gemm.yaml"
    assert run(*TILELANG, "-o", str(out)).out == ""
    assert loads(out.read_text()).plan().packing.arena == 98304
    out.unlink()
    assert run(*TILELANG, "-o", str(out), "--verify").code == 0
    assert out.exists()


def test_output_that_cannot_be_written(answer: Answer, tmp_path: Path) -> None:
    """Exit code 2 and one line."""
    answer(CAPTURE)
    done = run(*TILELANG, "-o", str(tmp_path / "none" / "gemm.yaml"))
    assert done.code == 2
    assert "error[unwritable]" in done.err


def test_failure(answer: Answer) -> None:
    """The compiler's own message is kept, every line of it; exit code 2, nothing on stdout."""
    answer(Failure("capture-compile", "the kernel does not compile: InternalError: one\ntwo", "a hint"))
    done = run(*TILELANG)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines() == [
        "gemm.py: error[capture-compile] the kernel does not compile: InternalError: one",
        "    two",
        "  hint: a hint",
    ]


def test_failure_at_a_line(answer: Answer) -> None:
    """A line of the file is shown as one of a scenario is."""
    answer(Failure("capture-import", "the file cannot be imported", "", 3, 5, 7, "    f(1, )"))
    assert run(*TILELANG).err.splitlines() == [
        "gemm.py:3:5: error[capture-import] the file cannot be imported",
        "      f(1, )",
        "      ^^^^^^",
    ]


@pytest.mark.parametrize("compiler", ["tilelang", "triton"])
def test_the_source_is_not_overwritten(answer: Answer, tmp_path: Path, compiler: str) -> None:
    """Neither under its own name nor another one, and before anything runs."""
    asked = answer(CAPTURE)
    source, link = tmp_path / "gemm.py", tmp_path / "link.yaml"
    source.write_text("x = 1\n")
    link.hardlink_to(source)
    for output in (source, link, tmp_path / "." / "gemm.py"):
        done = run("capture", compiler, f"{source}::k", "--target", "sm_80", "-o", str(output))
        assert done.code == 2
        assert "error[overwrites-input] is an input of this command" in done.err
    assert (source.read_text(), asked) == ("x = 1\n", [])


def test_warps_by_option(answer: Answer) -> None:
    """What has a flag may be said by --option instead, as the comment of a capture says it."""
    asked = answer(CAPTURE)
    run("capture", "triton", "a.py::f", "--option", "num_warps=8", "--option", "x=1", "--target", "sm_80")
    assert asked[0].options == (("num_warps", "8"), ("num_stages", "3"), ("x", "1"))


def test_no_program(answer: Answer) -> None:
    """A kernel that the program form has no words for is refused with the reason."""
    answer(CAPTURE._replace(program=None, doubts=("sparse operands",)))
    done = run(*TILELANG, "--form", "program")
    assert done.code == 2
    assert "error[no-program] sparse operands" in done.err
    assert "--form explicit" in done.err


def test_doubts_are_said(answer: Answer) -> None:
    """What a program may not say stands in the file and on stderr; of the explicit form it is no doubt."""
    answer(CAPTURE._replace(doubts=("a reducer",)))
    program, explicit = run(*TILELANG, "--form", "program"), run(*TILELANG)
    assert "warning[capture] a reducer" in program.err
    assert "reducer" not in explicit.out + explicit.err


def test_request(answer: Answer) -> None:
    """Arguments and options come through as typed."""
    asked = answer(CAPTURE)
    run(*TILELANG, "--arg", "M=1024", "--arg", "dtype=float16", "--option", "tl.x=true", "--kernel", "k")
    run("capture", "triton", "a/b.py::f", "--arg", "x=*fp16", "--num-warps", "8", "--target", "sm_80")
    assert asked[0] == Request(
        "tilelang",
        "gemm.py",
        "matmul",
        (("M", "1024"), ("dtype", "float16")),
        "sm_90a",
        (("tl.x", "true"),),
        "k",
    )
    assert asked[1].options == (("num_warps", "8"), ("num_stages", "3"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("tilelang", "gemm.py", "--target", "sm_80"), "is not FILE.py::NAME"),
        (("tilelang", "gemm.py::", "--target", "sm_80"), "is not FILE.py::NAME"),
        (("tilelang", "gemm.py::k", "--target", "sm_80", "--arg", "M"), "is not NAME=VALUE"),
        (("tilelang", "gemm.py::k"), "--target"),
        (("tilelang", "gemm.py::k", "--arg", "M=1", "--arg", "M=2"), "M is given twice"),
        (
            ("triton", "gemm.py::k", "--target", "sm_80", "--num-warps", "4", "--option", "num_warps=8"),
            "num_warps is given twice, by --num-warps and by --option",
        ),
        (
            ("triton", "gemm.py::k", "--target", "sm_80", "--form", "program"),
            "only `smemdsl capture tilelang`",
        ),
        (("cutlass", "gemm.py::k"), "cutlass"),
        (("tilelang", "gemm.py::k", "--target", "sm_999"), "error[unknown-target]"),
        (("triton", "gemm.py::k", "--target", "h100"), "error[unknown-target]"),
        (("tilelang", "gemm.py::k", "--target", "65536"), "error[unknown-target]"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], words: str) -> None:
    """Exit code 2, and what is wrong is named."""
    done = run("capture", *arguments)
    assert done.code == 2
    assert words in done.err


@pytest.mark.parametrize("arguments", [(), ("tilelang",), ("triton",)])
def test_help_says_that_code_runs(arguments: tuple[str, ...]) -> None:
    """Whoever reads the help learns that the file's code is run."""
    done = run("capture", *arguments, "--help")
    assert done.code == 0
    assert "Runs the code of" in done.out
    assert "under a time limit" in " ".join(done.out.split())
