"""Rows of a report as cells of text, and cells as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from smemdsl.core.confidence import APPROXIMATE, AT_MOST, EXACT, SIGNS
from smemdsl.core.shown import one_line
from smemdsl.core.truncate import without_middle
from smemdsl.core.units import kib, percent
from smemdsl.devices import BUDGET, CLUSTER
from smemdsl.judging.plan import ArenaPlan
from smemdsl.judging.result import Report, Summary
from smemdsl.judging.verdict import OK, OVER, Verdict
from smemdsl.output.formats.diagnostics import display_width
from smemdsl.scenario.binding import show
from smemdsl.scenario.spec import Value

if TYPE_CHECKING:
    from smemdsl.judging.compare_policies import PolicyResult
    from smemdsl.sweeping import SweepRow, SweepTable, Tally


TOP = "ends above that"
"""Header of the buffer at the top of an arena, where that is above what is needed."""
WORDS = ("verdict", TOP)
"""Headers of columns of words that stand behind the numbers."""
LONGEST_WORD = 60
"""Characters of a name in a table of text; the formats for programs have all of it."""
NUMBER_WIDTH = 6
"""Least width of a column of numbers, so that a number that changes does not move the others."""


def obstacles(report: Report) -> list[str]:
    """A line for each verdict where something else than the budget is in the way."""
    results = (result for result in report.results if result.suggestions is None)  # else these say it
    found = (result.verdict for result in results if result.verdict.limit not in (None, BUDGET))
    return [f"{v.plan.name} on {v.budget.name}: {v.obstacle.text}" for v in found if v.obstacle]


def table(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: int = 1,
    paint: Callable[[int, str], str] | None = None,
) -> str:
    """Cells under headers: the first `left` columns and words to the left, the others to the right.

    `paint` gives a cell's text in colour, from the number of its column; headers stay plain.

    Written here, since a start-up that loads tabulate takes half as long again.
    """
    lines = [list(map(one_line, headers)), *([brief(one_line(cell)) for cell in row] for row in rows)]
    words = [i < left or header in WORDS for i, header in enumerate(headers)]
    widths = [
        max(0 if is_words else NUMBER_WIDTH, *map(display_width, column))
        for is_words, column in zip(words, zip(*lines, strict=True), strict=True)
    ]
    return "\n".join(_line(line, widths, words, paint if i else None) for i, line in enumerate(lines))


def brief(text: str) -> str:
    """A cell whose words have so many characters at most, but for paths: of a longer one the middle goes."""
    if len(text) <= LONGEST_WORD:
        return text
    return " ".join(word if "/" in word else without_middle(word, LONGEST_WORD) for word in text.split(" "))


def _line(
    cells: Sequence[str],
    widths: Sequence[int],
    words: Sequence[bool],
    paint: Callable[[int, str], str] | None,
) -> str:
    padded = []
    for i, (cell, width, is_words) in enumerate(zip(cells, widths, words, strict=True)):
        space = " " * (width - display_width(cell))
        shown = paint(i, cell) if paint else cell
        padded.append(shown + space if is_words else space + shown)
    return "  ".join(padded).rstrip()


def pipe_table(headers: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """The same as Markdown."""
    from tabulate import tabulate

    align = ["left" if i < left or header in WORDS else "right" for i, header in enumerate(headers)]
    cells = [list(map(escape, row)) for row in rows]
    return tabulate(
        cells,
        list(map(escape, headers)),
        tablefmt="pipe",
        disable_numparse=True,
        colalign=align if rows else None,
    )


def escape(text: str) -> str:
    """Text that stays text, and one line, in Markdown."""
    return "".join(_ESCAPES.get(char, char) for char in one_line(text))


_ESCAPES = {char: f"\\{char}" for char in "\\`*|[]"} | {"<": "&lt;", ">": "&gt;"}


def changed(plan: ArenaPlan) -> str:
    """The parameters that differ from the file's, and those filled: `num_stages=4 block_K=32`."""
    shown = {*plan.changed, *plan.filled}
    return " ".join(f"{name}={show(value)}" for name, value in plan.params.items() if name in shown)


def filled(plan: ArenaPlan) -> str:
    """What `fill` chose, in its order: `num_stages=6`; empty where nothing is filled."""
    return " ".join(f"{name}={show(plan.params[name])}" for name in plan.filled)


def in_kib(size: int) -> str:
    """The number of KiB alone, for a column whose header names the unit."""
    return kib(size).removesuffix(" KiB")


def blocks(verdict: Verdict) -> str:
    """Blocks per SM; a dash where they are not known. With a lower bound of bytes, they are the most."""
    count = verdict.blocks_per_sm
    return _dashed(count) if count is None else f"{AT_MOST[verdict.plan.confidence]}{count}"


def _dashed(count: int | None) -> str:
    return "-" if count is None else str(count)


def verdict_word(verdict: Verdict) -> str:
    """The verdict, with a question mark where it may be another; what is in the way; if it is expected."""
    return shown_verdict(verdict.verdict, verdict.confidence, verdict.limit, expected=verdict.over_expected)


def shown_verdict(word: str, confidence: str, limit: str | None, *, expected: bool = False) -> str:
    """`OK`, `OK?`, `OVER (threads)`, `OVER (opt-in, expected)`."""
    more = [] if word != OVER or limit in (None, BUDGET) else [str(limit)]
    more += ["expected"] if expected else []
    return doubted(word, confidence) + (f" ({', '.join(more)})" if more else "")


def doubted(word: str, confidence: str) -> str:
    """`OK?` where the number is not exact; `OVER?` where it may be less than was found. A FAIL stays one."""
    doubtful = {OK: confidence != EXACT, OVER: confidence == APPROXIMATE}
    return f"{word}?" if doubtful.get(word) else word


CHECK_HEADERS = (
    "scenario", "budget", "no-reuse B", "peak B", "arena B", "used B", "of B", "used KiB", "of KiB", "%",
    "blocks/SM", "verdict",
)  # fmt: skip


def check_rows(report: Report) -> tuple[list[str], list[list[str]], int]:
    """Headers, rows, and how many columns are text; a column of parameters only where one differs."""
    differs = any(changed(result.verdict.plan) for result in report.results)
    paths = names_with_paths(report)
    rows = []
    for result in report.results:
        v = result.verdict
        used, limit = v.used_bytes, v.budget.bytes
        sign = SIGNS[v.plan.confidence]
        sizes = [str(v.plan.no_reuse), str(v.plan.peak.bytes), f"{sign}{v.arena_bytes}"]
        others = [rival_cell(rival) for rival in result.rivals]
        rows.append(
            [paths[result.path]]
            + ([changed(v.plan)] if differs else [])
            + [
                v.budget.name,
                *sizes,
                *others,
                f"{sign}{used}",
                str(limit),
                sign + in_kib(used),
                in_kib(limit),
                sign + percent(used, limit).rstrip(" %"),
            ]
            + [blocks(v), verdict_word(v)]
        )
    headers = list(CHECK_HEADERS)
    after = headers.index("arena B") + 1
    headers[after:after] = [f"{rival.policy} B" for rival in report.results[0].rivals] if rows else []
    if differs:
        headers.insert(1, "parameters")
    return headers, rows, 3 if differs else 2


def rival_cell(rival: PolicyResult) -> str:
    """The arena of another policy; with the bound where it is not proved to be the least."""
    arena, bound = rival.packing.arena, rival.packing.lower_bound
    return str(arena) if bound is None or rival.packing.proved else f"{arena} (>= {bound})"


def names_with_paths(report: Report) -> dict[str, str]:
    """What each path is called: the scenario's name, and the path too where several have that name."""
    names = {result.path: result.verdict.plan.name for result in report.results}
    taken = Counter(names.values())
    return {path: name if taken[name] == 1 else f"{name} ({path})" for path, name in names.items()}


def counts(report: Report) -> str:
    """The line below a table: what the report has to say instead of the counts, or these."""
    return report.headline or summary_line(report.summary)


def summary_line(summary: Summary) -> str:
    """`12 scenarios: 10 OK, 1 OVER, 1 invalid`; `2 scenarios, 6 verdicts: 6 OK` with several budgets."""
    unsure = f" ({summary.unsure} not exact)" if summary.unsure else ""
    parts = [f"{summary.ok} OK{unsure}"]
    if summary.over:
        expected = f" ({summary.expected_over} expected)" if summary.expected_over else ""
        parts.append(f"{summary.over} OVER{expected}")
    if summary.fail:
        parts.append(f"{summary.fail} FAIL")
    if summary.invalid:
        parts.append(f"{summary.invalid} invalid")
    verdicts = summary.ok + summary.over + summary.fail
    several = f", {verdicts} verdicts" if verdicts > summary.scenarios - summary.invalid else ""
    return f"{summary.scenarios} {_scenarios(summary.scenarios)}{several}: {', '.join(parts)}"


def matrix_rows(report: Report) -> tuple[list[str], list[list[str]]]:
    """One row a scenario, one column a budget, a verdict in each cell."""
    names = names_with_paths(report)
    budgets = list(dict.fromkeys(result.verdict.budget.name for result in report.results))
    cells: dict[str, dict[str, str]] = {}
    for result in report.results:
        cells.setdefault(names[result.path], {})[result.verdict.budget.name] = verdict_word(result.verdict)
    return ["scenario", *budgets], [
        [name, *(cell.get(b, "") for b in budgets)] for name, cell in cells.items()
    ]


def sweep_rows(table: SweepTable, rows: Iterable[SweepRow]) -> tuple[list[str], list[list[str]], int]:
    """Headers, rows, and how many columns are text."""
    headers = [
        *table.lead,
        *table.columns,
        "no-reuse B",
        "peak B",
        "arena B",
        "used B",
        "of B",
        "used KiB",
        "%",
    ]
    cells = []
    for row in rows:
        values = [cell(value) for value in row.values]
        cells.append([*table.leading(row), *values, *_sweep_sizes(row)])
    return [*headers, "blocks/SM", "verdict"], cells, len(table.lead)


def _sweep_sizes(row: SweepRow) -> list[str]:
    if row.figures is None:
        return [""] * 8 + [row.word]
    no_reuse, peak, arena, used, limit, count, obstacle, confidence = row.figures
    sign = SIGNS[confidence] if obstacle != CLUSTER else ""
    share = sign + percent(used, limit).rstrip(" %")
    sizes = [str(no_reuse), str(peak), f"{sign}{arena}", f"{sign}{used}", str(limit), sign + in_kib(used)]
    blocks = f"{AT_MOST[confidence]}{count}" if sign and count is not None else _dashed(count)
    return [*sizes, share, blocks, shown_verdict(row.word, confidence, obstacle)]


def cell(value: Value | str | None) -> str:
    """A value of a swept parameter; empty where there is none."""
    if value is None:
        return ""
    return value if isinstance(value, str) else show(value)


def tally_line(tally: Tally) -> str:
    """`48 rows: 40 OK, 8 OVER; 3 skipped by constraints`."""
    counts = tally.counts()
    words = (("ok", "OK"), ("over", "OVER"), ("invalid", "INVALID"))
    parts = [f"{counts[key]} {word}" for key, word in words if counts[key] or key == "ok"]
    skipped = f"; {counts['skipped']} skipped by constraints" if counts["skipped"] else ""
    unswept = f"; {tally.unswept} invalid {_scenarios(tally.unswept)} left out" if tally.unswept else ""
    return (
        f"{counts['rows']} {'row' if counts['rows'] == 1 else 'rows'}: {', '.join(parts)}{skipped}{unswept}"
    )


def _scenarios(count: int) -> str:
    return "scenario" if count == 1 else "scenarios"
