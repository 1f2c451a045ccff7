"""What is known of a device, and what a preset of it stands for.

Sizes are bytes. A `Device` carries the facts of `devices.json` with their sources; a `Preset` is one of its
memories, the thing a budget names.
"""

from typing import NamedTuple

WARP = 32
"""Threads of a warp, on every CUDA device (CCCL, `arch_traits.h`)."""


class Fact(NamedTuple):
    """One value of the data file."""

    name: str
    """Its key in the data file, with the unit at the end: `smem_per_sm_bytes`, `carveout_kib`."""
    value: int | tuple[int, ...]
    sources: tuple[str, ...]
    """Keys of `sources()`."""


class Product(NamedTuple):
    """Something one can buy that has the device in it."""

    name: str
    names: tuple[str, ...]
    """What it may be called; a hyphen stands where a separator may be written."""
    sources: tuple[str, ...]


class Memory(NamedTuple):
    """One scratchpad limit of a device."""

    key: str
    """`block`, `sm`, `static` (NVIDIA), `workgroup`, `cu`, `xe-core`, `threadgroup`, `ub`, `l1`, ..."""
    bytes: int
    sources: tuple[str, ...]


class SmLimits(NamedTuple):
    """What the occupancy rule needs to know of a streaming multiprocessor."""

    smem_per_sm: int
    block_optin: int
    """Most shared memory that one block may ask for."""
    block_default: int
    """The same without opt-in."""
    reserved: int
    """Shared memory that the driver takes of every block."""
    granularity: int
    carveouts: tuple[int, ...]
    """Sizes in bytes that shared memory can be configured to, rising; empty where it is apart from L1."""
    max_blocks: int
    max_threads: int
    """Threads that an SM runs at once."""
    max_threads_per_block: int
    registers: int
    registers_per_block: int
    registers_per_thread: int
    """What the compiler can give a thread; `cuda_occupancy.h` itself would take one more from 7.0 on."""
    partitions: int
    """Parts of an SM that own the registers, each a share."""
    max_cluster: int
    """Blocks of a cluster at most; 0 where there are no clusters."""


class Device(NamedTuple):
    """A compute capability, or another vendor's chip."""

    id: str
    """Canonical name: `sm_90`, `gfx942`, `ascend910b`."""
    vendor: str
    compute_capability: str | None
    """`9.0`; None but for NVIDIA."""
    status: str
    """`sourced`, or `provisional` where sources conflict or a value is inferred; `note` says which."""
    note: str
    products: tuple[Product, ...]
    memories: tuple[Memory, ...]
    """The memory that the bare name stands for first, unless `separator` is a hyphen."""
    separator: str
    """Between id and memory in a canonical name: `/`, or `-` where the bare name stands for no memory."""
    preset_names: tuple[tuple[str, str], ...]
    """Further names of presets, each with the key of its memory."""
    sm: SmLimits | None
    """None where no occupancy rule is known."""
    facts: tuple[Fact, ...]

    @property
    def primary(self) -> Memory | None:
        """What one block may ask for: the memory of the bare name; None where each has to be named."""
        return self.memories[0] if self.separator == "/" else None

    def memory(self, key: str) -> Memory | None:
        """The memory of that key."""
        return next((memory for memory in self.memories if memory.key == key), None)

    def fact(self, name: str) -> Fact | None:
        """The value of that name in the data file."""
        return next((fact for fact in self.facts if fact.name == name), None)


class Preset(NamedTuple):
    """A memory of a device, as a budget or `target` names it."""

    device: Device
    memory: Memory

    @property
    def name(self) -> str:
        """Canonical name: `sm_90`, `sm_90/sm`, `ascend910b-ub`."""
        if self.memory == self.device.primary:
            return self.device.id
        return f"{self.device.id}{self.device.separator}{self.memory.key}"

    @property
    def bytes(self) -> int:
        """The limit."""
        return self.memory.bytes

    @property
    def block_bytes(self) -> int:
        """Most that one block can be launched with: less than `bytes` where the preset is a whole SM."""
        primary = self.device.primary
        return min(self.bytes, primary.bytes) if primary else self.bytes

    @property
    def opt_in(self) -> bool:
        """Whether a launch may exceed the default limit; false for `/static` alone."""
        return self.memory.key != "static"
