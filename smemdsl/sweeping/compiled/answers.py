"""The verdict of a configuration on each budget, and its row, as generated code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from smemdsl import devices
from smemdsl.core.confidence import confidence
from smemdsl.judging.verdict import OK, OVER
from smemdsl.sweeping.compiled.arena import ArenaTerms
from smemdsl.sweeping.compiled.arithmetic import add, not_below, subtract
from smemdsl.sweeping.compiled.expressions import TermEnv
from smemdsl.sweeping.compiled.limits import BudgetTerms, running
from smemdsl.sweeping.compiled.source import Answer
from smemdsl.sweeping.compiled.terms import CONSTANT, INT, OTHER, CodeBuilder, Term, UncompilableError
from smemdsl.sweeping.model import Figures, RowField, RowFormat, SweepSubject, SweepTable, Task


class JudgedTerms(NamedTuple):
    """What is judged, on what."""

    sizes: ArenaTerms
    static: Term
    request: Term | None
    """Dynamic bytes that the launch asks for, where the file says so."""
    limits: Sequence[BudgetTerms]


def answers(
    build: CodeBuilder,
    task: Task,
    table: SweepTable,
    env: TermEnv,
    judged: JudgedTerms,
    line: RowFormat | None,
) -> list[Answer]:
    """Pack, and judge on every budget; as lines of text where `line` says how, else as rows.

    Raises:
        UncompilableError: a line cannot be written down beforehand.
    """
    sizes, static, request, limits = judged
    packed = sizes.place()
    used = launch = build.pin(add(build, packed, static))
    cells = {"no_reuse": sizes.no_reuse, "peak": sizes.peak, "arena": packed, "used": used, "static": static}
    if request is not None:
        not_below(build, 0, subtract(build, request, packed))
        launch = build.pin(add(build, request, static))
        cells["request"] = request
    columns = tuple(env[name].source if name in env else "None" for name in table.columns)
    found = []
    for limit in limits:
        named = cells | _verdict(build, launch, static, limit)
        named["confidence"] = Term(repr(confidence(task.scenario.spec.uncertain)), OTHER, CONSTANT)
        numbers = [named[name].source if name in named else "None" for name in Figures._fields]
        head = (task.scenario.path, task.scenario.name, limit.name)
        found.append(
            Answer(
                limit.bytes.source,
                named["word"].source,
                ", ".join(build.named("n", name) for name in head),
                columns,
                f"new(Figures, ({', '.join(numbers)}))",
                None if line is None else _text(build, line, line.parts(_subject(task, limit)), env, named),
            )
        )
    return found


def _verdict(build: CodeBuilder, launch: Term, static: Term, limit: BudgetTerms) -> dict[str, Term]:
    """What depends on the budget: as `judging.judge`, the first thing that is in the way is named."""
    operands = [launch, limit.bytes]
    source = f"'{devices.BUDGET}' if {{0}} > {{1}} else "
    if limit.most is not None:
        source += f"'{devices.OPT_IN}' if {{0}} > {limit.most} else "
    if limit.most_static is not None:
        operands.append(static)
        source += f"'{devices.STATIC}' if {{{len(operands) - 1}}} > {limit.most_static} else "
    if limit.steps is not None:
        operands.append(limit.steps)
    source += "None" if limit.steps is None else f"{{{len(operands) - 1}}}[2]"
    obstacle = build.pin(build.term(f"({source})", operands, OTHER))
    verdict = build.term(f"('{OK}' if {{0}} is None else '{OVER}')", (obstacle,), OTHER)
    found = {"budget": limit.bytes, "word": build.pin(verdict), "limit": obstacle}
    return (
        found if limit.steps is None else found | {"blocks": build.pin(running(build, limit.steps, launch))}
    )


def _subject(task: Task, limit: BudgetTerms) -> SweepSubject:
    spec = task.scenario.spec
    return SweepSubject(
        task.scenario.path,
        spec.name,
        task.options.policy or spec.policy,
        limit.name,
        tuple(name for name, _ in spec.params),
        spec.request is not None,
        spec.uncertain,
    )


def _text(
    build: CodeBuilder,
    line: RowFormat,
    parts: Sequence[str | RowField],
    env: TermEnv,
    cells: Mapping[str, Term],
) -> str:
    """A line of text as generated code; what changes only in an outer loop is put together there."""
    if not parts:
        raise UncompilableError
    build.namespace["shown"] = line.value
    text = Term("f''", OTHER, CONSTANT)
    for part in parts:
        text = _joined(build, text, part if isinstance(part, str) else _piece(build, line, part, env, cells))
    return text.source


def _piece(
    build: CodeBuilder, line: RowFormat, cell: RowField, env: TermEnv, cells: Mapping[str, Term]
) -> str | Term:
    known = env if cell.param else cells
    if cell.name not in known:
        return line.nothing
    term = known[cell.name]
    if cell.name == "limit" and not cell.param:
        shown = {limit: line.value(limit) for limit in devices.LIMITS} | {None: line.nothing}
        return build.pin(build.term(f"{build.named('m', shown)}[{{0}}]", (term,), OTHER))
    if cell.name == "confidence" and not cell.param:
        return str(term.source).strip("'")
    if cell.param and term.kind != INT:
        return build.pin(build.term("shown({0})", (term,), OTHER))
    return term.source if term.source.isdigit() else build.pin(term)


def _joined(build: CodeBuilder, text: Term, piece: str | Term) -> Term:
    """A text, which is an f-string, and what comes after it."""
    if isinstance(piece, str):
        shown = piece if piece.isprintable() and not _SPECIAL.intersection(piece) else None
        source = shown if shown is not None else f"{{{build.named('n', piece)}}}"
        return text._replace(source=f"{text.source[:-1]}{source}'")
    if piece.loop > text.loop:  # what has been put together so far changes less often
        begun = build.pin(text)
        return Term(f"f'{{{begun.source}}}{{{piece.source}}}'", OTHER, piece.loop)
    return text._replace(source=f"{text.source[:-1]}{{{piece.source}}}'")


_SPECIAL = frozenset("'\\{}")
"""What has a meaning of its own in an f-string."""
