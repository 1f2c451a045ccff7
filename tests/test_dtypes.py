from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.core.dtypes import DTYPE_NAMES, DType, find, lookup, storage_bytes, storage_width
from smemdsl.core.errors import UnknownNameError

# (name, bytes of 65 elements): what TileLang 0.1.15 planned for `alloc_shared((65,), name)` on sm_80.
TILELANG_65 = [
    ("int1", 65),
    ("uint1", 65),
    ("int2", 65),
    ("uint2", 65),
    ("int4", 33),
    ("uint4", 33),
    ("float4_e2m1fn", 33),
    ("custom[float4_e2m1_unpacked]8", 65),
    ("float6_e2m3fn", 65),
    ("float6_e3m2fn", 65),
    ("float8_e8m0fnu", 65),
    ("float8_e4m3", 65),
    ("float8_e4m3fn", 65),
    ("float8_e5m2", 65),
    ("float8_e3m4", 65),
    ("float8_e4m3b11fnuz", 65),
    ("bool", 65),
    ("custom[tfloat32]", 260),
    ("float16", 130),
    ("bfloat16", 130),
    ("uint16", 130),
    ("int64", 520),
    ("float64", 520),
    ("float", 260),
    ("int", 260),
    ("uint", 260),
]

# (type as Triton's IR writes it, bytes of 256 elements): what Triton 3.9.0 allocated for `ttg.local_alloc`.
TRITON_256 = [
    ("i8", 256),
    ("i16", 512),
    ("i64", 2048),
    ("f8E4M3FN", 256),
    ("f8E5M2", 256),
    ("f16", 512),
    ("bf16", 512),
    ("f32", 1024),
    ("f64", 2048),
]

# `itemsize` of torch 2.13 and NumPy 2.4.
ITEM_SIZES = [
    ("torch.bfloat16", 2),
    ("torch.bool", 1),
    ("torch.cdouble", 16),
    ("torch.cfloat", 8),
    ("torch.chalf", 4),
    ("torch.complex128", 16),
    ("torch.complex32", 4),
    ("torch.complex64", 8),
    ("torch.double", 8),
    ("torch.float", 4),
    ("torch.float16", 2),
    ("torch.float4_e2m1fn_x2", 1),
    ("torch.float8_e4m3fnuz", 1),
    ("torch.float8_e5m2fnuz", 1),
    ("torch.half", 2),
    ("torch.int", 4),
    ("torch.long", 8),
    ("torch.short", 2),
    ("torch.uint64", 8),
    ("np.csingle", 8),
    ("np.ubyte", 1),
    ("np.byte", 1),
    ("np.intc", 4),
    ("np.longlong", 8),
    ("np.single", 4),
    ("np.bool_", 1),
    ("numpy.float64", 8),
    ("jnp.bfloat16", 2),
]

# Triton's own table of spellings (triton/_utils.py), and the prefixes of the others.
SAME = [
    ("float8_e4m3fn", ["fp8e4nv", "float8e4nv", "tl.float8e4nv", "torch.float8_e4m3fn", "T.float8_e4m3fn"]),
    ("float8_e4m3fnuz", ["fp8e4b8", "float8e4b8"]),
    ("float8_e5m2", ["fp8e5", "float8e5", "triton.language.float8e5", "e5m2_float8"]),
    ("float8_e5m2fnuz", ["fp8e5b16", "float8e5b16"]),
    ("float8e4b15", ["fp8e4b15"]),
    ("float8_e4m3", ["e4m3_float8", "T.float8_e4m3"]),
    ("float16", ["half", "fp16", "torch.half", "np.float16"]),
    ("bfloat16", ["bf16", "tl.bfloat16"]),
    ("float32", ["float", "fp32", "tl.float32"]),
    ("float64", ["double", "fp64"]),
    ("tfloat32", ["tf32", "T.tfloat32"]),
    ("float4_e2m1fn_x2", ["float4_e2m1fnx2"]),
    ("int8", ["i8"]),
    ("int32", ["i32", "int"]),
    ("uint8", ["u8"]),
    ("int1", ["i1", "tl.int1"]),
]

# Sizes in NumPy and elsewhere differ, or no library says so, or the case is wrong.
UNKNOWN = ["np.int", "np.uint", "numpy.long", "jnp.float", "i4", "f4", "u2", "fp8", "fp4", "Float16", "INT8"]
UNKNOWN += [
    "",
    ".",
    "torch.",
    "torch.torch.float16",
    "cuda.float16",
    " float16",
    "float16 ",
    "float16x2",
    "void",
]


@pytest.mark.parametrize(("name", "size"), TILELANG_65)
def test_65_elements_take_what_tilelang_plans(name: str, size: int) -> None:
    """An odd count of elements takes the bytes that TileLang's memory plan printed."""
    assert storage_bytes(find(name), 65) == size


@pytest.mark.parametrize(("name", "size"), TRITON_256)
def test_256_elements_take_what_triton_allocates(name: str, size: int) -> None:
    """Types named as Triton's IR names them take the bytes that its allocation pass gave them."""
    assert storage_bytes(find(name), 256) == size


@pytest.mark.parametrize(("name", "size"), ITEM_SIZES)
def test_item_sizes_are_those_of_torch_and_numpy(name: str, size: int) -> None:
    """One element takes the item size that PyTorch or NumPy states."""
    assert storage_bytes(find(name), 1) == size


@pytest.mark.parametrize(("canonical", "aliases"), SAME)
def test_aliases_are_one_type(canonical: str, aliases: list[str]) -> None:
    """The spellings of one type give equal values, under the canonical name."""
    assert {find(alias) for alias in (canonical, *aliases)} == {find(canonical)}
    assert find(canonical).name == canonical


def test_canonical_names_stand_for_themselves() -> None:
    """Every canonical name is listed once and is its type's name."""
    assert len(set(DTYPE_NAMES)) == len(DTYPE_NAMES)
    assert [find(name).name for name in DTYPE_NAMES] == list(DTYPE_NAMES)


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_no_dtype_is_not_found(name: str) -> None:
    """Names that are unclear, misspelt or nobody's are refused, with a hint."""
    assert lookup(name) is None
    with pytest.raises(UnknownNameError) as caught:
        find(name)
    assert caught.value.message == f"unknown dtype '{name}'"
    assert caught.value.hint


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("flaot16", "float16"),
        ("Float16", "float16"),
        ("torch.flot32", "float32"),
        ("float8_e4m3f", "float8_e4m3fn"),
        ("bfloat61", "bfloat16"),
        ("fp8", "float8_e5m2"),
        ("i4", "int32 or int4"),
        ("np.uint", "uint32"),
        ("quux", "complex128"),
    ],
)
def test_the_hint_names_what_was_probably_meant(name: str, expected: str) -> None:
    """The hint has the nearest name, the choices where a name is unclear, or all there are."""
    with pytest.raises(UnknownNameError) as caught:
        find(name)
    assert expected in caught.value.hint


@pytest.mark.parametrize(
    ("name", "elements", "storage_bits", "size"),
    [
        ("float4_e2m1fn", 65, None, 33),
        ("float4_e2m1fn", 65, 8, 65),  # padded to a byte
        ("float6_e2m3fn", 64, None, 64),
        ("float6_e2m3fn", 64, 6, 48),  # packed densely
        ("float6_e2m3fn", 3, 6, 3),  # 18 bits
        ("uint2", 9, 2, 3),
        ("uint1", 9, 1, 2),
        ("float16", 10, 32, 40),
        ("int4", 7, 4, 4),
        ("bool", 17, 1, 3),
    ],
)
def test_storage_bits_are_exact(name: str, elements: int, storage_bits: int | None, size: int) -> None:
    """With `storage_bits` an array takes ceil(elements * storage_bits / 8), worked out by hand here."""
    assert storage_bytes(find(name), elements, storage_bits) == size


@pytest.mark.parametrize(
    ("bits", "width"),
    [(1, 8), (2, 8), (3, 8), (4, 4), (6, 8), (8, 8), (12, 16), (16, 16), (19, 24), (32, 32)],
)
def test_only_four_bits_are_packed(bits: int, width: int) -> None:
    """Every width but 4 is rounded up to whole bytes, as in TileLang's GetBufferStorageSizeBytes."""
    assert storage_width(bits) == width
    assert storage_bytes(bits, 10) == storage_bytes(DType("some", bits), 10) == 10 * width // 8


@given(st.sampled_from(DTYPE_NAMES), st.integers(0, 2**40), st.integers(0, 2**40), st.integers(1, 256))
def test_size_grows_with_elements_and_never_more_than_apart(
    name: str, one: int, other: int, bits: int
) -> None:
    """Two arrays in one take at least the larger and at most their sum; no elements take no bytes."""
    dtype = find(name)
    for storage in (None, bits):
        together = storage_bytes(dtype, one + other, storage)
        apart = storage_bytes(dtype, one, storage), storage_bytes(dtype, other, storage)
        assert max(apart) <= together <= sum(apart)
        assert storage_bytes(dtype, 0, storage) == 0


@given(st.text(max_size=300))
def test_any_text_is_a_dtype_or_an_unknown_name(text: str) -> None:
    """`find` never raises anything but UnknownNameError, and agrees with `lookup`."""
    try:
        assert find(text) == lookup(text)
    except UnknownNameError:
        assert lookup(text) is None
