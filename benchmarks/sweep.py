"""`sweep` in configurations a second, against loops that a person would write by hand for the same csv."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from benchmarks import by_hand
from benchmarks.measure import Line, function_seconds
from smemdsl import load
from smemdsl.planning import Options
from smemdsl.render.csv import sweep_head, sweep_line
from smemdsl.spec import Axis
from smemdsl.sweeping import Table, Tally, Task, lines

TILES = (64, 96, 128, 160, 192, 224, 256)
AXES: dict[str, Sequence[int]] = {
    "block_M": TILES,
    "block_N": TILES,
    "block_K": (16, 32, 48, 64, 96, 128),
    "num_stages": range(1, 7),
}


def run() -> Iterator[Line]:
    """gemm-tiles (no packing to speak of) and epilogue (packed)."""
    yield _line("gemm-tiles", by_hand.gemm_tiles, "0.5")
    yield _line("epilogue", by_hand.epilogue, "0.2")


def _line(name: str, loop: Callable[..., str], wanted: str) -> Line:
    """Rows a second of both, and ours as a share of the loop's.

    Raises:
        AssertionError: they disagree on a row.
    """

    def ours() -> str:
        return swept(name)

    def theirs() -> str:
        return loop(*AXES.values())

    text = ours()
    if text != theirs():
        raise AssertionError(f"{name}: the sweep and the loop by hand disagree")
    count = text.count("\n") - 1
    a, b = function_seconds(ours, 3), function_seconds(theirs, 3)
    mine, peer = (f"{count / seconds:,.0f} rows/s" for seconds in (a, b))
    what = f"sweep {name}, {count} rows"
    return Line(what, mine, peer, f"{b / a:.3f}", f">= {wanted}", "a loop by hand, the same csv")


def swept(name: str) -> str:
    """The csv of a sweep of a scenario that ships."""
    scenario = load(f"builtin:{name}")
    axes = tuple(Axis(parameter, values) for parameter, values in AXES.items())
    task = Task(scenario, axes, (), {}, scenario.spec.budgets, Options())
    table = Table(tuple(AXES), None, scenarios=False, budgets=False)
    return sweep_head(table) + "".join(lines(task, table, Tally(), sweep_line(table)))
