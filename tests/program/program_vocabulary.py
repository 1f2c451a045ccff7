"""Recorded programs as bound programs: the file's vocabulary read as plainly as a test needs it."""

from __future__ import annotations

from math import prod
from typing import Any

from smemdsl.program.statements import (
    AtomicAdd,
    CompilerOptions,
    Compute,
    Copy,
    Declared,
    Gemm,
    If,
    Load,
    Loop,
    Program,
    Reduce,
    Statement,
    Store,
)

BITS = {"tfloat32": 32, "float8_e4m3": 8, "float8_e4m3fn": 8, "float4_e2m1fn": 4, "bfloat16": 16}


def bits(dtype: str) -> int:
    """Bits of an element."""
    return BITS.get(dtype) or int(dtype.lstrip("abcdefghijklmnopqrstuvwxyz"))


def program_of(record: dict[str, Any], body: str = "program") -> Program:
    """The bound program of a record."""
    return Program(
        record["target"],
        tuple(declared(name, fields) for name, fields in record["buffers"].items()),
        statements(record[body], ("program",)),
        record["threads"],
        CompilerOptions(**record.get("options", {})),
    )


def declared(name: str, fields: dict[str, Any]) -> Declared:
    """A buffer's declaration; its size is rounded up to whole bytes."""
    shape, width = tuple(fields["shape"]), bits(fields["dtype"])
    size = -(-prod(shape) * width // 8)
    annotated, static = fields.get("layout") == "annotated", fields.get("scope") == "static"
    return Declared(name, shape, width, size, None, annotated, static, ("buffers", name))


def statements(body: list[dict[str, Any]], where: tuple[str | int, ...]) -> tuple[Statement, ...]:
    """The statements of a list, each with its place."""
    return tuple(statement(each, (*where, index)) for index, each in enumerate(body))


def statement(each: dict[str, Any], where: tuple[str | int, ...]) -> Statement:
    """One statement of the vocabulary."""
    if "loop" in each:
        body = statements(each["body"], (*where, "body"))
        start, stages = each.get("start", 0), each.get("num_stages", 0)
        return Loop(each["loop"], each["extent"], body, start, stages, where)
    if "if" in each:
        orelse = statements(each["else"], (*where, "else")) if "else" in each else None
        return If(statements(each["if"], (*where, "if")), orelse, where)
    [(kind, value)] = each.items()
    return leaf(kind, value, where)


def leaf(kind: str, value: Any, where: tuple[str | int, ...]) -> Statement:
    """A statement that contains no other."""
    fields = dict(value) if isinstance(value, dict) else {}
    for key in ("reads", "writes"):
        if key in fields:
            fields[key] = tuple(fields[key])
    match kind:
        case "copy":
            return Copy(**(fields or {"to": value}), where=where)
        case "load":
            to = fields.pop("to", value)
            return Load((to,) if isinstance(to, str) else tuple(to), **fields, where=where)
        case "store" | "atomic_add":
            source = fields.pop("from", value)
            return (Store if kind == "store" else AtomicAdd)(source, **fields, where=where)
        case "gemm":
            return Gemm(**fields, where=where)
        case "reduce":
            return Reduce(fields["cross_warp"], bits(fields["dtype"]), where=where)
        case _:
            is_global = fields.pop("global", False)
            return Compute(**fields, reads_global=is_global, where=where)
