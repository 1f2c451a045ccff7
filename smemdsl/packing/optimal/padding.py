"""Padding that what is left of a live set cannot avoid, asked again and again in the midst of a search."""

from __future__ import annotations

from smemdsl.packing.optimal.instance import Instance
from smemdsl.packing.optimal.pile import Pile

_MOST_REMEMBERED = 200_000
_EXACT_UP_TO = 5


class PaddingTable:
    """Bounds by subset of the buffers and floor; filled as it is asked.

    Subsets are bit masks over the buffers that can cause padding. Small ones are solved, others bounded.
    """

    def __init__(self, instance: Instance) -> None:
        period = instance.period
        ragged = sorted(
            (
                (align, size % period, index)
                for index, (align, size) in enumerate(zip(instance.aligns, instance.sizes, strict=True))
                if size % period
            ),
            reverse=True,
        )
        self._pile = Pile((align, residue) for align, residue, _ in ragged)
        self._period = period
        bits = {index: 1 << item for item, (_, _, index) in enumerate(ragged)}
        self.bits = tuple(bits.get(index, 0) for index in range(len(instance.sizes)))
        """Each buffer as a subset; 0 where it never causes padding."""
        self._known: dict[tuple[int, int], int] = {}

    def padding(self, left: int, floor: int) -> int:
        """Padding that no stack of these buffers avoids that starts at `floor`."""
        if not left:
            return 0
        key = (left, floor % self._period)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            known = self._known[key] = self._bound(*key)
        return known

    def _bound(self, left: int, floor: int) -> int:
        items = self._pile.items
        listed = [item for item in range(left.bit_length()) if left >> item & 1]
        if len(listed) > _EXACT_UP_TO:
            sums = tuple(map(sum, zip(*(self._pile.parts[item] for item in listed), strict=True)))
            return self._pile.quick_bound(left, floor, sums)
        best = -1
        for item in listed:
            align, residue = items[item]
            gap = -floor % align
            if best < 0 or gap < best:
                total = gap + self.padding(left ^ 1 << item, floor + gap + residue)
                best = total if best < 0 else min(best, total)
        return best
