"""`docs/images/recording.svg`: commands as they are typed, and what a terminal shows of them, as one picture.

The picture is text and CSS alone. It has no clock and no chance in it: the same program gives the same bytes.
It is never empty: while a command is typed, the answer before it stays, faint; at first, that of the last.
Whoever asks for less motion, or draws it without animation, sees the last scene. Not every browser tells a
picture what its reader asks for, so the last scene is a picture of its own, too, for a page to choose.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from docs.tools.console import ROOT, scratch
from docs.tools.drawing import CELL, FONT, INK, LEADING, MARGIN, PAPER, SIZE, rectangle, text
from docs.tools.terminal import Line, Piece, Style, lines, shown

PICTURE = ROOT / "docs" / "images" / "recording.svg"
STILL = PICTURE.with_name("recording-still.svg")
COLUMNS, ROWS = 124, 31
COMMANDS = (
    "smemdsl check scenarios/epilogue.yaml --set num_stages=4 --budget h100 --budget rtx-4090",
    "smemdsl check scenarios/epilogue.yaml --fill num_stages=1..16 --budget h100 --budget rtx-4090",
    "smemdsl sweep scenarios/gemm-tiles.yaml --budget rtx-4090 --max num_stages --pivot block_K",
    "smemdsl pack scenarios/epilogue.yaml --set num_stages=4 --budget rtx-4090 --map",
)
_PROMPT = "$ "
_BELOW = 2
"""Pixels that an underscore reaches below its line."""
_TYPING, _PAUSE, _READING, _LAST = 0.01, 0.3, 6.0, 9.0
"""Seconds: a character, the wait for the answer, the time to read it, that for the last."""
_FAINT = 0.35
"""Opacity of an answer while the next command is typed."""


class Scene(NamedTuple):
    """One command and its answer, and when they are to be seen, in seconds."""

    command: str
    answer: list[Line]
    start: float
    reading: float = _READING

    @property
    def typed(self) -> float:
        """When the last character is there."""
        return self.start + len(self.command) * _TYPING

    @property
    def answered(self) -> float:
        """When the answer comes."""
        return self.typed + _PAUSE

    @property
    def end(self) -> float:
        """When the next scene begins."""
        return self.answered + self.reading


def scenes() -> list[Scene]:
    """Run the commands."""
    found: list[Scene] = []
    with scratch(ROOT) as (here, environment):
        for command in COMMANDS:
            answer = lines(shown(command, COLUMNS, ROWS, here, environment))
            found.append(Scene(command, answer, found[-1].end if found else 0.0))
    return [*found[:-1], found[-1]._replace(reading=_LAST)]


def picture(all_scenes: list[Scene]) -> str:
    """The whole picture, moving."""
    return _framed(all_scenes, _sheet(all_scenes))


def still(all_scenes: list[Scene]) -> str:
    """The last scene alone, as it stands in the end."""
    return _framed(all_scenes[-1:], _LOOKS)


def _framed(all_scenes: list[Scene], sheet: str) -> str:
    width, height = COLUMNS * CELL + 2 * MARGIN, ROWS * LEADING + 2 * MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'fill="{INK}" role="img">',
            "<title>A terminal in which smemdsl answers questions</title>",
            f"<desc>{escape('; '.join(scene.command for scene in all_scenes))}</desc>",
            f"<style>\n{sheet}\n</style>",
            f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{PAPER}"/>',
            *(_scene(index, scene) for index, scene in enumerate(all_scenes)),
            "</svg>\n",
        ]
    )


def _scene(index: int, scene: Scene) -> str:
    """The command at the top and its answer; of one that is too long, the last lines."""
    answer = scene.answer[-(ROWS - 1) :]
    below = [text(row, piece) for row, line in enumerate(answer, 1) for piece in line]
    prompt = text(0, Piece(0, _PROMPT + scene.command, Style(bold=True)))
    away = f' class="cover" style="transform: translateX({_typed(scene)})"'
    cover = rectangle(len(_PROMPT), 0, COLUMNS, PAPER, away, LEADING + _BELOW)
    return "\n".join([f'<g id="s{index}">', prompt, cover, "<g>", *below, "</g>", "</g>"])


_LOOKS = f"text {{ font-family: {FONT}; font-size: {SIZE}px; white-space: pre; }}"


def _typed(scene: Scene) -> str:
    """How far the cover moves that hides what is not yet typed."""
    return f"{len(scene.command) * CELL:g}px"


def _sheet(all_scenes: list[Scene]) -> str:
    """Looks, and when each scene, its answer and its cover are seen."""
    last = len(all_scenes) - 1
    total = all_scenes[-1].end
    return "\n".join(
        [
            _LOOKS,
            "g { visibility: hidden; }",
            f"#s{last}, #s{last} g {{ visibility: visible; }}",
            "@media (prefers-reduced-motion: no-preference) {",
            *(
                rule
                for index, scene in enumerate(all_scenes)
                for rule in _rules(index, scene, all_scenes[(index + 1) % len(all_scenes)], total)
            ),
            "}",
        ]
    )


def _rules(index: int, scene: Scene, following: Scene, total: float) -> list[str]:
    start, typed, answered, end, replaced = (
        f"{100 * at / total:.3f}%"
        for at in (scene.start, scene.typed, scene.answered, scene.end, following.answered)
    )
    steps = f"animation-timing-function: steps({len(scene.command)});"
    return [
        f"#s{index} {{ animation: s{index} {total:.2f}s step-end infinite; }}",
        f"#s{index} g {{ animation: a{index} {total:.2f}s step-end infinite; }}",
        f"#s{index} .cover {{ animation: c{index} {total:.2f}s infinite; }}",
        f"@keyframes s{index} {{ {_seen(start, end)} }}",
        f"@keyframes a{index} {{ {_answer(answered, end, replaced)} }}",
        f"@keyframes c{index} {{ 0%, {start} {{ transform: none; {steps} }} "
        f"{typed}, 100% {{ transform: translateX({_typed(scene)}); }} }}",
    ]


def _seen(start: str, end: str) -> str:
    """The keyframes of something that is seen between two times."""
    before = "" if start == "0.000%" else "0% { visibility: hidden; } "
    after = "" if end == "100.000%" else f" {end} {{ visibility: hidden; }}"
    return f"{before}{start} {{ visibility: visible; }}{after}"


def _answer(answered: str, end: str, replaced: str) -> str:
    """The keyframes of an answer: faint from its end until the next comes, maybe in the next loop."""
    faint, gone = f"{{ visibility: visible; opacity: {_FAINT}; }}", "{ visibility: hidden; }"
    shown = f"{answered} {{ visibility: visible; opacity: 1; }}"
    if end == "100.000%":
        return f"0% {faint} {replaced} {gone} {shown}"
    return f"0% {gone} {shown} {end} {faint} {replaced} {gone}"


def write() -> None:
    """Run the commands and write the pictures."""
    found = scenes()
    for path, text_of in ((PICTURE, picture), (STILL, still)):
        path.write_text(text_of(found), encoding="utf-8", newline="\n")
