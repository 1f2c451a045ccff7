"""The presets and their limits, as a table, or one device in full."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from smemdsl.core.units import format_size
from smemdsl.devices import Device, Fact, Memory, sources
from smemdsl.output.formats.tables import pipe_table, table

HEADERS = ("preset", "products", "block B", "SM B", "static B", "blocks/SM", "threads/SM", "status")
SHOWN = 3
"""Products of a device that the table names."""
FIELDS = (
    "id", "vendor", "compute_capability", "products", "memory", "limit_bytes", "granularity_bytes",
    "reserved_bytes", "max_blocks_per_sm", "max_threads_per_sm", "registers_per_sm", "status",
)  # fmt: skip


def text(devices: Sequence[Device], write: Callable[..., str] = table) -> str:
    """One row a device; of those without an SM rule, one row a memory."""
    return write(HEADERS, [row for device in devices for row in _rows(device)], 2) + "\n"


def markdown(devices: Sequence[Device]) -> str:
    """The table of `text` as Markdown."""
    return text(devices, pipe_table)


def details(device: Device) -> str:
    """Everything known of one device, each value with its sources."""
    return "\n".join(_details(device)) + "\n"


def as_json(devices: Sequence[Device]) -> str:
    """Every value with its sources."""
    value = {
        "schema_version": 1,
        "command": "devices",
        "devices": [_plain(device) for device in devices],
        "sources": sources(),
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def as_csv(devices: Sequence[Device]) -> str:
    """One line a preset."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(FIELDS)
    for device in devices:
        sm = device.sm
        limits = (
            [sm.granularity, sm.reserved, sm.max_blocks, sm.max_threads, sm.registers] if sm else [""] * 5
        )
        products = "; ".join(product.name for product in device.products)
        for memory in device.memories:
            head = [
                device.id,
                device.vendor,
                device.compute_capability or "",
                products,
                memory.key,
                memory.bytes,
            ]
            writer.writerow([*head, *limits, device.status])
    return out.getvalue()


def _rows(device: Device) -> Iterator[list[str]]:
    names = [product.name for product in device.products]
    products = ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
    if device.sm is not None:
        sm = device.sm
        limits = (sm.block_optin, sm.smem_per_sm, sm.block_default, sm.max_blocks, sm.max_threads)
        yield [device.id, products, *map(str, limits), device.status]
        return
    for i, memory in enumerate(device.memories):
        size = [str(memory.bytes), "", "", "", ""]
        yield [_preset(device, memory), "" if i else products, *size, device.status]


def _preset(device: Device, memory: Memory) -> str:
    """What a memory of a device is called: the device itself stands for its own limit."""
    return device.id if memory == device.primary else f"{device.id}{device.separator}{memory.key}"


def _details(device: Device) -> Iterator[str]:
    yield device.id + (
        f" (compute capability {device.compute_capability})" if device.compute_capability else ""
    )
    yield f"  status: {device.status}" + (f"; {device.note}" if device.note else "")
    for product in device.products:
        yield f"  product: {product.name} (names: {', '.join(product.names)}) [{', '.join(product.sources)}]"
    yield "  presets:"
    for memory in device.memories:
        yield f"    {_preset(device, memory)}  {format_size(memory.bytes)} [{', '.join(memory.sources)}]"
    yield "  values:"
    for fact in device.facts:
        yield f"    {fact.name}: {_value(fact)} [{', '.join(fact.sources)}]"
    known = sources()
    yield "  sources:"
    used = dict.fromkeys(key for fact in device.facts for key in fact.sources)
    for product in device.products:
        used |= dict.fromkeys(product.sources)
    for key in used:
        yield f"    {key}: {known[key]}"


def _value(fact: Fact) -> str:
    return ", ".join(map(str, fact.value)) if isinstance(fact.value, tuple) else str(fact.value)


def _plain(device: Device) -> dict[str, Any]:
    return {
        "id": device.id,
        "vendor": device.vendor,
        "compute_capability": device.compute_capability,
        "status": device.status,
        "note": device.note,
        "products": [product._asdict() for product in device.products],
        "presets": [
            {"memory": memory.key, "bytes": memory.bytes, "sources": memory.sources}
            for memory in device.memories
        ],
        "values": {fact.name: {"value": fact.value, "sources": fact.sources} for fact in device.facts},
    }
