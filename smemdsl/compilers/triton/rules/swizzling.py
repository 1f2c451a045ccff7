"""Shared memory that a layout conversion goes through, as `lib/Tools/GenericSwizzling.cpp` swizzles it.

A tile of the tensor is written by `st.shared` or `stmatrix` and read by `ld.shared` or `ldmatrix`, once for
each value of the bits that are in registers on both sides and not needed to keep banks apart: the scratch
holds one repetition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from smemdsl.compilers.triton.rules.bit_spaces import intersection, log2
from smemdsl.compilers.triton.rules.linear_layout import Layout
from smemdsl.core.buffers import Bytes

BANK_BITS = 32
BANKS_BITS = 32 * BANK_BITS
VECTOR_BITS = 128
"""What a thread moves at most at once."""
MOST_SHUFFLED = 1
"""Bits that may change places between lanes and registers before shared memory is cheaper than shuffles."""


class Access(NamedTuple):
    """The lane bits whose data lie side by side, and those that address in one wavefront."""

    contiguous: tuple[int, ...]
    address: tuple[int, ...]


PLAIN, MATRIX, TRANSPOSED = Access((), (0, 1, 2)), Access((0, 1), (2, 3, 4)), Access((2, 3, 4), (0, 1))


def scratch(source: Layout, target: Layout, bits: int, elements: int, sm: int) -> Bytes:
    """Bytes that a conversion from one layout to the other takes; 0 where a warp shuffles by itself."""
    swapped = sum(1 for basis in source.lanes if basis and basis in target.registers)
    if source.warps == target.warps and swapped <= MOST_SHUFFLED:
        return 0
    dim = log2(elements)
    found = matrix_repetitions(source, target, bits, dim, sm)
    repetitions = found if found is not None else plain_repetitions(source, target, bits, dim)
    return (elements >> repetitions) * bits // 8


def matrix_repetitions(source: Layout, target: Layout, bits: int, dim: int, sm: int) -> int | None:
    """Log2 of the repetitions with the two instructions that have the fewest bank conflicts, if any can."""
    matrix = [MATRIX] * (bits <= 32) + [TRANSPOSED] * (bits == 16)
    best: tuple[int, int] | None = None
    for write in [PLAIN, *matrix] if sm >= 90 else [PLAIN]:
        for read in [PLAIN, *matrix]:
            vector = common_tile(source, target, bits, dim, write, read)
            written = None if vector is None else wavefront(write, source, vector)
            taken = None if vector is None else wavefront(read, target, vector)
            if vector is None or written is None or taken is None:
                continue
            leave = min(len(each.contiguous) + len(each.address) - 3 for each in (write, read))
            chosen = segment(vector, written, taken, bits, dim)
            repeated = repeats(chosen, source, target)[leave:]
            kept = [basis for basis in chosen if basis not in repeated]
            conflicts = sum((1 << len(intersection(kept, tile, dim))) - 1 for tile in (written, taken))
            best = min(best or (conflicts, -len(repeated)), (conflicts, -len(repeated)))
    return None if best is None else -best[1]


def common_tile(
    source: Layout, target: Layout, bits: int, dim: int, write: Access, read: Access
) -> list[int] | None:
    """The bases side by side in shared memory, so that both instructions move whole vectors."""
    total = log2(VECTOR_BITS // bits)
    sides = [(total - len(write.contiguous), write, source), (total - len(read.contiguous), read, target)]
    if min(sides[0][0], sides[1][0]) < 0:
        return None
    more, less = sides if sides[0][0] >= sides[1][0] else sides[::-1]
    common = intersection(more[2].registers, less[2].registers, dim)
    lanes = [less[2].lanes[i] for i in less[1].contiguous]
    if len(common) < less[0] or 0 in lanes or any(more[2].lanes[i] == 0 for i in more[1].contiguous):
        return None
    from_registers = more[0] - less[0]
    if any(lane not in more[2].registers for lane in lanes[:from_registers]):
        return None
    if lanes[from_registers:] != [more[2].lanes[i] for i in more[1].contiguous]:
        return None
    return common[: less[0]] + lanes


def wavefront(access: Access, layout: Layout, vector: Sequence[int]) -> list[int] | None:
    """The bases that one wavefront addresses; None where there are too few registers."""
    missing = 3 - len(access.address)
    registers = [basis for basis in layout.registers if basis not in vector][:missing]
    if len(registers) < missing:
        return None
    return registers + [layout.lanes[i] for i in access.address]


def segment(
    vector: Sequence[int], written: Sequence[int], read: Sequence[int], bits: int, dim: int
) -> list[int]:
    """The bases beyond the banks: in neither wavefront as far as there are any, else one of each, added."""
    banks = min(log2(BANKS_BITS // ((1 << len(vector)) * bits)), dim - len(vector))
    length = dim - banks - len(vector)
    left, right = ({basis for basis in (*vector, *tile) if basis} for tile in (written, read))
    found = [1 << bit for bit in range(dim) if 1 << bit not in left | right]
    if len(found) >= length:
        return found[:length]
    fewer, other = sorted((sorted(left - right), sorted(right - left)), key=len)
    clashes = min(max(0, length - len(fewer) - len(found)), len(fewer))
    found += [a ^ b for a, b in zip(fewer[clashes:], other[clashes:], strict=False)]
    return (found + fewer[:clashes] + other[:clashes])[:length]


def repeats(chosen: Sequence[int], source: Layout, target: Layout) -> list[int]:
    """The bases of a segment that are in registers on both sides: one repetition for each of their values."""
    return [basis for basis in chosen if basis in source.registers and basis in target.registers]


def plain_repetitions(source: Layout, target: Layout, bits: int, dim: int) -> int:
    """Log2 of the repetitions with `st.shared` and `ld.shared` of less than 16 B a thread."""
    vector = vector_bases(source, target, bits, dim)
    written, read = (_addressed(layout, vector, bits) for layout in (source, target))
    return len(repeats(segment(vector, written, read, bits, dim), source, target))


def _addressed(layout: Layout, vector: Sequence[int], bits: int) -> list[int]:
    """The lanes of one wavefront: wider accesses take several."""
    same = 0
    while same < min(len(vector), len(layout.registers)) and layout.registers[same] == vector[same]:
        same += 1
    wider = max(0, log2((1 << same) * bits // BANK_BITS)) if (1 << same) * bits > BANK_BITS else 0
    return [basis for basis in layout.lanes[: len(layout.lanes) - wider] if basis not in vector]


def vector_bases(source: Layout, target: Layout, bits: int, dim: int) -> list[int]:
    """What is moved at once: registers of both sides, a bank, then registers that are lanes opposite."""
    vector = intersection(source.registers, target.registers, dim)[: log2(VECTOR_BITS // bits)]
    first, second = list(source.registers), list(target.registers)
    from_source = True
    if (1 << len(vector)) * bits < BANK_BITS:
        begins = [side[: len(vector)] == vector for side in (first, second)]
        if not any(begins):
            first, second = ([*vector, *(b for b in side if b not in vector)] for side in (first, second))
            begins = [True, True]
        filled = [vector + side[len(vector) : log2(BANK_BITS // bits)] for side in (first, second)]
        from_source = begins[0]
        if all(begins):
            from_source = _opposite(first, filled[0], target.lanes, bits) >= _opposite(
                second, filled[1], source.lanes, bits
            )
        vector = filled[0] if from_source else filled[1]
    if from_source:
        return vector + _opposite(first, vector, target.lanes, bits)
    return vector + _opposite(second, vector, source.lanes, bits)


def _opposite(registers: Sequence[int], vector: Sequence[int], lanes: Sequence[int], bits: int) -> list[int]:
    """Further registers that are lanes on the other side, to vectorise one side at no cost to the other."""
    most = log2(VECTOR_BITS // max(bits, BANK_BITS))
    return [basis for basis in registers if basis not in vector and basis in lanes][:most]
