"""The documentation shows what the program prints: every command of every page is run, its output compared.

`python -m docs.tools` writes the pages anew; read the difference.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import smemdsl
from docs.tools import commands_page, console, format_page, pictures, recording
from docs.tools.console import ROOT, fences, pages, rewritten, skipped
from smemdsl.api import loads

FIRST = ("README.md", "README.zh-CN.md")


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


WITH_COMMANDS = [page for page in pages() if "```console\n" in text(name(page)) and page.name != FIRST[1]]
"""The Chinese page has the blocks of the English one, which is tested."""


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name)
def test_output_is_as_shown(page: Path) -> None:
    """Commands print what the page says; those that need a compiler run where there is one."""
    assert rewritten(page) == page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [page for page in pages() if "<!-- needs: " in text(name(page))], ids=name)
def test_nothing_was_left_out(page: Path) -> None:
    """Says in the log of the tests which commands were not run, and for want of what."""
    if missing := skipped(page.read_text(encoding="utf-8")):
        pytest.skip(f"commands that need {', '.join(sorted(missing))} were not run")


@pytest.mark.parametrize("page", [format_page, commands_page], ids=["format", "commands"])
def test_reference_is_current(page: object) -> None:
    """The reference pages are what schema and help say."""
    module = format_page if page is format_page else commands_page
    assert module.PAGE.read_text(encoding="utf-8") == module.page()


def test_recording_is_current() -> None:
    """The recording shows what the commands print on a terminal."""
    found = recording.scenes()
    assert recording.PICTURE.read_text(encoding="utf-8") == recording.picture(found)
    assert recording.STILL.read_text(encoding="utf-8") == recording.still(found)


@pytest.mark.parametrize("figure", pictures.FIGURES)
def test_figures_are_current(figure: str) -> None:
    """Figures are what `smemdsl plot` draws: to the byte where the same matplotlib draws them."""
    pytest.importorskip("matplotlib", reason="figures need matplotlib: pip install smemdsl[plot]")
    assert pictures.same(pictures.drawn(figure), (pictures.DOCS / figure).read_text(encoding="utf-8"))


def test_every_key_has_its_place_in_the_format() -> None:
    """No key of the schema is left out of the reference, nested ones included."""
    shown = format_page.PAGE.read_text(encoding="utf-8")
    defined = yaml.safe_load(format_page.SCHEMA.read_text(encoding="utf-8"))
    keys = set(defined["properties"])
    for part in defined["$defs"].values():
        keys |= set(part.get("properties", {}))
        for inner in part.get("properties", {}).values():
            keys |= set(inner.get("properties", {}))
    assert len(keys) > 60
    assert [key for key in sorted(keys) if f"`{key}`" not in shown] == []


def scenarios() -> list[tuple[str, str]]:
    """The whole scenarios that pages show, and where."""
    return [
        (f"{name(page)}:{fence.start}", fence.body)
        for page in pages()
        for fence in fences(page.read_text(encoding="utf-8"))
        if fence.language == "yaml" and "smemdsl: 1\n" in fence.body and "\nbuffers:" in fence.body
    ]


@pytest.mark.parametrize("body", [body for _, body in scenarios()], ids=[where for where, _ in scenarios()])
def test_scenarios_are_sound(body: str) -> None:
    """What is shown as a scenario loads and can be judged."""
    for verdict in loads(body, "page.md").own_verdicts():
        assert verdict.arena_bytes > 0


@pytest.mark.parametrize("page", FIRST)
def test_the_program_of_the_first_page(page: str) -> None:
    """It fits its target, and pipelines what its loop copies."""
    (program,) = [fence.body for fence in fences(text(page)) if fence.language == "yaml"]
    verdict = loads(program, page).check()
    versions = dict(zip("QKVO", verdict.plan.lowered.versions, strict=True))
    assert verdict.fits
    assert versions == {"Q": 1, "K": 2, "V": 2, "O": 1}


@pytest.mark.parametrize("page", [*FIRST, "docs/library.md"])
def test_the_library_example_runs(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python of the page runs, and its assertions hold."""
    monkeypatch.chdir(ROOT)
    (code,) = [fence.body for fence in fences(text(page)) if fence.language == "python"]
    exec(compile(code, page, "exec"), {"smemdsl": smemdsl})


def test_the_library_has_what_its_page_names() -> None:
    """Every call in the table, and every name of a verdict."""
    page = text("docs/library.md")
    scenario = smemdsl.load("builtin:epilogue")
    calls = re.findall(r"^\| `(smemdsl|scenario)\.(\w+)\(", page, re.MULTILINE)
    assert len(calls) == 9
    assert [call for of, call in calls if not hasattr(smemdsl if of == "smemdsl" else scenario, call)] == []
    _, _, rest = page.partition("A verdict has ")
    named = [*re.findall(r"`(\w+)`", rest.partition("of policy")[0]), "lower_bound_bytes", "proved"]
    assert len(named) > 12
    assert [one for one in named if not hasattr(scenario.check(), one)] == []


def headings(page: str) -> list[int]:
    """The levels of a page's headings, in order."""
    inside = False
    found = []
    for line in text(page).splitlines():
        inside ^= line.startswith("```")
        if line.startswith("#") and not inside:
            found.append(len(line) - len(line.lstrip("#")))
    return found


def test_the_first_pages_are_alike() -> None:
    """The Chinese page has the headings, blocks, links and rows of the English one."""
    english, chinese = (text(page) for page in FIRST)
    assert headings(FIRST[0]) == headings(FIRST[1])
    kinds = [[fence.language for fence in fences(page)] for page in (english, chinese)]
    assert kinds[0] == kinds[1]
    consoles = [
        [fence.body for fence in fences(page) if fence.language == "console"] for page in (english, chinese)
    ]
    assert consoles[0] == consoles[1]
    for mark in ("](docs/", "\n| `", "\n* "):
        assert english.count(mark) == chinese.count(mark), mark
    assert "](README.zh-CN.md)" in english
    assert "](README.md)" in chinese


def test_pages_are_all_in_the_site() -> None:
    """Every page of the folder is in the navigation once, and every entry there is a page."""
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    made = ["changelog.md", "diagnostics/index.md"]  # while the site is built
    there = [str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")]
    assert sorted(leaves(nav)) == sorted([*there, *made])


def leaves(nav: object) -> list[str]:
    """The paths in a navigation."""
    if isinstance(nav, str):
        return [nav]
    inner = nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else []
    return [path for part in inner for path in leaves(part)]


def test_console_is_the_module_that_readers_are_told_of() -> None:
    """The command that pages name exists."""
    assert (Path(console.__file__).parent / "__main__.py").exists()
