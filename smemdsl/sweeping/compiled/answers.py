"""The verdict of a configuration on each budget, and its row, as generated code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from smemdsl.judging import OK, OVER
from smemdsl.sweeping.compiled.arena import Arena
from smemdsl.sweeping.compiled.arithmetic import add, not_below, subtract
from smemdsl.sweeping.compiled.expressions import Env
from smemdsl.sweeping.compiled.limits import Limit, running
from smemdsl.sweeping.compiled.source import Answer
from smemdsl.sweeping.compiled.terms import CONSTANT, INT, OTHER, Builder, Term
from smemdsl.sweeping.model import Line, Table, Task


class Judged(NamedTuple):
    """What is judged, on what."""

    sizes: Arena
    static: Term
    request: Term | None
    """Dynamic bytes that the launch asks for, where the file says so."""
    limits: Sequence[Limit]


def answers(
    build: Builder, task: Task, table: Table, env: Env, judged: Judged, line: Line | None
) -> list[Answer]:
    """Pack, and judge on every budget; as lines of text where `line` says how, else as rows."""
    sizes, static, request, limits = judged
    packed = sizes.place()
    used = launch = build.pin(add(build, packed, static))
    if request is not None:
        not_below(build, 0, subtract(build, request, packed))
        launch = build.pin(add(build, request, static))
    columns = [env.get(name) for name in table.columns]
    shared = [sizes.no_reuse, sizes.peak, packed, used]
    return [_answer(build, task, columns, shared, launch, limit, line) for limit in limits]


def _answer(
    build: Builder,
    task: Task,
    columns: Sequence[Term | None],
    shared: Sequence[Term],
    launch: Term,
    limit: Limit,
    line: Line | None,
) -> Answer:
    scenario = task.scenario
    figures = [build.pin(figure) for figure in (*shared, limit.bytes)]
    verdict = build.term(f"('{OK}' if {{0}} <= {{1}} else '{OVER}')", (launch, limit.bytes), OTHER)
    word = build.pin(verdict)
    blocks = None if limit.steps is None else build.pin(running(build, limit.steps, launch))
    numbers = [figure.source for figure in figures] + [blocks.source if blocks else "None"]
    text = None
    if line is not None:
        lead = build.named("n", line.lead(scenario.name, limit.name))
        text = _text(build, Term(lead, OTHER, CONSTANT), columns, [*figures, word, blocks], line)
    return Answer(
        limit.bytes.source,
        word.source,
        ", ".join(build.named("n", name) for name in (scenario.path, scenario.name, limit.name)),
        tuple("None" if column is None else column.source for column in columns),
        f"new(Figures, ({', '.join(numbers)}))",
        text,
    )


def _text(
    build: Builder,
    text: Term,
    columns: Sequence[Term | None],
    cells: Sequence[Term | None],
    line: Line,
) -> str:
    """A line of cells with commas between, begun in the outer loops."""
    build.namespace["cell"] = line.cell
    for column in columns:
        if column is None:
            text = build.term('f"{{{0}}},"', (build.pin(text),), OTHER)
            continue
        shown = column if column.kind == INT else build.pin(build.term("cell({0})", (column,), OTHER))
        text = build.term('f"{{{0}}}{{{1}}},"', (build.pin(text), build.pin(shown)), OTHER)
    rest = ",".join(_piece(cell) for cell in cells)
    return f'f"{_opened(text)}{rest}\\n"'


def _opened(text: Term) -> str:
    return text.source[2:-1] if text.source.startswith('f"') else f"{{{text.source}}}"


def _piece(cell: Term | None) -> str:
    if cell is None:
        return ""
    return cell.source if cell.source.isdigit() else f"{{{cell.source}}}"
