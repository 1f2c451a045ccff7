"""What the schema finds wrong, in words: place, code, message and hint of every kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.texts import HEAD, problems

CASES = (Path(__file__).parent / "messages.txt").read_text(encoding="utf-8").rstrip("\n").split("\n\n")
"""Each case: the lines below `smemdsl: 1`, then `=> line:column code message | hint` for each problem."""


def described(text: str) -> list[str]:
    """Everything that is wrong with a text, a line each."""
    found = problems(text)
    return [
        f"=> {d.line}:{d.column} {d.code} {d.message}" + (f" | {d.hint}" if d.hint else "") for d in found
    ]


@pytest.mark.parametrize("case", CASES)
def test_messages(case: str) -> None:
    """Each kind of fault has its place, its code, a message that names the field, and mostly a hint."""
    lines = case.split("\n")
    body = [line for line in lines if not line.startswith("=> ")]
    assert described(HEAD + "\n".join(body) + "\n") == lines[len(body) :]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x\n", "1:1 schema-type the scenario must be a mapping, not a string"),
        ("- 1\n", "1:1 schema-type the scenario must be a mapping, not a list"),
        ("# c\nbuffers: {}\n", "2:1 missing-key the scenario needs `smemdsl`"),
        ("smemdsl: 1\n", "1:1 missing-key the scenario needs `buffers`"),
        ("smemdsl: 2\nbuffers: {}\n", "1:10 schema-value `smemdsl` must be 1, not 2"),
        ("smemdsl: '1'\nbuffers: {}\n", "1:10 schema-type `smemdsl` must be an integer, not a string"),
        ("smemdsl: true\nbuffers: {}\n", "1:10 schema-type `smemdsl` must be an integer, not true or false"),
    ],
)
def test_the_top(text: str, expected: str) -> None:
    """So has what is wrong with the document as a whole or with its version."""
    assert [line.split(" | ")[0] for line in described(text)] == [f"=> {expected}"]


def test_faults_come_in_document_order() -> None:
    """All faults are told, and from the top to the bottom."""
    text = "zz: 1\nbuffers:\n  b: {bytes: -1}\n  a: 5\nthreads: 0\nsmemdsl: 1\nname: 3\n"
    assert [diagnostic.line for diagnostic in problems(text)] == [1, 3, 4, 5, 7]


def test_a_summary_is_short() -> None:
    """A text that is too long is refused by its length, not shown in full."""
    (line,) = described(f"{HEAD}summary: {'x' * 2001}\nbuffers: {{}}\n")
    assert line.startswith("=> 2:10 schema-value `summary` is longer than 2000 characters")
