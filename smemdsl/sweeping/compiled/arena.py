"""What the buffers take together, as terms: in a formula where all are live at once, else by packing them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from smemdsl.core.buffers import Buffer, Bytes
from smemdsl.packing.peak import peak
from smemdsl.policies import pack
from smemdsl.sweeping.compiled.arithmetic import extreme, round_up, total
from smemdsl.sweeping.compiled.lowering import BufferTerms, ModelTerms
from smemdsl.sweeping.compiled.terms import INT, OTHER, CodeBuilder, Term

STACKED = ("tilelang", "sequential", "struct")
"""Policies that put buffers which are all live at once one on the other, and round the end up."""
_MOST = 1 << 80
"""More than any arena."""


class ArenaTerms(NamedTuple):
    """Sizes of a model, in bytes."""

    no_reuse: Term
    peak: Term
    place: Callable[[], Term]
    """Adds the code that packs, and gives the size of the arena."""


def arena(build: CodeBuilder, model: ModelTerms, policy: str, time_limit: float | None) -> ArenaTerms:
    """The sizes of a model under a policy."""
    tiles = [tile for tile in model.tiles if tile.size.high]
    everything = build.pin(total(build, [tile.size for tile in tiles]))
    if _stacks(policy, tiles, model.align):
        return ArenaTerms(
            everything, everything, lambda: build.pin(_stack(build, policy, tiles, model.align))
        )
    buffers = build.pin(_buffers(build, tiles))
    most = build.pin(build.term(f"{build.function(_peak)}({{0}})", (buffers,), INT, 0, _MOST))
    return ArenaTerms(everything, most, lambda: _packed(build, buffers, model, policy, time_limit))


def floor(build: CodeBuilder, model: ModelTerms) -> Term:
    """What the peak is at least, in a formula: buffers that die at one slot were all live just before."""
    together: dict[str, list[Term]] = {}
    for tile in model.tiles:
        together.setdefault(tile.end.source, []).append(tile.size)
    sums = [total(build, sizes) for sizes in together.values()]
    return extreme(build, "max", sums) if sums else build.constant(0)


def _stacks(policy: str, tiles: Sequence[BufferTerms], align: Term) -> bool:
    """Whether the arena is known without packing: all of one alignment, all there, all live at once.

    Each then begins at the next aligned offset. Whatever the order, all but the last take whole units of the
    alignment, and so does the last, since the end is rounded up to a multiple of the unit.
    """
    if len(tiles) <= 1:
        return policy in STACKED
    first = tiles[0]
    lives = {(tile.start.source, tile.end.source) for tile in tiles}
    return (
        policy in STACKED
        and len(lives) == 1
        and len({tile.align.source for tile in tiles}) == 1
        and all(tile.size.low > 0 for tile in tiles)
        and (policy == "struct" or _multiple(align, first.align))
    )


def _multiple(align: Term, unit: Term) -> bool:
    constant = align.value is not None and unit.value is not None
    return align.source == unit.source or (constant and align.low % unit.low == 0)


def _stack(build: CodeBuilder, policy: str, tiles: Sequence[BufferTerms], align: Term) -> Term:
    if len(tiles) <= 1 and policy != "struct":  # a single buffer is left alone
        return total(build, [tile.size for tile in tiles])
    top = total(build, [round_up(build, tile.size, tile.align) for tile in tiles])
    return top if policy == "struct" or align.source == tiles[0].align.source else round_up(build, top, align)


def _buffers(build: CodeBuilder, tiles: Sequence[BufferTerms]) -> Term:
    """The buffers of a configuration; a policy leaves out those of 0 bytes."""
    build.namespace.update(new=tuple.__new__, Buffer=Buffer)
    operands: list[Term] = []
    parts = []
    for tile in tiles:
        places = [f"{{{len(operands) + i}}}" for i in range(4)]
        operands += (tile.size, tile.align, tile.start, tile.end)
        parts.append(f"new(Buffer, ({build.named('n', tile.name)}, {', '.join(places)}))")
    return build.term(f"[{', '.join(parts)}]", [build.pin(operand) for operand in operands], OTHER)


def _packed(
    build: CodeBuilder, buffers: Term, model: ModelTerms, policy: str, time_limit: float | None
) -> Term:
    def packed(buffers: Sequence[Buffer], align: Bytes) -> Bytes:
        return pack(policy, buffers, align, time_limit=time_limit).arena

    operands = (buffers, model.align)
    return build.pin(build.term(f"{build.function(packed)}({{0}}, {{1}})", operands, INT, 0, _MOST))


def _peak(buffers: Sequence[Buffer]) -> Bytes:
    return peak(buffers).bytes
