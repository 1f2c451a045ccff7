"""No answer is written over what was read for it, nor over another answer."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.commands.running import run

ROWS = ("--set", "num_stages=1,2")


@pytest.fixture
def names(folder: Path) -> Path:
    """Other names of gemm.yaml: a link, a second name of the same file, and one through a linked folder."""
    (folder / "link.csv").symlink_to("gemm.yaml")
    os.link(folder / "gemm.yaml", folder / "second.csv")
    (folder / "here").symlink_to(".")
    return folder


@pytest.mark.parametrize(
    "output", ["gemm.yaml", "./gemm.yaml", "empty/../gemm.yaml", "link.csv", "second.csv", "here/gemm.yaml"]
)
def test_inputs(names: Path, output: str) -> None:
    """A scenario is never the output, by whatever name."""
    before = (names / "gemm.yaml").read_bytes()
    for done in (
        run("sweep", "gemm.yaml", *ROWS, "--format", "csv", "--output", output),
        run("sweep", "gemm.yaml", *ROWS, "--format", "csv", "--output", output, "--resume"),
        run("check", ".", "--output", f"json:{output}"),
        run("check", "bad.yaml", str(names / "gemm.yaml"), "--output", f"csv:{output}"),
        run("pack", "gemm.yaml", "--output", f"json:{output}"),
        run("diff", "gemm.yaml", "fits.yaml", "--output", f"json:{output}"),
        run("diff", "fits.yaml", ".", "--output", f"json:{output}"),
    ):
        assert (done.code, done.out) == (2, "")
        assert f"{output}: error[overwrites-input] is an input of this command" in done.err
    assert (names / "gemm.yaml").read_bytes() == before
    assert not list(names.glob("*.part*"))


def test_other_inputs(folder: Path) -> None:
    """Lists of configurations, baselines, what is not valid, and what a sweep writes beside its answer."""
    (folder / "configs.json").write_text('[{"num_stages": 2}]', encoding="utf-8")
    (folder / "rows.csv.part").write_text((folder / "gemm.yaml").read_text("utf-8"), encoding="utf-8")
    run("check", "gemm.yaml", "--output", "json:base.json")
    for arguments in (
        ("sweep", "gemm.yaml", "--configs", "configs.json", "--output", "configs.json"),
        ("sweep", "gemm.yaml", "rows.csv.part", *ROWS, "--output", "rows.csv"),
        ("check", "gemm.yaml", "--baseline", "base.json", "--output", "./base.json"),
        ("check", "gemm.yaml", "bad.yaml", "--output", "json:bad.yaml"),
    ):
        done = run(*arguments)
        assert (done.code, done.out) == (2, "")
        assert "error[overwrites-input]" in done.err


def test_standard_input(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that stands before stdin is read as well."""
    shell = f"{sys.executable} -m smemdsl check - --output json:gemm.yaml < gemm.yaml"
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    assert os.waitstatus_to_exitcode(os.system(f"{shell} > /dev/null 2> err")) == 2
    assert "gemm.yaml: error[overwrites-input]" in (folder / "err").read_text("utf-8")


@pytest.mark.parametrize("other", ["json:same", "csv:./same", "csv:empty/../same"])
def test_two_answers_in_one_file(folder: Path, other: str) -> None:
    """Neither is written, whether the file is there or not."""
    for _ in range(2):
        done = run("check", "gemm.yaml", "--output", "json:same", "--output", other)
        assert (done.code, done.out) == (2, "")
        assert "error[same-output] is named by two --output" in done.err
        (folder / "same").write_text("old", encoding="utf-8")
    assert (folder / "same").read_text("utf-8") == "old"


def test_what_is_no_file(folder: Path) -> None:
    """A device takes as many answers as it is given."""
    assert run("check", "gemm.yaml", "--output", "json:/dev/null", "--output", "csv:/dev/null").code == 0


@pytest.mark.parametrize(
    ("file", "style"),
    [
        ("rows.csv", "csv"),
        ("rows.JSON", "json"),
        ("rows.jsonl", "jsonl"),
        ("rows.ndjson", "jsonl"),
        ("rows.md", "markdown"),
        ("rows.txt", "text"),
        ("rows", "text"),
        ("rows.junit.xml", "text"),
        ("csv", "text"),
    ],
)
def test_the_ending_says_the_format(folder: Path, file: str, style: str) -> None:
    """Of a sweep into a file without --format; --format is stronger."""
    run("sweep", "gemm.yaml", *ROWS, "--output", file)
    assert (folder / file).read_text("utf-8") == run("sweep", "gemm.yaml", *ROWS, "--format", style).out
    run("sweep", "gemm.yaml", *ROWS, "--output", file, "--format", "csv")
    assert (folder / file).read_text("utf-8") == run("sweep", "gemm.yaml", *ROWS, "--format", "csv").out


@pytest.mark.parametrize("style", ["csv", "json", "junit"])
def test_the_ending_of_other_answers(folder: Path, style: str) -> None:
    """`check` takes FORMAT:FILE, or FILE with an ending that says it."""
    file = f"answer.{'xml' if style == 'junit' else style}"
    assert run("check", "gemm.yaml", "--output", file).code == 0
    assert (folder / file).read_text("utf-8") == run("check", "gemm.yaml", "--format", style).out
    assert "is not of the form FORMAT:FILE" in run("check", "gemm.yaml", "--output", "answer").err
