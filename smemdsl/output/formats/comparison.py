"""Predicted against compiled, as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from smemdsl.core.units import counted
from smemdsl.output.formats.tables import table

if TYPE_CHECKING:
    from smemdsl.judging.verify_capture import BufferPair, CaptureComparison

_HEADERS = ("buffer", "predicted offset", "compiled offset", "bytes", "versions", "align", "")
_NONE = "-"


def lines(comparison: CaptureComparison) -> Iterator[str]:
    """A row for each buffer, arena and static bytes; the verdict. Unequal values: `predicted != compiled`."""
    rows = [_row(pair) for pair in comparison.pairs]
    for name, (predicted, compiled) in (("arena", comparison.arena), ("static", comparison.static)):
        rows.append((name, "", "", _both(predicted, compiled), "", "", _mark(predicted == compiled)))
    yield table(_HEADERS, rows)
    wrong = sum(not pair.same for pair in comparison.pairs)
    count = len(comparison.pairs)
    if comparison.exact:
        yield f"exact: {counted(count, 'buffer')}, the arena and the static bytes are what the compiler made"
    else:
        yield f"different: {wrong} of {counted(count, 'buffer')}" + "".join(
            f", {name} bytes"
            for name, same in (("arena", comparison.arena_exact), ("static", comparison.static_exact))
            if not same
        )


def _row(pair: BufferPair) -> tuple[str, ...]:
    predicted, compiled = pair.predicted, pair.compiled
    return (
        pair.name,
        str(predicted.offset) if predicted else _NONE,
        str(compiled.offset) if compiled else _NONE,
        _both(predicted and predicted.bytes, compiled and compiled.bytes),
        _both(predicted and predicted.versions, compiled and compiled.versions),
        _both(predicted and predicted.align, compiled.align) if compiled and compiled.align else _NONE,
        _mark(pair.same),
    )


def _both(predicted: int | None, compiled: int | None) -> str:
    if predicted == compiled:
        return _NONE if predicted is None else str(predicted)
    left, right = (_NONE if value is None else str(value) for value in (predicted, compiled))
    return f"{left} != {right}"


def _mark(same: bool) -> str:
    return "ok" if same else "DIFFERS"
