"""From results to the data of a page: nothing is lost, and the numbers are those of `check`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.core.shown import visible
from smemdsl.output.report.encode import encode
from smemdsl.output.report.model import ReportEntry, ReportPage
from tests.report.pages import data_of, folder_of, report

pytest.importorskip("jinja2")
GOLDEN = Path(__file__).parent / "page.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scenario of each fate, and two with axes."""
    return folder_of(tmp_path_factory.mktemp("k"))


def outcome(data: Any, entry: Any, number: int, which: int = 0) -> dict[str, Any]:
    """An outcome of a case by the names of its fields."""
    found = dict(zip(data["outcome"], entry["cases"][number][which], strict=True))
    return found | {"layout": dict(zip(data["layout"], entry["layouts"][found["layout"]], strict=True))}


def entry_of(data: Any, name: str) -> Any:
    """The entry of a scenario."""
    return next(entry for entry in data["entries"] if entry["name"] == name)


def test_golden(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The data of a small folder is what the file beside this one holds."""
    monkeypatch.chdir(folder)
    found = data_of(report("gemm.yaml", "over.yaml", "missed.yaml", "bad.yaml", code=2))
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("stages", "arena", "word", "blocks"),
    [(1, 32768, "OK", 6), (2, 65536, "OK", 3), (4, 131072, "OK", 1), (6, 196608, "OK", 1)],
)
def test_the_staged_gemm(folder: Path, stages: int, arena: int, word: str, blocks: int) -> None:
    """A and B take 16 KiB a stage each, C 32 KiB in their place; a block takes 1024 B more of 233472 B."""
    data = data_of(report(str(folder / "gemm.yaml"), "--budget", "sm_90", code=0))
    found = outcome(data, data["entries"][0], stages - 1)
    assert (found["layout"]["arena"], found["word"], found["blocks"]) == (arena, word, blocks)
    offsets = [(tile[-1], tile[2]) for tile in found["layout"]["tiles"]]
    assert offsets == [(0, arena // 2), (arena // 2, arena // 2), (0, 32768)]


def test_every_combination_of_three_axes(folder: Path) -> None:
    """n copies of a tile on two budgets; what breaks the constraint is ruled out with a reason."""
    data = data_of(report(str(folder / "tiles.yaml"), code=0))
    entry = entry_of(data, "tiles")
    assert [(c["name"], c["values"][c["initial"]]) for c in entry["controls"]] == [
        ("n", "3"), ("wide", "true"), ("tile", "32"),
    ]  # fmt: skip
    assert len(entry["cases"]) == 12 * 2 * 3
    for i, case in enumerate(entry["cases"]):
        n, tile = i // 6 + 1, (16, 32, 64)[i % 3]
        if n == 4:
            assert case == ["FAIL", "the constraint n != 4 does not hold"]
            continue
        for which, budget in enumerate((166912, 102400)):
            found = outcome(data, entry, i, which)
            arena = n * tile * 1024
            assert (found["layout"]["arena"], found["budget"]) == (arena, budget)
            assert found["word"] == ("OK" if arena <= budget else "OVER")
            assert found["blocks"] == (None if which else 167936 // (arena + 1024))


def test_a_bound_on_combinations(folder: Path) -> None:
    """What is cut is said, and the base row is still there."""
    entry = entry_of(data_of(report(str(folder / "tiles.yaml"), "--combinations", "6")), "tiles")
    assert len(entry["cases"]) == 6
    assert "6 of 72 combinations were worked out: 1 of 12 values of n" in entry["cut"]
    assert entry["controls"][0]["values"] == ["3"]


def test_policies_side_by_side(folder: Path) -> None:
    """Each case has an outcome a budget and policy, the policies of a budget together."""
    arguments = ("--policy", "tilelang", "--policy", "sequential", "--budget", "sm_80", "--budget", "64KiB")
    entry = entry_of(data := data_of(report(str(folder / "gemm.yaml"), *arguments, code=1)), "gemm")
    assert (entry["policies"], entry["budgets"]) == (["tilelang", "sequential"], ["sm_80", "64KiB"])
    found = [outcome(data, entry, entry["base"], i) for i in range(4)]
    assert [(one["layout"]["arena"], one["word"]) for one in found] == [
        (65536, "OK"), (98304, "OK"), (65536, "OK"), (98304, "OVER"),
    ]  # fmt: skip


def test_nothing_is_lost(folder: Path) -> None:
    """Misses, warnings, and files without a verdict are there, in the table and among the findings."""
    html = report(str(folder), code=2)
    data = data_of(html)
    assert [entry["name"] for entry in data["entries"]] == ["gemm", "missed", "over", "tiles"]
    assert len(data["unjudged"]) == 1
    for said in ("unknown name &#39;nope&#39;", "expected arena to be 32 B, got 64 B", "! INVALID", "✗ FAIL"):
        assert said in html
    missed = entry_of(data, "missed")
    assert outcome(data, missed, 0)["word"] == "FAIL"
    assert len(missed["problems"]) == 1
    assert outcome(data, entry_of(data, "over"), 0)["word"] == "OVER (expected)"


def test_a_constraint_that_rules_a_file_out(tmp_path: Path) -> None:
    """It fails, as in `check`, with or without a meaning."""
    text = "smemdsl: 1\nparams: {n: 0}\nconstraints: [n > 0]\nbuffers: {a: {bytes: 8 // n}}\n"
    html = report(str(folder_of(tmp_path / "k", {"n.yaml": text})), code=1)
    assert 'data-verdicts="FAIL"' in html


@pytest.mark.parametrize("jobs", [["--jobs", "1"], ["--jobs", "2"], []])
def test_the_same_bytes(folder: Path, jobs: list[str]) -> None:
    """Whatever the number of processes."""
    assert report(str(folder), *jobs) == report(str(folder))


@given(st.text())
def test_what_is_not_seen_is_escaped(text: str) -> None:
    """Nothing that turns or hides text is left, and what remains can be written."""
    shown = visible(text)
    assert all(char.isprintable() or char in "\n\t" for char in shown)
    assert shown.encode("utf-8").decode("utf-8") == shown
    if text.isprintable():
        assert shown == text


@given(st.text(), st.text())
def test_no_text_leaves_the_data(name: str, path: str) -> None:
    """The JSON holds the texts, and no character that means anything to HTML."""
    entry = ReportEntry(name, path, "", (), (), (), (), (), "", (), 0, ())
    text = encode(ReportPage("", "", (), (entry,), (), (), "", ()))
    assert not set("<>&\u2028\u2029") & set(text)
    found = json.loads(text)["entries"][0]
    assert (found["name"], found["path"]) == (visible(name), visible(path))


def test_numbers_stay_exact(tmp_path: Path) -> None:
    """Beyond 2^53, where a JavaScript number is not every integer, a text takes the number's place."""
    size = 2**60 + 1
    text = f"smemdsl: 1\nbuffers: {{a: {{bytes: {size}}}}}\n"
    data = data_of(report(str(folder_of(tmp_path / "k", {"big.yaml": text})), code=1))
    assert outcome(data, data["entries"][0], 0)["layout"]["arena"] == str(size)
