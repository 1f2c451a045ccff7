"""Nothing that is shown moves the cursor, breaks its line, or begins a command of GitHub Actions."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.core.shown import json_text, lines, one_line, same_width, visible
from tests.commands.running import Done, run

HOSTILE = """smemdsl: 1
name: "::stop-commands::x"
budget: 100
buffers:
  "::error file=README.md,line=1::forged": {bytes: 4096}
  "##[error]forged": {bytes: 40}
  "=cmd()": {bytes: 8}
"""
DTYPE = 'smemdsl: 1\nbuffers: {A: {shape: [1], dtype: "f\\u001b]0;owned\\u0007\\n::error file=a::forged"}}\n'
RESULT = {
    "schema_version": 1,
    "command": "check",
    "results": [
        {
            "path": "k\u202e.yaml",
            "scenario": "\x1b]0;owned\x07\n::stop-commands::x",
            "params": {},
            "policy": "tilelang",
            "budget": {"name": "\x1b[2J\x9b1m100", "bytes": 100},
            "static_bytes": 0,
            "arena_bytes": 64,
            "used_bytes": 64,
            "verdict": "OK",
        }
    ],
    "diagnostics": [],
}
FORMATS = ("text", "concise", "markdown", "csv", "junit", "json", "sarif")
ODD = st.text(st.one_of(st.sampled_from("::##[]\n\r\t\x1b\x07\x9b\u2028\u202e\x00 a"), st.characters()))


def acts(text: str) -> str:
    """The first thing in a text that acts on what shows it, as the rules of terminals and runners have it."""
    if found := re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", text):
        return repr(found[0])
    found = re.search(r"^\s*::.*|##\[.*", text, re.MULTILINE)
    return found[0] if found else ""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a stranger may have written, in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    Path("hostile.yaml").write_text(HOSTILE, encoding="utf-8")
    Path("dtype.yaml").write_text(DTYPE, encoding="utf-8")
    Path("none.json").write_text(json.dumps({**RESULT, "results": []}), encoding="utf-8")
    Path("result.json").write_text(json.dumps(RESULT), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("style", FORMATS)
@pytest.mark.parametrize("command", ["check", "pack"])
@pytest.mark.parametrize("file", ["hostile.yaml", "dtype.yaml"])
def test_formats(files: Path, file: str, command: str, style: str) -> None:
    """In every format of both commands, and on stderr, nothing acts."""
    done = run(command, file, "--format", style, "--color", "never")
    assert (acts(done.out), acts(done.err)) == ("", "")


@pytest.mark.parametrize("style", ["text", "markdown", "json"])
def test_stored_results(files: Path, style: str) -> None:
    """Neither of the names in a stored result; in JSON they are what they were."""
    done = run("diff", "none.json", "result.json", "--format", style)
    assert done.code == 0
    assert acts(done.out + done.err) == ""
    if style == "json":
        assert json.loads(done.out)["changes"][0]["scenario"] == "\x1b]0;owned\x07\n::stop-commands::x"


def test_github_has_its_own_commands_and_no_others(files: Path) -> None:
    """One command a finding: its line begins with the words that smemdsl writes."""
    for arguments in (["check", "."], ["diff", "none.json", "result.json"]):
        out = run(*arguments, "--format", "github").out
        for line in out.splitlines():
            assert re.match(r"::(error|warning|notice) file=", line)
            assert acts(line[2:]) in ("", *re.findall(r"##\[.*", line))


def test_other_commands(files: Path) -> None:
    """A map, a swept table, an expanded file, which has the same names, and words of a wrong command line."""
    runs: list[Callable[[], Done]] = [
        lambda: run("pack", "hostile.yaml", "--map", "--color", "never"),
        lambda: run("sweep", "hostile.yaml"),
        lambda: run("check", "\x1b]0;a\n::b.yaml"),
        lambda: run("check", "hostile.yaml", "--set", "\x1b[2J\n::error::a"),
    ]
    for one in runs:
        done = one()
        assert acts(done.out + done.err) == ""
    expanded = run("expand", "hostile.yaml").out
    assert acts(expanded) == ""
    assert list(yaml.safe_load(expanded)["buffers"]) == list(yaml.safe_load(HOSTILE)["buffers"])


def test_junit_is_well_formed(files: Path) -> None:
    """What XML does not allow is escaped, too."""
    Path("null.yaml").write_text(DTYPE.replace("u0007", "ufffe"), encoding="utf-8")
    assert "f\\x1b]0;owned\\ufffe\\n" in (
        ET.fromstring(run("check", "null.yaml", "--format", "junit").out).find(".//error").get("message")  # type: ignore[union-attr]
        or ""
    )


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=cmd()", "'=cmd()"),
        ("+1+1", "'+1+1"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("plain=", "plain="),
        ("-", "-"),
        ("-3", "-3"),
    ],
)
def test_csv_holds_no_formula(tmp_path: Path, name: str, cell: str) -> None:
    """A text that would be one gets an apostrophe; what is a number, or no formula, stays as it is."""
    file = tmp_path / "k.yaml"
    file.write_text(f'smemdsl: 1\nbudget: 64\nbuffers: {{"{name}": {{bytes: 8}}}}\n', encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(run("pack", str(file), "--format", "csv").out)))
    assert [(row["buffer"], row["bytes"]) for row in rows] == [(cell, "8")]


@pytest.mark.parametrize("swept", ["-4..-3", "-4,-3"])
def test_numbers_in_csv_stay(tmp_path: Path, swept: str) -> None:
    """A negative value of a parameter is a number in the compiled way of a sweep and in the plain one."""
    file = tmp_path / "k.yaml"
    file.write_text(
        "smemdsl: 1\nparams: {n: 1}\nbudget: 64\nbuffers: {a: {bytes: 8 + n}}\n", encoding="utf-8"
    )
    out = run("sweep", str(file), "--set", f"n={swept}", "--format", "csv").out
    assert [row["n"] for row in csv.DictReader(io.StringIO(out))] == ["-4", "-3"]


@given(ODD)
def test_any_text(text: str) -> None:
    """Whatever the text: nothing acts, doing it twice changes nothing, widths stay, JSON means the same."""
    assert acts(one_line(text)) == "" == acts(lines(text))
    assert one_line(text).isprintable()
    assert one_line(one_line(text)) == one_line(text)
    assert lines(lines(text)) == lines(text)
    assert lines(text).count("\n") == visible(text).count("\n") == text.count("\n")
    assert len(same_width(text)) == len(text)
    dumped = json_text(json.dumps(text, ensure_ascii=False))
    assert json.loads(dumped) == text
    assert acts(dumped) == ""
