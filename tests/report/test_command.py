"""`smemdsl report`: exit codes of `check`, a file that is there whole or not at all, baselines."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib import resources
from pathlib import Path

import pytest

from tests.report.pages import data_of, folder_of, report
from tests.review.kernels import commit, smemdsl
from tests.texts import GEMM

pytest.importorskip("jinja2")
RUNS = [
    ("gemm.yaml", 0),
    ("over.yaml", 0),
    ("over.yaml --budget 64", 1),
    ("missed.yaml", 1),
    ("missed.yaml --budget sm_90", 0),
    ("bad.yaml", 2),
    ("gemm.yaml bad.yaml", 2),
    ("none.yaml", 2),
    ("gemm.yaml --set num_stages=9 --budget sm_90", 1),
    ("gemm.yaml --fill num_stages=1..9 --budget sm_90", 0),
    ("gemm.yaml --set stages=2", 2),
    ("gemm.yaml --budget sm_9", 2),
    ("gemm.yaml --policy best", 2),
    ("tiles.yaml --strict", 1),
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a scenario of each fate."""
    monkeypatch.chdir(folder_of(tmp_path))
    return tmp_path


@pytest.mark.parametrize(("arguments", "code"), RUNS)
def test_exit_codes(here: Path, arguments: str, code: int) -> None:
    """Those of `check` with the same arguments."""
    assert smemdsl("check", *arguments.split()).exit_code == code
    assert smemdsl("report", *arguments.split(), "-o", "out.html").exit_code == code


def test_the_file_and_what_is_said(here: Path) -> None:
    """The page in its file, the counts on stdout, the findings on stderr."""
    done = smemdsl("report", "gemm.yaml", "missed.yaml", "-o", "out.html", "--title", "A & B")
    assert done.stdout == "2 scenarios: 1 OK, 1 FAIL\n"
    assert "missed.yaml:5:17: error[expect-arena]" in done.stderr
    assert done.stderr.endswith("wrote out.html\n")
    html = (here / "out.html").read_text(encoding="utf-8")
    assert "<title>A &amp; B</title>" in html
    assert html == report("gemm.yaml", "missed.yaml", "--title", "A & B")
    assert sorted(file.name for file in here.iterdir() if file.name.startswith(("out", "."))) == ["out.html"]


@pytest.mark.parametrize("output", ["gemm.yaml", "./gemm.yaml", "base.json"])
def test_no_input_is_overwritten(here: Path, output: str) -> None:
    """Neither a scenario nor the baseline."""
    smemdsl("check", "gemm.yaml", "--output", "json:base.json")
    before = (here / output).read_bytes()
    done = smemdsl("report", "gemm.yaml", "--baseline", "base.json", "-o", output)
    assert (done.exit_code, "error[overwrites-input]" in done.stderr) == (2, True)
    assert (here / output).read_bytes() == before


def test_a_folder_to_compare_with_is_read_too(here: Path) -> None:
    """No file of it is overwritten; what is wrong with one is told."""
    folder_of(here / "old", {"gemm.yaml": GEMM, "bad.yaml": "smemdsl: 1\n"})
    done = smemdsl("report", "gemm.yaml", "--baseline", "old", "-o", "old/gemm.yaml")
    assert (done.exit_code, "error[overwrites-input]" in done.stderr) == (2, True)
    done = smemdsl("report", "gemm.yaml", "--baseline", "old", "-o", "out.html")
    assert done.exit_code == 0
    said = "in the baseline, old/bad.yaml:1:1: error[missing-key]"
    assert f"note: {said}" in done.stderr
    assert said in (here / "out.html").read_text(encoding="utf-8")


def test_a_file_keeps_its_rights_and_its_links(here: Path) -> None:
    """What is replaced is the file that a link leads to."""
    real, link = here / "real.html", here / "link.html"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    assert smemdsl("report", "gemm.yaml", "-o", str(link)).exit_code == 0
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert real.stat().st_mode & 0o777 == 0o640
    assert smemdsl("report", "gemm.yaml", "-o", "/dev/null").exit_code == 0


@pytest.mark.parametrize("output", ["none/out.html", "gemm.yaml/out.html"])
def test_where_nothing_can_be_written(here: Path, output: str) -> None:
    """What keeps the page from being written is told."""
    done = smemdsl("report", "gemm.yaml", "-o", output)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"{output}: error[unwritable]" in done.stderr


def test_a_failure_leaves_what_was_there(here: Path) -> None:
    """Nothing is written where a flag is wrong."""
    (here / "out.html").write_text("old")
    assert smemdsl("report", "gemm.yaml", "-o", "out.html", "--baseline", "nothing").exit_code == 2
    assert (here / "out.html").read_text() == "old"


def test_without_jinja(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What to install is said."""
    monkeypatch.setattr("smemdsl.output.report.page.find_spec", lambda name: None)
    done = smemdsl("report", "gemm.yaml", "-o", "out.html")
    assert done.exit_code == 2
    assert "pip install 'smemdsl[report]'" in done.stderr
    assert not (here / "out.html").exists()


def cells(html: str, name: str) -> list[str]:
    """The cells of a scenario's row."""
    row = re.search(rf'<bdi class="name">{name}</bdi>.*?</tbody>', html, re.DOTALL)
    assert row
    return re.findall(r"<td[^>]*>([^<]*)</td>", row[0])


def stored(here: Path) -> str:
    """A stored result of the scenarios as they are."""
    smemdsl("pack", "k", "--output", "json:base.json")
    return "base.json"


def copied(here: Path) -> str:
    """Another folder with them."""
    folder_of(here / "old", {"gemm.yaml": GEMM, "gone.yaml": GEMM.replace("name: gemm", "name: gone")})
    return "old"


def committed(here: Path) -> str:
    """A git revision with them."""
    commit(here, {})
    return "HEAD"


@pytest.mark.parametrize("make", [stored, copied, committed])
def test_baselines(here: Path, make: object) -> None:
    """64 KiB before, 96 KiB with three stages: beside each other, with what explains it."""
    texts = {"gemm.yaml": GEMM, "gone.yaml": GEMM.replace("name: gemm", "name: gone")}
    folder_of(here / "k", texts)
    baseline = make(here)  # type: ignore[operator]
    (here / "k" / "gemm.yaml").write_text(GEMM.replace("num_stages: 2", "num_stages: 3"))
    (here / "k" / "gone.yaml").rename(here / "k" / "gone.txt")
    (here / "k" / "new.yaml").write_text(GEMM.replace("name: gemm", "name: new").replace("128", "64"))
    html = report("k", "--baseline", baseline, code=0)
    assert cells(html, "gemm")[6:9] == ["64.0", "+32.0", "✓ OK"]
    assert cells(html, "new")[6:9] == ["-", "new", "-"]
    assert re.search(r"Only in .*<li><bdi>gone \(", html, re.DOTALL)
    gemm = data_of(html)["entries"][0]
    assert gemm["before"] == [{"used": 65536, "arena": 65536, "word": "OK", "blocks": 3}]
    assert "A_shared 2 -> 3 versions +16384" in gemm["changes"]


def test_a_baseline_that_is_none(here: Path) -> None:
    """A name that is no file, no folder and no revision."""
    done = smemdsl("report", "gemm.yaml", "-o", "out.html", "--baseline", "nothing")
    assert done.stderr.startswith("--baseline: error[not-found] 'nothing' is not a file")


def test_nothing_is_fetched(here: Path) -> None:
    """No address stands in the page but the name of a namespace; its policy allows its own parts alone."""
    html = report("gemm.yaml")
    assert set(re.findall(r"https?://[^\s\"'<]+", html)) == {"http://www.w3.org/2000/svg"}
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy
    assert policy[1].startswith("default-src &#39;none&#39;; style-src &#39;sha256-")
    assert "unsafe" not in policy[1]
    assert " style=" not in html
    assert " onclick" not in html


def test_the_script_is_one() -> None:
    """It parses, as a file of its own."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    file = resources.files("smemdsl.output.report") / "report.js"
    done = subprocess.run([node, "--check", str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
