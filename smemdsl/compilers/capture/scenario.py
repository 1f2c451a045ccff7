"""A capture as a scenario file: explicit, or in the program form."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from smemdsl._version import __version__
from smemdsl.compilers.capture.request import Capture, CapturedBuffer, Request
from smemdsl.core import dtypes

_PLAIN = re.compile(r"[A-Za-z][\w-]*")
_WORDS = frozenset(["yes", "no", "on", "off", "true", "false", "null", "none"])
"""That some reader of YAML takes for something else than a text."""


def explicit(capture: Capture, request: Request) -> Iterator[str]:
    """The lines of a scenario with every buffer's bytes, versions, alignment and live range."""
    yield from _head(capture, request)
    yield f"policy: {capture.policy}"
    yield f"align: {capture.align}"
    yield f"threads: {capture.threads}"
    if capture.cluster > 1:
        yield f"cluster: {capture.cluster}"
    if capture.static:
        yield f"static: {capture.static}"
    yield "buffers:" if capture.buffers else "buffers: {}"
    for buffer in capture.buffers:
        comment = f"  # {buffer.what}" if buffer.what else ""
        yield f"  {flow(buffer.name)}: {flow(_fields(buffer))}{comment}"
    yield from _expect(capture)


def program(capture: Capture, request: Request) -> Iterator[str]:
    """The lines of a scenario with the kernel's statements; `capture.program` is there."""
    assert capture.program is not None
    written = dict(capture.program)
    yield from _head(capture, request)
    if capture.doubts:
        yield f"confidence: {flow({'approximate': list(capture.doubts)})}"
    yield f"threads: {written['threads']}"
    if written["options"]:
        yield f"options: {flow(written['options'])}"
    if capture.policy != "tilelang":
        yield f"policy: {capture.policy}"
    if written["static"]:
        yield f"static: {written['static']}"
    yield "buffers:" if written["buffers"] else "buffers: {}"
    for name, fields in written["buffers"].items():
        yield f"  {flow(name)}: {flow(fields)}"
    yield "program:" if written["program"] else "program: []"
    yield from statements(written["program"], "  ")
    yield from _expect(capture)


def statements(items: list[dict[str, Any]], indent: str) -> Iterator[str]:
    """Statements as block items, those inside a loop or an `if` below it."""
    for item in items:
        lead = f"{indent}- "
        for key, value in item.items():
            if key in ("if", "else", "body"):
                yield f"{lead}{key}:" if value else f"{lead}{key}: []"
                yield from statements(value, indent + "    ")
            else:
                yield f"{lead}{key}: {flow(value)}"
            lead = f"{indent}  "


def flow(value: Any) -> str:
    """Plain data in YAML's flow style; a text is quoted where it could be read as something else."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{flow(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)


def _head(capture: Capture, request: Request) -> Iterator[str]:
    words = [f"{request.file}::{request.name}"]
    for flag, pairs in (("--arg", request.args), ("--option", request.options)):
        for name, text in pairs:
            words += [flag, f"{name}={text}"]
    words += ["--kernel", request.kernel] if request.kernel else []
    source = shlex.join([*words, "--target", request.target])
    yield "# yaml-language-server: $schema=scenario.schema.json"
    yield f"# smemdsl {__version__} capture {request.compiler} {_one_line(source)}"
    yield "smemdsl: 1"
    yield f"name: {flow(request.name)}"
    compiler = capture.compiler.replace("tilelang", "TileLang").replace("triton", "Triton")
    yield f"summary: {json.dumps(f'As {compiler} compiles it for {capture.target}.')}"
    yield f"target: {capture.target}"


def _one_line(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)


def _fields(buffer: CapturedBuffer) -> dict[str, Any]:
    """Shape and dtype where they give the compiler's bytes, else bytes."""
    fields: dict[str, Any] = {"bytes": buffer.bytes // buffer.versions}
    dtype = dtypes.lookup(buffer.dtype) if buffer.dtype else None
    if dtype is not None and buffer.shape is not None:
        elements = 1
        for extent in buffer.shape:
            elements *= extent
        if dtypes.storage_bytes(dtype, elements, None) == fields["bytes"]:
            fields = {"shape": buffer.shape, "dtype": buffer.dtype}
    fields["versions"] = buffer.versions
    if buffer.align is not None:
        fields["align"] = buffer.align
    if buffer.live is not None:
        fields["live"] = buffer.live
    return fields


def _expect(capture: Capture) -> Iterator[str]:
    yield "expect:"
    yield f"  arena: {capture.arena}"
    versions = {buffer.name: buffer.versions for buffer in capture.buffers if buffer.versions > 1}
    if versions:
        yield f"  versions: {flow(versions)}"
