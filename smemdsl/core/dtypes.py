"""Element types: one table for the names that NumPy, PyTorch, Triton and TileLang give them, and their sizes.

Names are case-sensitive, as they are in all four libraries, and may carry a module prefix (`torch.float16`,
`tl.float8e4nv`, `T.int4`). `int`, `uint`, `long` and `float` mean what PyTorch, Triton and TileLang mean by
them (32, 32, 64 and 32 bits); with a NumPy prefix, where they are something else, they are unknown. The
one-letter codes of NumPy are left out: its `i4` has 4 bytes, LLVM's has 4 bits. `i8` and `u8` are Triton's,
and have 8 bits.

Sizes are those that TileLang 0.1.15 planned for 65 elements (`tl.debug_merge_shared_memory_allocations`,
sm_80): 33 B for int4, uint4 and float4_e2m1fn; 65 B for int1, uint1, int2, uint2, float6_e2m3fn,
float6_e3m2fn, float4_e2m1_unpacked and every float8 type, float8_e8m0fnu included; 260 B for tfloat32; a bool
array is `signed char s[65]`, and always static. Its rule is `GetBufferStorageSizeBytes` in
src/transform/common/storage_size.h. Triton 3.9.0 takes 1, 2, 4 and 8 B for 8, 16, 32 and 64 bits, and refuses
anything else in shared memory ("bit width must be a multiple of 8"). Complex types have NumPy's sizes.
"""

from typing import NamedTuple

from smemdsl.core.did_you_mean import did_you_mean
from smemdsl.core.errors import UnknownNameError
from smemdsl.core.shown import one_line


class DType(NamedTuple):
    """An element type; two names of one type give equal values."""

    name: str
    """The canonical name, one of `DTYPE_NAMES`."""
    bits: int
    """Bits of information of one element; what it takes in memory is `storage_width(bits)`."""


_TABLE: tuple[tuple[str, int, str], ...] = (
    ("float64", 64, "double fp64 f64"),
    ("float32", 32, "float single fp32 f32"),
    ("tfloat32", 32, "tf32 custom[tfloat32]"),
    ("float16", 16, "half fp16 f16"),
    ("bfloat16", 16, "bf16"),
    ("float8_e4m3fn", 8, "float8e4nv fp8e4nv f8E4M3FN"),
    ("float8_e4m3", 8, "e4m3_float8 f8E4M3"),
    ("float8_e4m3fnuz", 8, "e4m3fnuz_float8 float8e4b8 fp8e4b8 f8E4M3FNUZ"),
    ("float8_e4m3b11fnuz", 8, "f8E4M3B11FNUZ"),
    ("float8e4b15", 8, "fp8e4b15"),
    ("float8_e5m2", 8, "e5m2_float8 float8e5 fp8e5 f8E5M2"),
    ("float8_e5m2fnuz", 8, "float8e5b16 fp8e5b16 f8E5M2FNUZ"),
    ("float8_e3m4", 8, "f8E3M4"),
    ("float8_e8m0fnu", 8, "f8E8M0FNU"),
    ("float6_e2m3fn", 6, "f6E2M3FN"),
    ("float6_e3m2fn", 6, "f6E3M2FN"),
    ("float4_e2m1fn", 4, "f4E2M1FN"),
    ("float4_e2m1fn_x2", 8, "float4_e2m1fnx2"),  # an element is a pair
    ("float4_e2m1_unpacked", 8, "custom[float4_e2m1_unpacked]8"),
    ("int64", 64, "long longlong i64"),
    ("int32", 32, "int intc i32"),
    ("int16", 16, "short i16"),
    ("int8", 8, "byte i8"),
    ("int4", 4, ""),
    ("int2", 2, ""),
    ("int1", 1, "i1"),
    ("uint64", 64, "ulong ulonglong u64"),
    ("uint32", 32, "uint uintc u32"),
    ("uint16", 16, "ushort u16"),
    ("uint8", 8, "ubyte u8"),
    ("uint4", 4, ""),
    ("uint2", 2, ""),
    ("uint1", 1, "u1"),
    ("bool", 8, "bool_"),
    ("complex128", 128, "cdouble"),
    ("complex64", 64, "cfloat csingle"),
    ("complex32", 32, "chalf"),
)

_ALIASES = {alias: DType(name, bits) for name, bits, rest in _TABLE for alias in (name, *rest.split())}
_PREFIXES = ("torch.", "tl.", "triton.language.", "T.", "np.", "numpy.", "jnp.", "jax.numpy.", "ml_dtypes.")
_NUMPY_PREFIXES = ("np.", "numpy.", "jnp.", "jax.numpy.")
_OTHER_IN_NUMPY = frozenset({"int", "uint", "long", "ulong", "float"})

_UNCLEAR = {
    "fp8": "which one: float8_e4m3fn, float8_e5m2?",
    "float8": "which one: float8_e4m3fn, float8_e5m2?",
    "fp6": "which one: float6_e2m3fn, float6_e3m2fn?",
    "float6": "which one: float6_e2m3fn, float6_e3m2fn?",
    "fp4": "write float4_e2m1fn (two to a byte) or float4_e2m1_unpacked (one byte each)",
    "float4": "write float4_e2m1fn (two to a byte) or float4_e2m1_unpacked (one byte each)",
    "e4m3": "write float8_e4m3fn or float8_e4m3",
    "e5m2": "write float8_e5m2",
    "e2m1": "write float4_e2m1fn",
    "f8": "write float64, or one of float8_e4m3fn, float8_e5m2",
    "f4": "write float32 or float4_e2m1fn",
    "f2": "write float16",
    "i4": "write int32 or int4",
    "u4": "write uint32 or uint4",
    "i2": "write int16 or int2",
    "u2": "write uint16 or uint2",
    "complex": "write complex64 or complex128",
}

DTYPE_NAMES: tuple[str, ...] = tuple(name for name, _, _ in _TABLE)
"""The canonical names."""


def lookup(name: str) -> DType | None:
    """The type that a name stands for, or None."""
    found = _ALIASES.get(name)
    if found is not None or "." not in name:
        return found
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            rest = name[len(prefix) :]
            return None if prefix in _NUMPY_PREFIXES and rest in _OTHER_IN_NUMPY else _ALIASES.get(rest)
    return None


def find(name: str) -> DType:
    """The type that a name stands for.

    Raises:
        UnknownNameError: no library calls a type so; the hint has the nearest names.
    """
    found = lookup(name)
    if found is None:
        raise UnknownNameError(f"unknown dtype '{one_line(name[:60])}'", dtype_hint(name))
    return found


def dtype_hint(name: str) -> str:
    """What to write in place of a name that is not a dtype: the nearest names, or all canonical ones."""
    bare = name.rsplit(".", 1)[-1]
    if "." in name and bare in _OTHER_IN_NUMPY:
        return f"its size depends on the library: write how many bits, as in {_ALIASES[bare].name}"
    if bare in _UNCLEAR:
        return _UNCLEAR[bare]
    return did_you_mean(bare, _ALIASES) or f"dtypes are {', '.join(DTYPE_NAMES)}"


def storage_width(bits: int) -> int:
    """Bits that an element of `bits` bits takes unless the scenario says otherwise.

    4-bit types are packed two to a byte; any other type is rounded up to whole bytes (the module says where
    this was seen).
    """
    return 4 if bits == 4 else -(-bits // 8) * 8


def storage_bytes(dtype: DType | int, elements: int, storage_bits: int | None = None) -> int:
    """Bytes that so many elements of a type (or of that many bits) take: `ceil(elements * width / 8)`.

    The width is `storage_width` of the type, or exactly `storage_bits` where that is given: 8 pads FP4 to a
    byte, 6 packs FP6 densely (6-bit types take a byte each without it), 16 gives every element two bytes.
    Only the whole array is rounded up to bytes. Callers see to it that `elements` >= 0, `storage_bits` >= 1.
    """
    if storage_bits is None:
        storage_bits = storage_width(dtype if isinstance(dtype, int) else dtype.bits)
    return -(-elements * storage_bits // 8)
