"""The data file: every value sourced, and the same as the places it was taken from."""

from __future__ import annotations

import pytest

from smemdsl.devices import Device, devices, left_out, resolve, sources

ALL = devices()
EVERY = pytest.mark.parametrize("device", ALL, ids=lambda device: device.id)


@pytest.mark.parametrize(
    ("name", "block", "sm", "blocks", "threads"),
    [  # KiB a block, KiB an SM, blocks, threads
        ("sm_75", 64, 64, 16, 1024),
        ("sm_80", 163, 164, 32, 2048),
        ("sm_86", 99, 100, 16, 1536),
        ("sm_87", 163, 164, 16, 1536),
        ("sm_89", 99, 100, 24, 1536),
        ("sm_90", 227, 228, 32, 2048),
        ("sm_100", 227, 228, 32, 2048),
        ("sm_103", 227, 228, 32, 2048),
        ("sm_110", 227, 228, 24, 1536),
        ("sm_120", 99, 100, 24, 1536),
        ("sm_121", 99, 100, 24, 1536),
    ],
)
def test_cuda_limits(name: str, block: int, sm: int, blocks: int, threads: int) -> None:
    """The limits in the technical specifications of the CUDA Programming Guide, appendix 5.1."""
    limits = resolve(name).device.sm
    assert limits is not None
    assert (limits.block_optin, limits.smem_per_sm) == (block * 1024, sm * 1024)
    assert (limits.max_blocks, limits.max_threads) == (blocks, threads)
    assert (limits.block_default, limits.registers) == (48 * 1024, 64 * 1024)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("gfx90a", 65536),  # LLVM: "exceeds limit (65536)"
        ("gfx950", 163840),  # LLVM: "exceeds limit (163840)"
        ("gfx1100", 65536),
        ("pvc", 131072),
        ("dg2", 65536),
        ("dg2/xe-core", 131072),
        ("apple_metal", 32768),  # Metal Feature Set Tables: 32 KB
        ("ascend910b-ub", 192 * 1024),
        ("ascend910b-l1", 512 * 1024),
        ("ascend910b-l0c", 128 * 1024),
    ],
)
def test_limits_of_other_vendors(name: str, size: int) -> None:
    """The limits that the other vendors' own sources state."""
    assert resolve(name).bytes == size


def source_keys(device: Device) -> list[tuple[str, ...]]:
    """The source keys of each value, product and memory."""
    of_facts = [fact.sources for fact in device.facts]
    of_products = [product.sources for product in device.products]
    return of_facts + of_products + [memory.sources for memory in device.memories]


@EVERY
def test_every_value_has_known_sources(device: Device) -> None:
    """No value and no product stands without a source, and every source key is explained."""
    known = sources()
    for keys in source_keys(device):
        assert keys
        assert set(keys) <= set(known)


def test_every_source_is_used() -> None:
    """No source is explained that nothing rests on."""
    used = {key for device in ALL for keys in source_keys(device) for key in keys}
    assert used == set(sources())


@EVERY
def test_doubt_is_marked(device: Device) -> None:
    """What is provisional says why, and an inferred value comes with a note."""
    assert device.status in {"sourced", "provisional"}
    doubtful = device.status == "provisional" or any("INF" in fact.sources for fact in device.facts)
    assert not doubtful or device.note


def test_provisional_devices() -> None:
    """These three rest on conflicting sources, on a copied header entry, or on inference."""
    assert [device.id for device in ALL if device.status == "provisional"] == ["sm_88", "sm_101", "sm_107"]


@EVERY
def test_memories_are_in_proportion(device: Device) -> None:
    """A block's limit is within the whole SM's, CU's or Xe core's, and carve-outs rise to the SM's memory."""
    primary = device.primary
    for key in ("sm", "cu", "xe-core"):
        whole = device.memory(key)
        assert whole is None or (primary is not None and primary.bytes <= whole.bytes)
    if device.sm and device.sm.carveouts:
        assert list(device.sm.carveouts) == sorted(set(device.sm.carveouts))
        assert device.sm.carveouts[-1] == device.sm.smem_per_sm


def test_facts_can_be_looked_up() -> None:
    """A fact is found by its key in the file; an absent one is None."""
    device = resolve("sm_100").device
    fact = device.fact("tmem_bytes")
    assert fact is not None
    assert fact.value == 512 * 128 * 32 // 8  # PTX ISA: columns x lanes x bits
    assert device.fact("lds_per_cu_bytes") is None


def test_what_is_left_out_is_said() -> None:
    """The file names what it leaves out for want of a source."""
    assert any("Battlemage" in item for item in left_out())
