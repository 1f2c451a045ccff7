"""The equivalent explicit scenario of a lowered program, as plain data."""

from __future__ import annotations

from smemdsl.program.result import Lowered

Plain = dict[str, "int | str | list[int] | Plain"]


def expand(lowered: Lowered) -> Plain:
    """The fields of an explicit scenario that packs to the same bytes.

    `align` and `static` of the file, and for each buffer of the arena `bytes` (of one version), `versions`,
    `align` and `live`. Buffers stand in file order, workspaces after them. Name, target, threads and budget
    are the caller's.
    """
    buffers: Plain = {
        buffer.name: {
            "bytes": buffer.bytes // buffer.versions,
            "versions": buffer.versions,
            "align": buffer.align,
            "live": [buffer.start, buffer.end],
        }
        for buffer in lowered.buffers
    }
    return {"align": lowered.align, "static": lowered.static_bytes, "buffers": buffers}
