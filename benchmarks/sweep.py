"""`sweep` in configurations a second, against loops that a person would write by hand for the same csv."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod

from benchmarks import busy, by_hand
from benchmarks.measure import Line, function_seconds
from smemdsl.api import Scenario, load, loads
from smemdsl.judging.plan import Options
from smemdsl.output.formats.csv import sweep_stream
from smemdsl.scenario.spec import Axis
from smemdsl.sweeping import SweepTable, Tally, Task, lines

TILES = (64, 96, 128, 160, 192, 224, 256)
AXES: dict[str, Sequence[int]] = {
    "block_M": TILES,
    "block_N": TILES,
    "block_K": (16, 32, 48, 64, 96, 128),
    "num_stages": range(1, 7),
}


MANY: dict[str, Sequence[int]] = {
    "block_M": range(16, 272, 16),
    "block_N": range(16, 272, 16),
    "block_K": range(16, 272, 16),
    "num_stages": range(1, 13),
}
BUSY: dict[str, Sequence[int]] = {
    "block": range(16, 272, 16),
    "width": range(16, 272, 16),
    "stages": range(1, 5),
}
SAME_CSV = "a loop by hand, the same csv"


def run() -> Iterator[Line]:
    """gemm-tiles (no packing to speak of), epilogue (packed), and a kernel with 30 buffers."""
    gemm, epilogue = load("builtin:gemm-tiles"), load("builtin:epilogue")
    yield _line(gemm, AXES, by_hand.gemm_tiles, "0.5")
    yield _line(gemm, MANY, by_hand.gemm_tiles, "0.5")
    yield _line(epilogue, AXES, by_hand.epilogue, "0.2")
    kernel = loads(busy.text(30))
    seconds = function_seconds(lambda: swept(kernel, BUSY), 3)
    count = prod(map(len, BUSY.values()))
    rate = f"{count / seconds:,.0f} rows/s"
    yield Line(f"sweep {kernel.name}, {count} rows", rate, "", "", ">= 4,000 rows/s", "")
    yield _gain("--max stages", kernel, BUSY, largest="stages")
    yield _gain("--max num_stages", epilogue, AXES, largest="num_stages")
    yield _gain("--fits-only", epilogue, AXES, fits_only=True)


def _line(
    scenario: Scenario, axes: Mapping[str, Sequence[int]], loop: Callable[..., str], wanted: str
) -> Line:
    """Rows a second of both, and ours as a share of the loop's.

    Raises:
        AssertionError: they disagree on a row.
    """

    def ours() -> str:
        return swept(scenario, axes)

    def theirs() -> str:
        return loop(*axes.values())

    text = ours()
    if text != theirs():
        raise AssertionError(f"{scenario.name}: the sweep and the loop by hand disagree")
    count = text.count("\n") - 1
    a, b = function_seconds(ours, 3), function_seconds(theirs, 3)
    mine, peer = (f"{count / seconds:,.0f} rows/s" for seconds in (a, b))
    what = f"sweep {scenario.name}, {count} rows"
    return Line(what, mine, peer, f"{b / a:.3f}", f">= {wanted}", SAME_CSV)


def _gain(
    flags: str,
    scenario: Scenario,
    axes: Mapping[str, Sequence[int]],
    *,
    largest: str | None = None,
    fits_only: bool = False,
) -> Line:
    """Time of a sweep that need not show every row, as a share of that of the whole one."""
    part = function_seconds(lambda: swept(scenario, axes, largest=largest, fits_only=fits_only), 3)
    whole = function_seconds(lambda: swept(scenario, axes), 3)
    what = f"sweep {scenario.name} {flags}"
    return Line(what, f"{part * 1e3:.0f} ms", f"{whole * 1e3:.0f} ms", f"{part / whole:.3f}", "", "every row")


def swept(
    scenario: Scenario,
    values: Mapping[str, Sequence[int]],
    *,
    largest: str | None = None,
    fits_only: bool = False,
) -> str:
    """The csv of a sweep over those values; of the last of them the largest that fits, where it is named."""
    axes = tuple(Axis(*axis) for axis in values.items())
    task = Task(scenario, axes, (), {}, scenario.spec.budgets, Options())
    table = SweepTable(tuple(values), largest, scenarios=False, budgets=False)
    stream = sweep_stream(table)
    return stream.head + "".join(lines(task, table, Tally(), stream.line, fits_only=fits_only))
