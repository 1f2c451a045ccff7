"""The equivalent explicit scenario of a lowered program, as plain data."""

from __future__ import annotations

from typing import TypedDict

from smemdsl.core.buffers import Bytes
from smemdsl.program.lowered import LoweredProgram


class ExplicitBuffer(TypedDict):
    """A buffer of an explicit scenario: `bytes` of one version, and what the rules gave."""

    bytes: Bytes
    versions: int
    align: Bytes
    live: list[int]


class Explicit(TypedDict):
    """The fields of an explicit scenario that packing depends on."""

    align: Bytes
    static: Bytes
    buffers: dict[str, ExplicitBuffer]


def expand(lowered: LoweredProgram) -> Explicit:
    """The fields of an explicit scenario that packs to the same bytes.

    Buffers stand in file order, workspaces after them; those that no statement touches are left out, for they
    take no space. Name, target, threads and budget are the caller's.
    """
    buffers = {
        buffer.name: ExplicitBuffer(
            bytes=buffer.bytes // buffer.versions,
            versions=buffer.versions,
            align=buffer.align,
            live=[buffer.start, buffer.end],
        )
        for buffer in lowered.buffers
    }
    return Explicit(align=lowered.align, static=lowered.static_bytes, buffers=buffers)
