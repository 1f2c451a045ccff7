"""Scenarios made up from the format's grammar: lives outright, timelines, programs, tables of intervals."""

from __future__ import annotations

from random import Random
from typing import Any

DTYPES = ("float16", "float32", "int8", "bfloat16", "float8_e4m3fn", "int4")
TARGETS = ("sm_80", "sm_89", "sm_90a", "sm_100a", "sm_120a", "gfx942", "triton:sm_80", "triton:sm_90")
SIZES = (0, 1, 2, 8, 16, 32, 64, 96, 128, 256)
BUDGETS = ("sm_90", "sm_80", "h100", "100 KiB", 65536, "sm_90/sm", "mi300x")


def scenario(random: Random) -> dict[str, Any]:
    """A scenario that is mostly valid."""
    names = [f"b{index}" for index in range(random.randint(1, 7))]
    made: dict[str, Any] = {
        "smemdsl": 1,
        "params": {"p": random.choice(SIZES[2:]), "q": random.randint(1, 4)},
    }
    if random.random() < 0.6:
        made["budget"] = random.choice(BUDGETS)
    if random.random() < 0.3:
        made["align"] = random.choice((1, 16, 128, 1024))
    form = random.randrange(3)
    made["buffers"] = {name: _buffer(form, random) for name in names}
    if form == 1:
        made["timeline"] = [
            {"region": "first", "statements": 2},
            {"region": "loop", "extent": "p", "stages": [0, 0, "q"]},
            {"region": "last", "statements": 2},
        ]
    if form == 2:
        made |= {"target": random.choice(TARGETS), "threads": random.choice((32, 96, 128, 256, 384, 512))}
        made["program"] = _statements(names, random, 0)
    return made


def _buffer(form: int, random: Random) -> dict[str, Any]:
    made: dict[str, Any] = {"shape": [random.choice((*SIZES, "p")), random.choice(SIZES)]}
    made["dtype"] = random.choice(DTYPES)
    if form == 0:
        start = random.randrange(8)
        made = {"bytes": random.randrange(5000), "live": [start, start + random.randint(1, 5)]}
    if form == 1:
        made["access"] = {"first": [0], "loop": [0, 2], "last": [1]}
        for region in random.sample(["first", "loop", "last"], random.randrange(3)):
            del made["access"][region]
    if form < 2 and random.random() < 0.4:
        made["align"] = random.choice((1, 8, 48, 256, 1024))
    if form < 2 and random.random() < 0.2:
        made["versions"] = random.choice((1, 2, 3, "q"))
    return made


def _statements(names: list[str], random: Random, depth: int) -> list[dict[str, Any]]:
    return [_statement(names, random, depth) for _ in range(random.randint(1, 5))]


def _statement(names: list[str], random: Random, depth: int) -> dict[str, Any]:
    way = random.randrange(8 if depth < 3 else 6)
    name, other = random.choice(names), random.choice(names)
    if way == 0:
        return {"gemm": {"a": name, "b": other, "m": 64, "n": random.choice((64, 128)), "k": 32}}
    if way == 1:
        return {"compute": {"reads": [name], "writes": [other]}}
    if way == 2:
        return {"reduce": {"dtype": "float32"}}
    if way < 6:
        return {random.choice(("copy", "copy", "load", "store")): name}
    body = _statements(names, random, depth + 1)
    if way == 6:
        return {"if": body}
    return {"loop": f"k{depth}", "extent": random.choice((1, 8, "p")), "num_stages": "q", "body": body}


def table(random: Random) -> str:
    """A table of intervals, as google/minimalloc has it; some have a cell that is not a number."""
    rows = ["id,lower,upper,size"]
    for index in range(random.randint(0, 12)):
        lower = random.randrange(20)
        cells = [f"b{index}", lower, lower + random.randint(1, 9), random.randrange(300)]
        if random.random() < 0.02:
            cells[random.randrange(4)] = random.choice(("", "x", "-1", "1e9", str(2**63), '"', "=1+1"))
        rows.append(",".join(map(str, cells)))
    return "\n".join(rows) + "\n"
