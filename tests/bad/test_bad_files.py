"""Files that nobody should write: each is refused, at its places, and stops nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.commands.running import run
from tests.texts import GEMM, HEAD

HERE = Path(__file__).parent
FILES = HERE / "files"
EXPECTED = dict(
    line.split(": ", 1) for line in (HERE / "expected.txt").read_text(encoding="utf-8").splitlines()
)
"""Stem of a file to `line:column code` of each problem, or the code alone where it has no line."""
HEADLINE = re.compile(
    r"^(?P<path>[^\s:]+\.yaml)(?::(?P<place>\d+:\d+))?: error\[(?P<code>[\w-]+)\] \S", re.MULTILINE
)


def described(err: str, path: str) -> str:
    """The problems of a file on stderr, as the table has them."""
    found = (match for match in HEADLINE.finditer(err) if match["path"] == path)
    return "; ".join(" ".join(filter(None, (match["place"], match["code"]))) for match in found)


def test_every_file_is_expected() -> None:
    """The table and the folder have the same files, a hundred at least."""
    assert {file.stem for file in FILES.glob("*.yaml")} == set(EXPECTED)
    assert len(EXPECTED) >= 100


@pytest.mark.parametrize("name", EXPECTED)
def test_a_bad_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It exits with 2 and tells its problems as `path:line:col: error[CODE] message`, with no story."""
    monkeypatch.chdir(FILES)
    done = run("check", f"{name}.yaml")
    assert (done.code, described(done.err, f"{name}.yaml")) == (2, EXPECTED[name])
    assert done.out == "1 scenario: 0 OK, 1 invalid\n"
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", ["check", "pack", "sweep"])
def test_all_at_once(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch with all of them tells every problem, and still judges the sound files around them."""
    for name in ("first.yaml", "last.yaml"):
        (tmp_path / name).write_text(GEMM, encoding="utf-8")
    monkeypatch.chdir(FILES)
    done = run(command, str(tmp_path / "first.yaml"), ".", str(tmp_path / "last.yaml"), "--format", "json")
    answer = json.loads(done.out)
    assert done.code == 2
    assert {Path(result["path"]).stem for result in answer["results"]} == {"first", "last"}
    assert {result["verdict"] for result in answer["results"]} == {"OK"}
    assert {Path(d["path"]).stem for d in answer["diagnostics"]} == set(EXPECTED)
    told = {name: described(done.err, f"./{name}.yaml") for name in EXPECTED}
    assert all(told.values()) if command == "sweep" else told == EXPECTED  # a sweep first asks for axes


LARGE = {
    "brackets": "[" * 500_000,
    "braces": "{a: " * 200_000,
    "dashes": "- " * 200_000,
    "quotes": HEAD + 'name: "' + "x" * 1_000_000,
    "long-line": HEAD + "summary: " + "x" * 1_000_000 + "\nbuffers: {}\n",
    "long-name": HEAD + "buffers: {" + "n" * 500_000 + ": {bytes: 1}}\n",
    "long-expression": HEAD + "static: " + "1 + " * 100_000 + "1\nbuffers: {}\n",
    "minuses": HEAD + "static: '" + "-" * 100_000 + "1'\nbuffers: {}\n",
    "nots": HEAD + "constraints: ['" + "not " * 100_000 + "1']\nbuffers: {}\n",
    "parentheses": HEAD + "static: " + "(" * 100_000 + "\nbuffers: {}\n",
    "digits": HEAD + "static: " + "9" * 1_000_000 + "\nbuffers: {}\n",
    "hex-digits": HEAD + "static: 0x" + "f" * 1_000_000 + "\nbuffers: {}\n",
    "digits-in-expression": HEAD + "static: 1 + " + "9" * 3000 + "\nbuffers: {}\n",
    "dimensions": HEAD + "buffers: {a: {shape: [" + "2, " * 20_000 + "2], dtype: int8}}\n",
    "aliases": "a: &a [1]\nb: [" + "*a, " * 60_000 + "]\n",
    "anchors": "[" + ", ".join(f"&a{i} x" for i in range(20_000)) + "]\n",
    "duplicates": HEAD + "params:\n" + "  n: 1\n" * 5_000 + "buffers: {}\n",
    "floats": HEAD + "budget: [" + "1.5, " * 5_000 + "]\nbuffers: {}\n",
    "unknown-keys": HEAD + "buffers:\n" + "".join(f"  b{i}: {{bytes: 1, x: 1}}\n" for i in range(1_000)),
    "tabs": "\t" * 500_000,
    "newlines": "\n" * 500_000,
    "control": "\x01" * 500_000,
    "range": HEAD + "params: {n: 1}\nsweep: {n: 1.." + "9" * 100_000 + "}\nbuffers: {}\n",
    "commas": HEAD + "params: {n: 1}\nsweep: {n: '" + "," * 100_000 + "'}\nbuffers: {}\n",
    "axis": HEAD + "params: {n: 1}\nsweep: {n: '1..999999, 1..999999'}\nbuffers: {}\n",
    "largest": HEAD + "params: {n: 1}\nsweep: {n: 1..9999999999}\nexpect: {max: {n: 1}}\nbuffers: {}\n",
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_bad_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Size alone takes nothing down: the same for what is large, with a source line that is cut."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "large.yaml").write_text(LARGE[name], encoding="utf-8")
    done = run("check", "large.yaml")
    assert (done.code, done.out) == (2, "1 scenario: 0 OK, 1 invalid\n")
    assert described(done.err, "large.yaml")
    assert "Traceback" not in done.err
    assert max(map(len, done.err.splitlines())) < 1000
