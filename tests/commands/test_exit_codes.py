"""Exit codes: 0 fits, 1 is over or breaks a promise, 2 is bad input or usage, 3 is smemdsl's own error."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.commands.running import run


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("check fits.yaml", 0),
        ("check gemm.yaml", 0),
        ("check expected.yaml", 0),
        ("check warned.yaml", 0),
        ("check over.yaml", 1),
        ("check missed.yaml", 1),
        ("check broken.yaml", 1),
        ("check bad.yaml", 2),
        ("check none.yaml", 2),
        ("check empty", 2),
        ("check *.json", 2),
        ("check fits.yaml over.yaml", 1),
        ("check fits.yaml bad.yaml", 2),
        ("check over.yaml bad.yaml fits.yaml", 2),
        ("check over.yaml none.yaml", 2),
        ("check .", 2),
        ("check fits.yaml --budget 15", 1),
        ("check fits.yaml --budget 16 --budget 15", 1),
        ("check expected.yaml --budget 200", 0),
        ("check expected.yaml --budget 100", 1),
        ("check missed.yaml --budget sm_90", 0),
        ("check missed.yaml --align 16", 0),
        ("check missed.yaml --policy struct", 0),
        ("check gemm.yaml --set num_stages=8", 1),
        ("check gemm.yaml --set num_stages=0", 2),
        ("check gemm.yaml --set num_stages=x", 2),
        ("check gemm.yaml --set stages=2", 2),
        ("check fits.yaml gemm.yaml --set num_stages=2", 0),
        ("check gemm.yaml --set num_stages", 2),
        ("check gemm.yaml --set =2", 2),
        ("check gemm.yaml --budget sm_9", 2),
        ("check gemm.yaml --budget '100 KB'", 2),
        ("check gemm.yaml --policy best", 2),
        ("check gemm.yaml --align 48", 2),
        ("check gemm.yaml --align 0", 2),
        ("check gemm.yaml --align x", 2),
        ("check gemm.yaml --align '1 KiB'", 0),
        ("check gemm.yaml --time-limit -1", 2),
        ("check gemm.yaml --time-limit nan", 2),
        ("check gemm.yaml --time-limit 0", 0),
        ("check gemm.yaml --format pdf", 2),
        ("check gemm.yaml --nonsense", 2),
        ("check", 2),
        ("chek gemm.yaml", 2),
        ("pack fits.yaml", 0),
        ("pack over.yaml", 1),
        ("pack expected.yaml", 1),
        ("pack missed.yaml", 0),
        ("pack broken.yaml", 1),
        ("pack bad.yaml fits.yaml", 2),
        ("sweep gemm.yaml", 0),
        ("sweep gemm.yaml --set num_stages=8..9", 1),
        ("sweep gemm.yaml --set num_stages=7..9", 0),
        ("sweep gemm.yaml --set num_stages=0..1", 2),
        ("sweep gemm.yaml --set num_stages=3..1", 2),
        ("sweep gemm.yaml --set block_K=24 --set num_stages=1", 1),
        ("sweep gemm.yaml --max num_stages", 0),
        ("sweep gemm.yaml --max num_stages --budget 4", 1),
        ("sweep gemm.yaml --max block_M", 2),
        ("sweep gemm.yaml --max q", 2),
        ("sweep gemm.yaml --pivot block_M", 2),
        ("sweep gemm.yaml --pivot num_stages --format json", 2),
        ("sweep gemm.yaml --max num_stages --pivot num_stages", 2),
        ("sweep fits.yaml", 2),
        ("sweep fits.yaml gemm.yaml", 2),
        ("sweep none.yaml", 2),
        ("sweep bad.yaml gemm.yaml", 2),
        ("sweep gemm.yaml --configs none.json", 2),
        ("devices", 0),
        ("devices h100", 0),
        ("devices h1000", 2),
        ("schema", 0),
        ("schema extra", 2),
        ("init", 0),
        ("init new.yaml", 0),
        ("init fits.yaml", 2),
        ("init fits.yaml --force", 0),
        ("init none/new.yaml", 2),
        ("init --form nothing", 2),
        ("--version", 0),
        ("--help", 0),
        ("check --help", 0),
        ("-h", 0),
    ],
)
def test_exit_codes(folder: Path, arguments: str, code: int) -> None:
    """The highest code that anything in the run asks for; no option changes what it means."""
    done = run(*shlex.split(arguments))
    assert (done.code, "Traceback" in done.err) == (code, False), done.err


def test_an_error_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What no input should reach is one line with the name of a log, and the story is in the log."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("no such case")

    monkeypatch.setattr("smemdsl.api.make_plan", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    done = run("check", "fits.yaml")
    assert (done.code, done.out) == (3, "")
    first, hint = done.err.splitlines()
    assert first == "smemdsl: error[internal] ZeroDivisionError: no such case"
    log = Path(hint.removeprefix("  hint: please report this with "))
    assert "in fail" in log.read_text(encoding="utf-8")


def test_an_error_of_its_own_without_a_place_for_the_log(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no log can be written, the story is told on stderr, and the code is the same."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("no such case")

    monkeypatch.setattr("smemdsl.api.make_plan", fail)
    monkeypatch.setattr("tempfile.tempdir", str(folder / "none"))
    done = run("check", "fits.yaml")
    assert done.code == 3
    assert "in fail" in done.err


def test_interrupted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C leaves with the code of the signal, and without a story."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("smemdsl.api.make_plan", interrupt)
    done = run("check", "fits.yaml")
    assert (done.code, done.out, "Traceback" in done.err) == (130, "", False)
