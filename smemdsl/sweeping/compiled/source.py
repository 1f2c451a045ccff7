"""The text of the generated code: loops around statements, what is done where one fails, and the rows."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent
from typing import NamedTuple

from smemdsl.judging.verdict import OK, OVER
from smemdsl.sweeping.compiled.loops import LoopCode, variable
from smemdsl.sweeping.compiled.terms import CodeBuilder, Term

_HEAD = "def rows(values, tally, plain):\n    words = tally.words\n"


class Answer(NamedTuple):
    """A configuration on one budget, in pieces of generated code."""

    limit: str
    """Bytes of the budget."""
    word: str
    """OK or OVER."""
    head: str
    """What stands first in its row: path, scenario, budget."""
    values: tuple[str, ...]
    figures: str
    line: str | None
    """The row as text, where that is wanted."""

    def row(self) -> str:
        """The row, as it is wanted."""
        if self.line is not None:
            return self.line
        return f"new(Row, ({self.head}, {_tuple(self.values)}, {self.word}, {self.figures}, None, None))"

    def nothing(self) -> str:
        """The row that says that no value of the last parameter fits."""
        values = _tuple([*self.values[:-1], "None"])
        return f"plain.made(new(Row, ({self.head}, {values}, '{OVER}', None, None, None)))"


class LargestSearch(NamedTuple):
    """How to find the largest value that may fit."""

    lines: tuple[str, ...]
    """What has to be worked out."""
    lowest: Term
    """Bytes that are used at least, never fewer for a larger value."""


def every_row(
    build: CodeBuilder, loops: Sequence[LoopCode], answers: Sequence[Answer], *, fits_only: bool
) -> str:
    """A function that yields the row of every configuration, or of those that fit."""
    lines = []
    for answer in answers:
        wanted = f"if {answer.word} == '{OK}':\n    " if fits_only else ""
        lines += [f"words[{answer.word}] += 1", f"{wanted}yield {answer.row()}"]
    body = _statements(build, build.innermost, _rest(loops, build.innermost)) + _block(lines)
    return _HEAD + indent(_nest(build, loops, build.innermost, _for(loops, build.innermost, body)), "    ")


def largest_rows(
    build: CodeBuilder,
    loops: Sequence[LoopCode],
    answers: Sequence[Answer],
    search: LargestSearch | None,
    *,
    fits_only: bool,
) -> str:
    """A function that yields, for each turn of the outer loops and each budget, the first row that fits."""
    code = ""
    for budget, answer in enumerate(answers):
        nothing = "" if fits_only else f"        yield {answer.nothing()}\n"
        code += _largest(build, loops, answer, search, budget)
        code += f"else:\n    if over:\n        words['{OVER}'] += 1\n{nothing}"
    return _HEAD + indent(_nest(build, loops, build.innermost, code), "    ")


def _largest(
    build: CodeBuilder, loops: Sequence[LoopCode], answer: Answer, search: LargestSearch | None, budget: int
) -> str:
    depth = build.innermost
    unsure = [
        f"found = plain.one({budget}, {_set(loops, depth)})",
        f"if found and found[0].word == '{OK}':",
        f"    words['{OK}'] += 1",
        "    yield plain.made(found[0])",
        "    break",
        f"over |= any([row.word == '{OVER}' for row in found])",
    ]
    fits = [
        f"if {answer.word} == '{OK}':",
        f"    words['{OK}'] += 1",
        f"    yield {answer.row()}",
        "    break",
    ]
    body = _statements(build, depth, _block(unsure)) + _block([*fits, "over = True"])
    if search is None:
        return "over = False\n" + _for(loops, depth, body)
    return _bisection(loops, depth, search, answer) + _for(loops, depth, body, "[first:]")


def _bisection(loops: Sequence[LoopCode], depth: int, search: LargestSearch, answer: Answer) -> str:
    """Start at the first value, of falling ones, that may fit."""
    inside = _block([*search.lines, f"return {search.lowest.source} <= {answer.limit}"])
    return (
        f"def may_fit({variable(depth, 0)}):\n{indent(inside, '    ')}"
        f"first = bisect_left(values[{depth}], True, key=may_fit)\n"
        "over = first > 0\n"
    )


def _nest(build: CodeBuilder, loops: Sequence[LoopCode], count: int, code: str) -> str:
    """The first loops around the code of the others."""
    for depth in reversed(range(count)):
        code = _for(loops, depth, _statements(build, depth, _rest(loops, depth)) + code)
    return code


def _for(loops: Sequence[LoopCode], depth: int, body: str, part: str = "") -> str:
    targets = ", ".join(variable(depth, i) for i in range(len(loops[depth].names)))
    return f"for {targets} in values[{depth}]{part}:\n{indent(body, '    ')}"


def _statements(build: CodeBuilder, depth: int, unsure: str) -> str:
    """What a loop works out; and what is done instead where that may be an error."""
    code = _block(build.lines[depth])
    if not build.risky[depth]:
        return code
    return f"try:\n{indent(code, '    ')}except SmemdslError:\n{indent(unsure, '    ')}    continue\n"


def _rest(loops: Sequence[LoopCode], depth: int) -> str:
    return f"yield from plain.rest({_set(loops, depth)})\n"


def _set(loops: Sequence[LoopCode], depth: int) -> str:
    """The values that the loops down to a depth have set."""
    return ", ".join(
        variable(i, j) for i, loop in enumerate(loops[: depth + 1]) for j in range(len(loop.names))
    )


def _tuple(parts: Sequence[str]) -> str:
    return "(" + "".join(f"{part}, " for part in parts) + ")"


def _block(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
