"""The mutation tool: what it changes, and that a mutant dies of a failing test alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.mutants import __main__ as tool
from benchmarks.mutants.operators import mutants

PROFILE = "from hypothesis import settings\nsettings.register_profile('mutants')\n"
SOURCE = "def below(a: int, b: int) -> bool:\n    return a < b\n"


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("r = a < b", ["r = a <= b", "r = a >= b"]),
        ("r = a == b", ["r = a != b"]),
        ("r = a + b", ["r = a - b"]),
        ("r = a // b", ["r = a * b"]),
        ("r = a and b", ["r = a or b"]),
        ("r = not a", ["r = a"]),
        ("r = True", ["r = False"]),
        ("r = 7", ["r = 8", "r = 6"]),
        ("r = min(a, b)", ["r = max(a, b)"]),
        ("r = any(a)", ["r = all(a)"]),
        ("r = f(a, b)", ["r = f(b, a)"]),
        ("f(a)", ["pass"]),
        ("raise a", ["pass"]),
        ("r += a", ["pass"]),
        ("r = a", []),
    ],
)
def test_what_is_changed(line: str, changed: list[str]) -> None:
    """Each operator changes one node and leaves the rest of the module as it was."""
    assert [mutant.source for mutant in mutants("m.py", f"a = b\n{line}")] == [
        f"a = b\n{each}" for each in changed
    ]


def test_names_are_unique_and_hold_no_line_number() -> None:
    """A mutant keeps its name when lines are put above it, so that the list of equivalents stays true."""
    source = "a = 1 + 1\n"
    names = [mutant.name for mutant in mutants("m.py", source)]
    assert len(set(names)) == len(names) == 5
    assert [mutant.name for mutant in mutants("m.py", f"import ast\n\n{source}")] == names


@pytest.mark.parametrize(
    ("checks", "survivors"),
    [
        ("assert below(1, 2) and not below(2, 2)", []),
        ("assert below(1, 2)", ["comparison: a < b -> a <= b"]),
        (
            "assert below(2, 2) in (True, False)",
            ["comparison: a < b -> a <= b", "comparison: a < b -> a >= b"],
        ),
    ],
)
def test_a_failing_test_kills(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    checks: str,
    survivors: list[str],
) -> None:
    """A mutant is written into the copy, tested there, and taken back."""
    (tmp_path / "m.py").write_text(SOURCE, encoding="utf-8")
    test = f"from m import below\n\ndef test() -> None:\n    {checks}\n"
    (tmp_path / "test_m.py").write_text(test, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(PROFILE, encoding="utf-8")
    monkeypatch.setattr(tool, "tests_of", lambda _module: ("test_m.py",))
    counted = tool.run(tmp_path, list(mutants("m.py", SOURCE)))
    printed = capsys.readouterr().out.splitlines()
    assert printed == [f"survived: m.py:2: {each}, in: return a < b" for each in survivors]
    assert counted.total() == len(survivors)
    assert (tmp_path / "m.py").read_text(encoding="utf-8") == SOURCE


def test_a_listed_equivalent_still_exists() -> None:
    """A listed mutant that no module has any more would hide nothing, and is to be taken out."""
    assert tool.equivalents() <= {mutant.name for mutant in tool.every([])}
