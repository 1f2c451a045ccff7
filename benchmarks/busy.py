"""A kernel with many buffers: phases one after the other, each buffer live in a few of them."""

from __future__ import annotations

PHASES = 10


def text(count: int) -> str:
    """The scenario, with tiles of `block` rows, `width` columns and `stages` copies."""
    lines = [
        "smemdsl: 1",
        f"name: busy-{count}",
        "params: {block: 64, width: 32, stages: 2}",
        f"timeline: [{', '.join(f'phase{i}' for i in range(PHASES))}]",
        "buffers:",
    ]
    for i in range(count):
        first = i * 7 % PHASES
        phases = ", ".join(f"phase{j}" for j in range(first, min(first + 1 + i % 4, PHASES)))
        copies = "stages" if i % 3 == 0 else "1"
        shape = f"[block, {'width' if i % 2 else 'width + 8'}]"
        lines.append(f"  tile{i}: {{shape: {shape}, dtype: float16, versions: {copies}, access: [{phases}]}}")
    return "\n".join(lines) + "\n"
