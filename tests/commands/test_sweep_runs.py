"""Sweeps on several cores, into files, broken off and gone on with: always the same bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from smemdsl.cli import file_lock, sweep_run, sweep_workers
from smemdsl.cli.file_lock import LOCKS
from smemdsl.cli.progress import announcement, line
from smemdsl.sweeping import Tally, chunks
from tests.commands.running import Done, run

AXES = (
    "--set",
    "block_M=16..64:16",
    "--set",
    "block_N=16,32,64",
    "--set",
    "num_stages=0..3",
    "--budget",
    "sm_90",
)

FORMATS = ("text", "json", "jsonl", "csv", "markdown")


@pytest.fixture
def small(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Chunks of three rows, each safe at once."""
    monkeypatch.setattr(chunks, "_BUFFERS", 16)
    monkeypatch.setattr(sweep_run, "_KEEP_EVERY", -1.0)
    return folder


def sweep(*arguments: str) -> Done:
    """A sweep of a kernel over three axes, with stages that are in error among them."""
    return run("sweep", "gemm.yaml", *AXES, *arguments)


@pytest.mark.parametrize("style", FORMATS)
@pytest.mark.parametrize("more", [(), ("--max", "num_stages"), ("--fits-only",)])
def test_any_number_of_processes(small: Path, style: str, more: tuple[str, ...]) -> None:
    """Both streams and the exit code are those of one process."""
    one = sweep("--format", style, "--jobs", "1", *more)
    assert sweep("--format", style, "--jobs", "3", *more) == one
    assert sweep("--format", style, *more) == one
    assert one.code == (0 if "--max" in more else 2)


def test_a_grid_of_several_processes(small: Path) -> None:
    """A grid needs all rows, wherever they come from."""
    arguments = ("--max", "num_stages", "--pivot", "block_N")
    assert sweep("--jobs", "2", *arguments) == sweep("--jobs", "1", *arguments)


@pytest.mark.parametrize("style", FORMATS)
def test_an_answer_in_a_file(small: Path, style: str) -> None:
    """The file has what stdout would have had, and takes the place of an older one."""
    Path("answer").write_text("old", encoding="utf-8")
    shown = sweep("--format", style)
    done = sweep("--format", style, "--output", "answer")
    assert done == Done(shown.code, "", shown.err)
    assert Path("answer").read_text(encoding="utf-8") == shown.out
    assert [path.name for path in small.glob("answer*")] == ["answer"]


class Killed(BaseException):
    """The process is gone: nothing more is done."""


def broken_off(monkeypatch: pytest.MonkeyPatch, after: int, error: BaseException) -> None:
    """Let the next sweeps end with an error after so many chunks."""
    whole = sweep_workers.outcomes

    def outcomes(*arguments: Any) -> Iterator[Any]:
        for number, found in enumerate(whole(*arguments)):
            if number == after:
                raise error
            yield found

    monkeypatch.setattr(sweep_run, "outcomes", outcomes)


@pytest.mark.parametrize("style", ["csv", "json", "jsonl"])
@pytest.mark.parametrize("after", [0, 1, 5, 11])
def test_an_interrupted_sweep_goes_on(
    small: Path, monkeypatch: pytest.MonkeyPatch, style: str, after: int
) -> None:
    """After Ctrl-C the old file is there, stderr says how many rows are safe, and --resume ends the same."""
    arguments = ("--format", style, "--output", "answer")
    whole = sweep("--format", style)
    Path("answer").write_text("old", encoding="utf-8")
    with monkeypatch.context() as patch:
        broken_off(patch, after, KeyboardInterrupt())
        stopped = sweep(*arguments)
    assert (stopped.code, stopped.out) == (130, "")
    assert f"interrupted: {3 * after} rows are safe in answer.part; --resume continues" in stopped.err
    assert Path("answer").read_text(encoding="utf-8") == "old"
    assert sweep(*arguments, "--resume") == Done(whole.code, "", whole.err)
    assert Path("answer").read_text(encoding="utf-8") == whole.out
    assert [path.name for path in small.glob("answer*")] == ["answer"]


@pytest.mark.parametrize("at", ["add", "counts", "exit_code"])
def test_interrupted_at_any_moment(small: Path, monkeypatch: pytest.MonkeyPatch, at: str) -> None:
    """A chunk that is written but not counted yet, or counted but not known to be safe, is done again."""
    arguments = ("--format", "json", "--output", "answer")
    whole = sweep("--format", "json")
    method = getattr(Tally, at)
    calls = iter(range(99))

    def torn(tally: Tally, *rest: Any) -> Any:
        result = method(tally, *rest)
        if at != "add" or next(calls) == 4:
            raise KeyboardInterrupt
        return result

    with monkeypatch.context() as patch:
        patch.setattr(Tally, at, torn)
        assert sweep(*arguments).code == 130
    finished = "note: answer is finished: the sweep starts over\n" if at == "exit_code" else ""
    assert sweep(*arguments, "--resume") == Done(whole.code, "", finished + whole.err)
    assert Path("answer").read_text(encoding="utf-8") == whole.out


@pytest.mark.parametrize("torn", [b"", b"16,32,", b"\xff" * 99])
def test_a_killed_sweep_goes_on(small: Path, monkeypatch: pytest.MonkeyPatch, torn: bytes) -> None:
    """What was written after the last moment that is known to be safe is written anew."""
    arguments = ("--format", "csv", "--output", "answer")
    whole = sweep("--format", "csv")
    with monkeypatch.context() as patch:
        broken_off(patch, 7, Killed())
        with pytest.raises(Killed):
            sweep(*arguments)
    with Path("answer.part").open("ab") as stream:
        stream.write(torn)
    assert sweep(*arguments, "--resume") == Done(whole.code, "", whole.err)
    assert Path("answer").read_text(encoding="utf-8") == whole.out


ONE_LIFE = """
import os, sys
from smemdsl.__main__ import main
from smemdsl.cli import sweep_run, sweep_workers
from smemdsl.cli.file_lock import LOCKS
from smemdsl.sweeping import Tally, chunks
lives = int(sys.argv.pop(1))
def outcomes(*arguments):
    for number, found in enumerate(sweep_workers.outcomes(*arguments)):
        if number == lives:
            os._exit(9)
        yield found
chunks._BUFFERS, sweep_run._KEEP_EVERY, sweep_run.outcomes = 16, -1.0, outcomes
main()
"""
"""A process that dies after so many chunks."""


def test_processes_that_die_hand_over(small: Path) -> None:
    """Each process goes on where the last one died, though none orders its sets like another."""
    whole = sweep("--format", "csv")
    command = ["sweep", "gemm.yaml", *AXES, "--format", "csv", "--output", "answer", "--resume"]
    codes = []
    for seed, lives in enumerate((4, 0, 5, 99)):
        environment = os.environ | {"PYTHONHASHSEED": str(seed + 1), "PYTHONPATH": os.pathsep.join(sys.path)}
        program = [sys.executable, "-c", ONE_LIFE, str(lives), *command]
        codes.append(subprocess.run(program, env=environment, capture_output=True, check=False).returncode)
    assert codes == [9, 9, 9, whole.code]
    assert Path("answer").read_text(encoding="utf-8") == whole.out


def test_another_sweep_does_not_go_on(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--resume takes the command as it was; otherwise it says so and leaves what is there."""
    arguments = ("--format", "csv", "--output", "answer")
    with monkeypatch.context() as patch:
        broken_off(patch, 3, KeyboardInterrupt())
        sweep(*arguments)
    before = Path("answer.part").read_bytes()
    for other in (("--set", "block_K=32"), ("--fits-only",), ("--align", "256"), ("--max", "num_stages")):
        done = sweep(*arguments, *other, "--resume")
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("answer: error[output] what is there of it is of another sweep")
    assert Path("answer.part").read_bytes() == before


def test_what_is_there_cannot_be_read(small: Path) -> None:
    """A damaged journal is an error, and no reason to begin anew unasked."""
    Path("answer.part").write_bytes(b"")
    Path("answer.part.json").write_text("{", encoding="utf-8")
    done = sweep("--format", "csv", "--output", "answer", "--resume")
    assert (done.code, done.out) == (2, "")
    assert "answer: error[output] what is there of it cannot be read" in done.err


def test_nothing_to_go_on_with(small: Path) -> None:
    """--resume begins where nothing is there, so that one command can be repeated until it is through."""
    assert sweep("--format", "csv", "--output", "answer", "--resume").code == 2
    assert Path("answer").read_text(encoding="utf-8") == sweep("--format", "csv").out


@pytest.mark.parametrize(
    ("there", "note"),
    [
        ({"answer.part": "num_stages"}, "nothing of answer.part is safe: the sweep starts over"),
        ({"answer.part.json": "{}"}, "nothing of answer.part is safe: the sweep starts over"),
        ({"answer": "old"}, "answer is finished: the sweep starts over"),
    ],
)
def test_what_is_there_is_of_no_use(small: Path, there: dict[str, str], note: str) -> None:
    """--resume that begins anew, though something is there, says so once."""
    for name, text in there.items():
        Path(name).write_text(text, encoding="utf-8")
    whole = sweep("--format", "csv")
    done = sweep("--format", "csv", "--output", "answer", "--resume")
    assert done == Done(whole.code, "", f"note: {note}\n{whole.err}")
    assert Path("answer").read_text(encoding="utf-8") == whole.out
    assert [path.name for path in small.glob("answer*")] == ["answer"]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--format", "text"), "--resume: text is written when all rows are there"),
        (("--format", "markdown"), "--resume: markdown is written when all rows are there"),
        (("--format", "csv", "--first"), "--resume and --first: it can only start over"),
        (("--format", "csv", "--pivot", "num_stages"), "--resume and --pivot: it can only start over"),
    ],
)
def test_what_cannot_go_on(small: Path, arguments: tuple[str, ...], error: str) -> None:
    """An answer that needs all its rows has nothing to go on with, and --resume says so."""
    done = sweep(*arguments, "--output", "answer", "--resume")
    assert (done.code, done.out, error in done.err) == (2, "", True)


@pytest.mark.parametrize("arguments", [("--format", "text"), ("--format", "csv", "--pivot", "num_stages")])
def test_interrupted_with_nothing_safe(
    small: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    """Ctrl-C of an answer that needs all its rows says that none is safe, and leaves nothing behind."""
    Path("answer").write_text("old", encoding="utf-8")
    broken_off(monkeypatch, 3, KeyboardInterrupt())
    done = sweep(*arguments, "--output", "answer")
    assert (done.code, done.out) == (130, "")
    assert "interrupted: no rows are safe" in done.err
    assert {path.name: path.read_text(encoding="utf-8") for path in small.glob("answer*")} == {
        "answer": "old"
    }


WRITER = """
import sys
from smemdsl.cli.file_lock import opened
with opened("answer.part") as stream:
    stream.write(b"rows")
    print("open", flush=True)
    sys.stdin.read()
"""
"""A process that writes to the same file until its stdin is closed."""


@pytest.mark.skipif(not LOCKS, reason="no locks on this system")
@pytest.mark.parametrize("more", [(), ("--resume",)])
def test_two_sweeps_into_one_file(small: Path, more: tuple[str, ...]) -> None:
    """The second says so and touches nothing; when the first is killed, the file is free."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    arguments = ("--format", "csv", "--output", "answer")
    with subprocess.Popen(
        [sys.executable, "-c", WRITER], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"open\n"
        done = sweep(*arguments, *more)
        assert (done.code, done.out) == (2, "")
        assert "answer: error[output] another sweep is writing it" in done.err
        first.kill()
    assert sweep(*arguments).out == ""
    assert Path("answer").read_text(encoding="utf-8") == sweep("--format", "csv").out


@pytest.mark.skipif(not LOCKS, reason="no locks on this system")
def test_a_file_that_is_finished_meanwhile(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for the lock of a file that gets its final name takes a new one, and leaves that alone."""
    Path("answer.part").write_text("all", encoding="utf-8")
    lock = file_lock._lock

    def finished(stream: BinaryIO) -> None:
        if not Path("answer").exists():
            Path("answer.part").rename("answer")
        lock(stream)

    monkeypatch.setattr(file_lock, "_lock", finished)
    with file_lock.opened("answer.part") as stream:
        stream.write(b"new")
    assert Path("answer").read_text(encoding="utf-8") == "all"
    assert Path("answer.part").read_text(encoding="utf-8") == "new"


def test_wrong_usage(folder: Path) -> None:
    """--resume needs a file to go on with, and a file needs a folder."""
    assert "--resume continues a file: name it with --output" in sweep("--resume").err
    done = sweep("--output", "none/answer")
    assert (done.code, done.out) == (2, "")
    assert "none/answer: error[output] cannot be written: No such file or directory" in done.err


def test_a_program_on_another_device(small: Path) -> None:
    """It is told once for each device that the program is not lowered for, and stands in json too."""
    text = (
        "smemdsl: 1\ntarget: sm_90\nthreads: 128\nparams: {n: 1}\nbuffers: {A: {shape: [64, n], dtype: fp16}}"
        "\nprogram: [{copy: A}, {store: A}]\nsweep: {n: 8..64:8}\n"
    )
    (small / "program.yaml").write_text(text, encoding="utf-8")
    budgets = ("--budget", "a100", "--budget", "h100", "--budget", "rtx-4090", "--budget", "64 KiB")
    words = "the program is lowered for its target sm_90 but judged on {}"
    told = [f"program.yaml:2:9: warning[other-target] {words.format(name)}" for name in ("sm_80", "sm_89")]
    done = run("sweep", "program.yaml", *budgets, "--format", "json")
    assert [line for line in done.err.splitlines() if "warning" in line] == told
    diagnostics = json.loads(done.out)["diagnostics"]
    assert [d["message"] for d in diagnostics] == [words.format(name) for name in ("sm_80", "sm_89")]


def test_a_very_long_sweep(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says how long before it begins, and begins: neither axis is held in memory."""
    axes = ("--set", "block_M=16..16000000000:16", "--set", "block_N=16..16000000000:16")
    with monkeypatch.context() as patch:
        broken_off(patch, 2, KeyboardInterrupt())
        done = run("sweep", "gemm.yaml", *axes, "--format", "csv", "--jobs", "1")
    rows = done.out.count("\n") - 1
    assert done.code == 130
    assert done.err.splitlines()[:2] == [
        "note: 6,000,000,000,000,000,000 configurations, up to 11,891,171,994 years of one core",
        f"interrupted: {rows:,} rows are written",
    ]
    assert done.out.splitlines()[1].startswith("1,16,16,")


def test_what_is_announced() -> None:
    """Work of an hour and more; and that a format wants all rows, where it does."""
    assert not announcement(10**6, 3599.0, held=True)
    assert (
        announcement(10**9, 7200.0, held=False) == "1,000,000,000 configurations, up to 2 hours of one core"
    )
    assert announcement(10**9, 86400.0 * 3, held=True).endswith(
        "up to 3 days of one core; this format needs all rows at once, csv and jsonl do not"
    )


def test_the_line_of_progress() -> None:
    """Share, rows, rate and time left follow from what this run has done in its time."""
    assert line(0, 0, 10, 0, 0.0) == "[                        ]   0%  0 rows  0/s  ? left"
    assert line(500, 0, 2000, 400, 5.0) == "[######                  ]  25%  400 rows  100/s  0:15 left"
    assert line(1500, 1000, 10**6, 1500, 5.0).endswith("1,500 rows  100/s  2:46:25 left")
