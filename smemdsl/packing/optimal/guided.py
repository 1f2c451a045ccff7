"""A low stack by looking at many at once, guided by prices of residues."""

from __future__ import annotations

from heapq import nsmallest
from typing import NamedTuple

from smemdsl.packing.optimal.pile import Pile, items_of
from smemdsl.packing.optimal.prices import Tariff


class _Node(NamedTuple):
    promise: int
    left: int
    spent: int
    """Padding so far, in grains."""
    top: int
    """In grains."""
    ahead: int
    path: object


def guided_order(pile: Pile, tariff: Tariff, width: int) -> list[int]:
    """Items from the bottom up: so many of the most promising lower parts are kept at each height."""
    grain, many = pile.grain, len(tariff.residues)
    items = [
        (align // grain, (residue + pad) // grain, ahead)
        for (align, residue), pad, ahead in zip(pile.items, pile.grain_pads, tariff.items, strict=True)
    ]
    layer = [_Node(0, pile.all, 0, 0, sum(tariff.items), None)]
    for _ in items:
        following: dict[int, _Node] = {}
        for node in layer:
            twin = None
            for item, kind in enumerate(items):
                if not node.left >> item & 1 or kind == twin:
                    continue
                twin = kind
                align, size, own = kind
                gap = -node.top % align
                spent, left = node.spent + gap, node.left ^ 1 << item
                known = following.get(left)
                if known is not None and known.spent <= spent:
                    continue
                top, ahead = node.top + gap + size, node.ahead - own
                promise = spent * tariff.fraction + tariff.residues[top % many] + ahead
                following[left] = _Node(promise, left, spent, top, ahead, (item, node.path))
        layer = nsmallest(width, following.values())
    return items_of(layer[0].path)
