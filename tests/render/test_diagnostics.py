"""Diagnostics as text: whatever is in them, they stay short enough to read, and the caret in its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemdsl
from smemdsl.core.errors import Diagnostic
from smemdsl.core.truncate import LONGEST, LONGEST_WORD, shortened, without_middle
from smemdsl.output.formats.diagnostics import MOST_OF_A_FILE, render, render_all
from tests.review.kernels import smemdsl as run

MEGABYTE = "x" * 2**20


def unknown(path: str, line: int) -> Diagnostic:
    return Diagnostic(path, line, 1, "error", "unknown-key", "unknown key", source="key: 1", length=3)


@pytest.mark.parametrize(
    ("text", "most", "short"),
    [
        ("abc", 3, "abc"),
        ("abcdefghij", 10, "abcdefghij"),
        ("abcdefghijk", 9, "abcd...jk"),
        ("abcdefghijk", 3, "..."),
    ],
)
def test_the_middle_goes(text: str, most: int, short: str) -> None:
    assert without_middle(text, most) == short


@given(st.text(max_size=50), st.integers(0, 3000), st.text(" x\n", max_size=3))
def test_both_ends_stay(text: str, times: int, gap: str) -> None:
    """A text that is short is as it was; of any other both ends are left, and no word is long."""
    whole = f"{text}{gap}" * times + text
    short = shortened(whole)
    assert len(short) <= LONGEST
    assert all(len(word) <= LONGEST_WORD for word in short.split())
    assert (short[:60], short[-60:]) == (whole[:60], whole[-60:]) or len(whole) > LONGEST_WORD
    assert short == whole or "..." in short


@pytest.mark.parametrize(
    "text",
    [
        f"budget: {MEGABYTE}\nbuffers: {{A: {{bytes: 1}}}}\n",
        f"name: {MEGABYTE}\nbuffers: {{A: {{bytes: 1}}}}\n",
        f"policy: {MEGABYTE}\nbuffers: {{A: {{bytes: 1}}}}\n",
        f"target: {MEGABYTE}\nbuffers: {{A: {{bytes: 1}}}}\n",
        f"buffers: {{A: {{shape: [1], dtype: {MEGABYTE}}}}}\n",
        f"buffers: {{A: {{bytes: 1, access: [{MEGABYTE}]}}}}\n",
        f"expect: {{fits: {MEGABYTE}}}\nbuffers: {{A: {{bytes: 1}}}}\n",
        f"buffers: {{A: {{bytes: {'9' * 2**20}}}}}\n",
    ],
)
def test_a_value_of_a_megabyte(tmp_path: Path, text: str) -> None:
    """It is named by its two ends, at its place, in the error and on the terminal."""
    begin = "9" * 40 if "9" * 40 in text else "x" * 40
    column = text.index(begin) + 1
    file = tmp_path / "f.yaml"
    file.write_text(f"smemdsl: 1\n{text}")
    result = run("check", str(file))
    assert result.exit_code == 2
    assert f"f.yaml:2:{column}: error[" in result.stderr
    assert len(result.stderr) < 1500
    place, source, caret, *_ = result.stderr.splitlines()
    assert caret.index("^") == source.index(begin)
    with pytest.raises(smemdsl.ScenarioError) as caught:
        smemdsl.load(file)
    assert len(str(caught.value)) < 1000
    concise = run("check", str(file), "--format", "concise").stdout
    assert concise.startswith(place[:60])
    assert len(concise) < 1000


def test_many_of_one_file(tmp_path: Path) -> None:
    """The first of each file are shown, the others counted by code; json and concise have all."""
    lines = [f"  b{i}: {{bytes: q{i}}}\n" for i in range(120)] + ["  c: {bytes: 1, x: 1}\n"]
    (tmp_path / "a.yaml").write_text("smemdsl: 1\nbuffers:\n" + "".join(lines))
    (tmp_path / "b.yaml").write_text("smemdsl: 1\nbuffers: {a: {bytes: q}}\n")
    result = run("check", str(tmp_path))
    shown = [line for line in result.stderr.splitlines() if "error[" in line]
    assert sum("a.yaml:" in line for line in shown) == MOST_OF_A_FILE
    assert sum("b.yaml:" in line for line in shown) == 1
    count = 121 - MOST_OF_A_FILE
    assert f"a.yaml: and {count} more (" in result.stderr
    assert "--format concise lists all\n" in result.stderr
    assert len(run("check", str(tmp_path), "--format", "concise").stdout.splitlines()) == 122


def test_order_and_counts() -> None:
    """Files may alternate; what is left is told file by file, the most frequent code first."""
    found = [unknown(path, line) for line in range(1, MOST_OF_A_FILE + 3) for path in ("a", "b")]
    found += [unknown("a", 99)._replace(code="other")]
    texts = list(render_all(found, elsewhere="look there"))
    assert texts[: 2 * MOST_OF_A_FILE] == [f"{render(item)}\n" for item in found[: 2 * MOST_OF_A_FILE]]
    assert texts[2 * MOST_OF_A_FILE :] == [
        "a: and 3 more (2 unknown-key, 1 other); look there\n",
        "b: and 2 more (2 unknown-key); look there\n",
    ]
