"""What a capture is asked for and what it finds, as both processes know it; between them it is JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

TARGET_HINT = "a compute capability such as sm_90a"


class Request(NamedTuple):
    """One kernel to compile."""

    compiler: str
    """tilelang or triton."""
    file: str
    name: str
    args: tuple[tuple[str, str], ...]
    """What the kernel's factory takes, as typed: name and text."""
    target: str
    """A compute capability, such as sm_90a."""
    options: tuple[tuple[str, str], ...] = ()
    """Pass options of TileLang; num_warps, num_stages and the like of Triton."""
    kernel: str = ""
    """Which one, where the source launches several; empty: the only one."""

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return self._asdict()

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Request:
        """The inverse of `to_json`."""
        pairs = {key: tuple((k, v) for k, v in value[key]) for key in ("args", "options")}
        return cls(**{**value, **pairs})


class CapturedBuffer(NamedTuple):
    """A buffer as the compiler placed it."""

    name: str
    bytes: int
    """Of all versions."""
    versions: int
    align: int | None
    """None where the compiler does not say: a single buffer is not planned."""
    live: tuple[int, int] | None
    """Half-open; None where the compiler does not say."""
    offset: int
    shape: tuple[int, ...] | None
    """Of one version, where its source declares it."""
    dtype: str | None
    what: str = ""
    """The operation that makes it, where the compiler gives buffers no names."""


class Capture(NamedTuple):
    """What the compiler made of a kernel."""

    compiler: str
    """With its version: `tilelang 0.1.15`."""
    kernel: str
    target: str
    threads: int
    """Of a block, as launched."""
    policy: str
    buffers: tuple[CapturedBuffer, ...]
    """In the compiler's own order."""
    arena: int
    static: int
    align: int
    """What the compiler rounds the arena up to."""
    seconds: float
    """CPU time that the compiler took, without its start-up."""
    program: Mapping[str, Any] | None
    """threads, options, buffers and program of a scenario in the program form, where it can be written."""
    doubts: tuple[str, ...]
    """Why there is no program, or why it may not say all."""
    warnings: tuple[str, ...] = ()
    """What else went wrong in the compiler."""
    cluster: int = 1
    """Blocks of a cluster."""

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {**self._asdict(), "buffers": [buffer._asdict() for buffer in self.buffers]}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Capture:
        """The inverse of `to_json`."""
        buffers = tuple(map(_buffer, value["buffers"]))
        return cls(
            **{
                **value,
                "buffers": buffers,
                "doubts": tuple(value["doubts"]),
                "warnings": tuple(value["warnings"]),
            }
        )


def _buffer(value: Mapping[str, Any]) -> CapturedBuffer:
    fields: dict[str, Any] = {
        key: tuple(item) if isinstance(item, list) else item for key, item in value.items()
    }
    return CapturedBuffer(**fields)


class Failure(NamedTuple):
    """Why there is no capture."""

    code: str
    message: str
    hint: str = ""
    line: int | None = None
    """Of the user's file, 1-based, with all that follows; None where no line of it is at fault."""
    column: int | None = None
    """1-based, in characters."""
    length: int = 1
    """Characters that are at fault."""
    source: str = ""
    """The line."""
