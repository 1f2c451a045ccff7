"""What writes the documentation: fences, a terminal's colours, what a page of the site loads."""

from __future__ import annotations

import re
import shlex
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from docs.tools.console import ROOT, fences, rewritten, scratch
from docs.tools.drawing import colour, text
from docs.tools.hooks import diagnostics, loads
from docs.tools.pictures import said, same
from docs.tools.recording import COLUMNS, PICTURE
from docs.tools.terminal import Piece, Style, lines, shown
from smemdsl.cli import cli
from smemdsl.rules.catalogue import codes

PAGE = """\
```yaml title="a.txt"
one
```

Words, and `$ no command`.

```console
$ cat a.txt; x=5
stale
$ echo $x; false
$ echo $?; echo err >&2
> echo more
```

<!-- needs: no_such_module -->
```console
$ echo never run
kept
```

```console
$ printf 'no end of line'
```
"""


def test_a_page_is_rewritten(tmp_path: Path) -> None:
    """Files are written, output replaced, the shell goes on; what cannot run is kept."""
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    (tmp_path / "beside.txt").write_text("there\n")
    wanted = (
        PAGE.replace("stale\n", "one\n")
        .replace("$ echo $x; false\n", "$ echo $x; false\n5\n")
        .replace("> echo more\n", "> echo more\n1\nerr\nmore\n")
        .replace("$ printf 'no end of line'\n", "$ printf 'no end of line'\nno end of line")
    )
    assert rewritten(page) == wanted
    page.write_text("```console\n$ cat beside.txt\n```\n")
    assert rewritten(page) == "```console\n$ cat beside.txt\nthere\n```\n"


def test_fences() -> None:
    """Language, title, needs and place of each block."""
    found = list(fences(PAGE))
    assert [(one.language, one.title, one.needs) for one in found] == [
        ("yaml", "a.txt", None),
        ("console", None, None),
        ("console", None, "no_such_module"),
        ("console", None, None),
    ]
    assert all(PAGE[one.start :].startswith(one.body) for one in found)
    assert [one.runnable for one in found] == [True, True, False, True]


def test_scratch_has_the_program() -> None:
    """A command sees this checkout's program, a terminal of the size given, and colours."""
    with scratch(ROOT) as (here, environment):
        assert shown("tput cols; tput lines", 90, 33, here, environment) == "90\n33\n"
        said = shown("smemdsl check scenarios/plain.yaml", 120, 30, here, environment)
    assert "\x1b[32mOK\x1b[0m" in said


def test_lines_of_a_terminal() -> None:
    """A line is cut where its look changes; a look goes on until it is reset."""
    red = Style(ink=1, bold=True)
    block = Style(ink=16, paper=110)
    assert lines("a \x1b[1;31mred\x1b[0m b\n\x1b[38;5;16;48;5;110mA\nB\x1b[m\x1b[2m·\x1b[0m\n") == [
        [Piece(0, "a ", Style()), Piece(2, "red", red), Piece(5, " b", Style())],
        [Piece(0, "A", block)],
        [Piece(0, "B", block), Piece(1, "·", Style(dim=True))],
    ]


@pytest.mark.parametrize("said", ["\x1b[2K", "a\rb", "\x1b[5m"])
def test_what_is_no_transcript(said: str) -> None:
    """A moved cursor or a look that is not drawn is refused, not left out."""
    with pytest.raises(ValueError, match=r"cursor|not known"):
        lines(said)


@pytest.mark.parametrize(
    ("number", "wanted"),
    [(1, "#ff7b72"), (16, "#000000"), (231, "#ffffff"), (110, "#87afd7"), (244, "#808080")],
)
def test_colours(number: int, wanted: str) -> None:
    """xterm's table: 16 + 36 r + 6 g + b of levels 0, 95, 135, 175, 215, 255; greys from 8 by 10."""
    assert colour(number) == wanted


def test_names_stay_text() -> None:
    """What a command prints is never markup."""
    assert "<b>" not in text(0, Piece(0, "<b> & co", Style()))
    assert ET.fromstring(text(0, Piece(0, "<b> & co", Style()))).text == "<b> & co"


def test_the_recording_is_a_picture() -> None:
    """Well-formed, within its frame, and nothing in it is loaded or run."""
    picture = PICTURE.read_text(encoding="utf-8")
    root = ET.fromstring(picture)
    width = float(root.attrib["viewBox"].split()[2])
    texts = root.iter("{http://www.w3.org/2000/svg}text")
    ends = [float(one.attrib["x"]) + float(one.attrib["textLength"]) for one in texts]
    assert len(ends) > 50
    assert max(ends) <= width
    assert width == COLUMNS * 8 + 32
    assert not re.search(r"<script|href=|url\(|@import", picture)


def test_two_figures_are_one() -> None:
    """By every byte of one version of matplotlib, by their words of two."""
    one = "<title>Matplotlib v3.9.1, there</title><text x='1'>a &amp; b</text><text>c</text>"
    assert said(one) == ["a & b", "c"]
    assert same(one, one)
    assert not same(one, one.replace("'1'", "'2'"))
    assert same(one, one.replace("'1'", "'2'").replace("3.9.1", "3.10.0"))
    assert not same(one, one.replace(">c<", ">d<").replace("3.9.1", "3.10.0"))


def test_loads() -> None:
    """What a browser fetches by itself is found, what a reader follows is not."""
    page = (
        '<a href="https://a.example">go</a><script src="https://b.example/x.js"></script>'
        '<link rel="stylesheet" href="//c.example/y.css"><img alt="z" src="images/z.svg">'
        "<img src=http://d.example/w.png><script src=assets/v.js></script>"
    )
    assert loads(page) == ["https://b.example/x.js", "//c.example/y.css", "http://d.example/w.png"]


def test_every_diagnostic_has_a_page() -> None:
    """And the list leads to each."""
    found = diagnostics()
    assert set(found) == {"diagnostics/index.md", *(f"diagnostics/{code}.md" for code in codes())}
    assert all(f"({code}.md)" in found["diagnostics/index.md"] for code in codes())


def leaves(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command and how it is called."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        else:
            yield (*path, name), command


CALLED = dict(leaves(cli))
EXAMPLES = [
    part.strip()
    for command in CALLED.values()
    for line in (command.help or "").splitlines()
    for part in re.split(r" [|>] | #", line)
    if part.strip().startswith("smemdsl ")
]
"""What a reader may copy out of the helps, without what goes on behind a pipe."""


@pytest.mark.parametrize("line", sorted(set(EXAMPLES)))
def test_examples_of_the_help_are_well_formed(line: str) -> None:
    """Each calls a command with options that it has, and values that they take."""
    _, *words = shlex.split(line)
    path = tuple(words[:2]) if tuple(words[:2]) in CALLED else tuple(words[:1])
    CALLED[path].make_context(line, words[len(path) :])
